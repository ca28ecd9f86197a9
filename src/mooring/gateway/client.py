"""What is known of one client: what it has said of itself, and what it sees."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Raw

from mooring.core.intake import tidy
from mooring.core.questions import Caller, Face
from mooring.core.values import JSON, is_map
from mooring.errors import NotUnderstood, UnknownItem
from mooring.gateway.greeting import agreed
from mooring.gateway.messages import INVALID_PARAMS
from mooring.gateway.request import Request
from mooring.gateway.view import Scope, View
from mooring.gateway.views import Views
from mooring.host import Host
from mooring.upstream.session.eras import META
from mooring.upstream.wire import decode

__all__ = ["Client"]

MOST_CALLERS = 64
CLIENT_INFO, CAPABILITIES = f"{META}clientInfo", f"{META}clientCapabilities"


class Client:
    """`version` is what was agreed on in the old era; requests of the new one say all of it themselves."""

    def __init__(self, views: Views, scope: Scope) -> None:
        self.views = views
        self.scope = scope
        self.version = ""
        self._caller = self._caller_of({}, {})
        self._callers: dict[tuple[bytes, bytes], Caller] = {}

    @property
    def host(self) -> Host:
        return self.views.host

    @property
    def view(self) -> View:
        return self.views.of(self.scope)

    # --- who it is

    def greeted(self, request: Request) -> None:
        self.version = agreed(request.params.protocol_version)
        about = request.value(request.params.client_info, "clientInfo")
        self._caller = self._caller_of(about, request.value(request.params.capabilities, "capabilities"))

    def identify(self, request: Request) -> None:
        """On whose behalf a request is made."""
        if request.is_modern:
            request.caller = self._said_by(request.meta)
        elif self.version or request.method in ("initialize", "ping"):
            request.caller = self._caller
        else:
            raise NotUnderstood(
                "nobody has said yet which version is spoken",
                hint=f"Begin with `initialize`, or say `{META}protocolVersion` in `_meta`",
                number=INVALID_PARAMS,
            )

    def _said_by(self, meta: Mapping[str, Raw]) -> Caller:
        """In the new era each request says it; whoever says the same is the same."""
        info, able = bytes(meta.get(CLIENT_INFO, b"")), bytes(meta.get(CAPABILITIES, b""))
        if not able:
            raise NotUnderstood(
                f"`{CAPABILITIES}` is missing in `_meta`", hint="It may be empty", number=INVALID_PARAMS
            )
        caller = self._callers.get((info, able))
        if caller is None:
            if len(self._callers) == MOST_CALLERS:
                self._callers.clear()
            caller = self._callers[info, able] = self._caller_of(decode(info), decode(able))
        return caller

    def _caller_of(self, about: JSON, able: JSON) -> Caller:
        name = tidy(about.get("name"), 64, characters=True) if is_map(about) else ""
        return Caller(
            name or "gateway",
            Face.GATEWAY,
            self.scope.agent,
            capabilities=able if is_map(able) else {},
        )

    # --- what it means

    def completed(self, reference: Mapping[str, JSON]) -> tuple[str, Mapping[str, JSON]]:
        """The server that a gap is to be filled in by, and its own name for what has the gap."""
        view, name, uri = self.view, reference.get("name"), reference.get("uri")
        if isinstance(name, str):
            server, _, own = view.prompt(name).partition(":")
            return server, {"name": own}
        if isinstance(uri, str):
            found = view.addresses.template(uri) or view.addresses.found(uri)
            if found is not None:
                return found[0], {"uri": found[1]}
        raise UnknownItem("there is nothing of that name to complete", hint="mooring prompts")
