"""Public names of tools: safe, unique, at most 64 characters, the same whoever else is up."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import field
from hashlib import sha256

from mooring.core.frozen import frozen

__all__ = ["Names", "prompt_name", "public_name"]

LONGEST = 64
_HASH_DIGITS = 8
_CUT = LONGEST - _HASH_DIGITS - 1

_UNSAFE = re.compile(r"[^A-Za-z0-9_-]")
_LOOKS_HASHED = re.compile(r"_[0-9a-f]{8}\Z")


@frozen
class Names:
    """The configured servers, prepared once; which of them are up is of no interest here."""

    configured: frozenset[str]
    # Sanitised name -> the server it belongs to, or None where several share it.
    _owners: dict[str, str | None] = field(init=False, repr=False, compare=False)

    def __init__(self, configured: Collection[str]) -> None:
        owners: dict[str, str | None] = {}
        for server in configured:
            safe = _sanitised(server)
            owners[safe] = server if owners.get(safe, server) == server else None
        object.__setattr__(self, "configured", frozenset(configured))
        object.__setattr__(self, "_owners", owners)

    def of(self, server: str, tool: str) -> str:
        """`{server}_{tool}`, with a hash of the exact pair where that alone would not be safe."""
        safe = _sanitised(tool)
        base = f"{_sanitised(server)}_{safe}"
        if safe == tool and tool and not self._disputed(base, server):
            return base
        return f"{base[:_CUT]}_{_hash(server, tool)}"

    def owners(self, name: str) -> tuple[str, ...]:
        """The servers whose tool a public name may be, the likeliest first."""
        prefixes = ((server, f"{_sanitised(server)}_"[:_CUT]) for server in self.configured)
        found = [(len(prefix), server) for server, prefix in prefixes if name.startswith(prefix)]
        return tuple(server for _, server in sorted(found, reverse=True))

    def _disputed(self, base: str, server: str) -> bool:
        # Hashed names must never meet plain ones, hence the last test.
        return (
            len(base) > LONGEST
            or self._has_other_owner(base, server)
            or _LOOKS_HASHED.search(base) is not None
        )

    def _has_other_owner(self, base: str, server: str) -> bool:
        """Whether another configured server could have produced this very name from a tool of its own."""
        end = base.find("_")
        while end != -1:
            prefix = base[:end]
            if prefix in self._owners and self._owners[prefix] != server:
                return True
            end = base.find("_", end + 1)
        return False


def public_name(server: str, tool: str, configured: Collection[str]) -> str:
    """The name of one tool; with many tools, build `Names` once."""
    return Names(configured).of(server, tool)


def prompt_name(server: str, prompt: str) -> str:
    """What a person types after the slash to get this prompt."""
    return f"{_sanitised(server)}:{_sanitised(prompt)}"


def _sanitised(text: str) -> str:
    return _UNSAFE.sub("_", text)


def _hash(server: str, tool: str) -> str:
    # The length makes the border between the two unambiguous; servers may send lone surrogates.
    exact = f"{len(server)}:{server}{tool}".encode("utf-8", "surrogatepass")
    return sha256(exact).hexdigest()[:_HASH_DIGITS]
