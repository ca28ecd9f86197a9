"""One request of a client: what it says, on whose behalf, and in which era."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from msgspec import Raw

from mooring.core.questions import Caller
from mooring.core.values import JSON, is_map
from mooring.errors import NotUnderstood
from mooring.gateway.messages import INVALID_PARAMS, Params, notice
from mooring.upstream.session.eras import META, MODERN, UNSUPPORTED_VERSION
from mooring.upstream.wire import Progress, decode

__all__ = ["VERSION", "Request", "Say", "version_of"]

Say: TypeAlias = Callable[[bytes], None]
VERSION, TOKEN = f"{META}protocolVersion", "progressToken"
HEADER_MISMATCH = -32020
NO_META: Mapping[str, Raw] = {}


class Request:
    """`say` takes messages that belong to it, before its answer; `caller` is whom servers may ask back."""

    __slots__ = ("caller", "identity", "is_modern", "meta", "method", "params", "say", "server")

    def __init__(self, identity: bytes, method: str, params: Params, version: str, say: Say) -> None:
        self.identity = identity
        self.method = method
        self.params = params
        self.meta = params.meta or NO_META
        self.is_modern = version in MODERN
        self.say = say
        self.server = ""
        self.caller: Caller

    @property
    def beside(self) -> Mapping[str, Raw]:
        """What its client says in `_meta` to whoever it concerns; the protocol's own keys are for us."""
        if not self.meta:
            return self.meta
        return {key: said for key, said in self.meta.items() if key != TOKEN and not key.startswith(META)}

    @property
    def progress(self) -> Progress | None:
        """What tells the client how far it is, if it wants to know."""
        token = self.meta.get(TOKEN)
        if token is None:
            return None

        def tell(done: float, total: float | None, words: str) -> None:
            said: dict[str, object] = {TOKEN: token, "progress": _whole(done)}
            said |= {} if total is None else {"total": _whole(total)}
            said |= {"message": words} if words else {}
            self.say(notice("notifications/progress", said))

        return tell

    def value(self, raw: Raw, what: str) -> Mapping[str, JSON]:
        """A parameter that has to be a map; one that is missing is an empty one."""
        found = decode(raw)
        if found is None:
            return {}
        if not is_map(found):
            raise NotUnderstood(f"`{what}` is no map", number=INVALID_PARAMS)
        return found


def _whole(number: float) -> float | int:
    return int(number) if number.is_integer() else number


def version_of(params: Params, method: str, claimed: str = "") -> str:
    """What a request of the new era says of itself; empty where it says nothing, as in the old one.

    `claimed` is what was said beside it, which has to be the same.
    """
    found = params.meta.get(VERSION) if params.meta else None
    if found is None:
        if claimed in MODERN:
            raise NotUnderstood(f"`{VERSION}` is missing in `_meta`", number=INVALID_PARAMS)
        return ""
    version = decode(found)
    if claimed and version != claimed:
        raise NotUnderstood(
            "the header `mcp-protocol-version` is not the version in `_meta`", number=HEADER_MISMATCH
        )
    if version not in MODERN:
        data = {"supported": list(MODERN), "requested": version}
        raise NotUnderstood(
            f"`{method}` is asked for in a version that is not spoken here",
            hint=f"Use {MODERN[-1]}, or `initialize`",
            number=UNSUPPORTED_VERSION,
            data=data,
        )
    return version
