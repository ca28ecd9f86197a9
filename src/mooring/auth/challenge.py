"""What a server says in `WWW-Authenticate` when it wants to know who we are."""

from __future__ import annotations

import re

from mooring.core.frozen import frozen

__all__ = ["Challenge"]

LONGEST = 8192
_WORD = r"[A-Za-z0-9!#$%&'*+.^_`|~-]+"
# One step at a time and never back: a scheme, or a parameter of the scheme before it.
_PART = re.compile(
    rf"[\s,]*+(?:(?P<name>{_WORD}+)\s*+=\s*+(?:\"(?P<quoted>(?:[^\"\\]|\\.)*+)\"|(?P<plain>[^\s,\"]++))"
    rf"|(?P<scheme>{_WORD}+)(?=[\s,]|$))"
)
_ESCAPED = re.compile(r"\\(.)")


@frozen
class Challenge:
    """The parameters that concern tokens; of several challenges, the first with each of them counts."""

    metadata: str = ""
    scope: str | None = None
    error: str = ""
    schemes: tuple[str, ...] = ()

    @classmethod
    def of(cls, header: str) -> Challenge:
        found: dict[str, str] = {}
        schemes: list[str] = []
        for match in _PART.finditer(header[:LONGEST]):
            if match["scheme"]:
                schemes.append(match["scheme"].lower())
            elif schemes and schemes[-1] in ("bearer", "dpop"):
                quoted = match["quoted"]
                value = match["plain"] if quoted is None else _ESCAPED.sub(r"\1", quoted)
                found.setdefault(match["name"].lower(), value)
        return cls(
            found.get("resource_metadata", ""),
            _scope(found.get("scope")),
            found.get("error", ""),
            tuple(dict.fromkeys(schemes)),
        )

    @property
    def wants_more(self) -> bool:
        """Whether who we are is known, and not enough."""
        return self.error == "insufficient_scope"


def _scope(given: str | None) -> str | None:
    """Words of a scope, each once; None where it is no list of scopes."""
    words = list(dict.fromkeys((given or "").split()))
    is_fine = all(word.isascii() and word.isprintable() and not set(word) & set('"\\') for word in words)
    return " ".join(words) if words and is_fine else None
