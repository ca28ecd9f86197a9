"""What is known of one client: what it has said of itself, and what it sees."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from msgspec import Raw

from mooring.core.catalog import Catalog
from mooring.core.events import LogMessage
from mooring.core.intake import tidy
from mooring.core.items import Kind
from mooring.core.questions import Answer, Caller, Face, Question
from mooring.core.values import JSON, is_map
from mooring.errors import NotUnderstood, UnknownItem
from mooring.gateway.ear import CHANGED, Ear
from mooring.gateway.greeting import agreed
from mooring.gateway.hub import Hub
from mooring.gateway.levels import reaches, written
from mooring.gateway.messages import INVALID_PARAMS, notice
from mooring.gateway.outbound import Outbound
from mooring.gateway.questions import Asked, asked, refusal, understood
from mooring.gateway.request import Request, Say
from mooring.gateway.view import Scope, View
from mooring.host import Host
from mooring.upstream.session.eras import META
from mooring.upstream.wire import decode

__all__ = ["Client"]

MOST_CALLERS = 64
CLIENT_INFO, CAPABILITIES = f"{META}clientInfo", f"{META}clientCapabilities"
LOG_LEVEL = f"{META}logLevel"


class Client:
    """`version` is what was agreed on in the old era; requests of the new one say all of it themselves.

    `say` takes what belongs to no request. `owner` is by whose credential it comes; of a `crowd` nobody knows
    which requests are of one client. Who `hears_all` is told also what may be about other people's requests.
    """

    def __init__(
        self,
        hub: Hub,
        scope: Scope,
        say: Say,
        owner: str = "",
        *,
        hears_all: bool = False,
        is_crowd: bool = False,
    ) -> None:
        self.hub = hub
        self.views = hub.views
        self.scope = scope
        self.say = say
        self.owner = owner
        self.hears_all = hears_all
        self.is_crowd = is_crowd
        self.version = ""
        self.outbound = Outbound()
        self.seen: dict[Kind, Catalog] = {}
        self.ear = Ear(scope, CHANGED, self._tell, self.seen)
        self.log_level = "info"
        self._requests: dict[Request, None] = {}
        self._caller = self._caller_of({}, {})
        self._callers: dict[tuple[bytes, bytes], Caller] = {}

    def close(self) -> None:
        self.hub.relay.remove(self.ear)
        self.hub.relay.leave_log(self._logged)

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
        able = request.value(request.params.capabilities, "capabilities")
        self._caller = replace(
            self._caller_of(about, able),
            ask=self._ask,
            roots=self._roots if "roots" in able else None,
        )

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
        beside = request.beside
        if beside:
            request.caller = replace(request.caller, meta=beside)

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
            caller = replace(self._caller_of(decode(info), decode(able)), rounds={})
            self._callers[info, able] = caller
        return caller

    def _caller_of(self, about: JSON, able: JSON) -> Caller:
        name = tidy(about.get("name"), 64, characters=True) if is_map(about) else ""
        return Caller(
            name or "gateway",
            Face.GATEWAY,
            self.scope.agent,
            capabilities=able if is_map(able) else {},
            conversation=self,
        )

    # --- what it is asked, in the old era

    async def _ask(self, question: Question) -> Answer:
        found = asked(question, self._caller.capabilities)
        if found is None:
            return refusal(question)
        return understood(question, await self._put(question.server, found))

    async def _roots(self, server: str) -> JSON:
        return await self._put(server, ("roots/list", {}))

    async def _put(self, server: str, question: Asked) -> JSON:
        """Where its last request to this server waits for the answer."""
        request = self._newest_at(server)
        return await self.outbound.request(request.say if request else self.say, *question)

    # --- what it is told

    def ready(self) -> None:
        """It has heard the greeting: from now on it is told what happens."""
        if self.version:
            self.hub.relay.add(self.ear)
            self.hub.relay.read_log(self._logged)

    @contextmanager
    def at(self, request: Request, server: str) -> Generator[None]:
        """While a request is at a server, what that says may be about it."""
        request.server = server
        self._requests[request] = None
        wants_log = request.is_modern and LOG_LEVEL in request.meta
        hears = partial(self._logged_during, request)
        if wants_log:
            self.hub.relay.read_log(hears)
        try:
            yield
        finally:
            del self._requests[request]
            if wants_log:
                self.hub.relay.leave_log(hears)

    def _newest_at(self, server: str) -> Request | None:
        return next((each for each in reversed(self._requests) if each.server == server), None)

    def _tell(self, method: str, params: Mapping[str, object]) -> None:
        self.say(notice(method, params or None))

    def _logged(self, event: LogMessage) -> None:
        if reaches(event.level, self.log_level) and self._may_hear(event, self._caller):
            request = self._newest_at(event.server)
            (request.say if request else self.say)(written(event))

    def _logged_during(self, request: Request, event: LogMessage) -> None:
        wanted = decode(request.meta[LOG_LEVEL])
        is_wanted = event.server == request.server and reaches(event.level, wanted)
        if is_wanted and self._may_hear(event, request.caller):
            request.say(written(event))

    def _may_hear(self, event: LogMessage, caller: Caller) -> bool:
        """What belongs to a request is for whoever made it; all else may be about anybody's."""
        if self.scope.server not in (None, event.server):
            return False
        return self.hears_all if event.caller is None else event.caller == caller

    # --- what it means

    def place(self, uri: str) -> tuple[str, str]:
        """The server that an address leads to, empty where none is known to have it, and its own address."""
        return self.view.addresses.found(uri) or (self.scope.server or "", uri)

    def completed(self, reference: Mapping[str, JSON]) -> tuple[str, Mapping[str, JSON]]:
        """The server that a gap is to be filled in by, and its own name for what has the gap."""
        view, name, uri = self.view, reference.get("name"), reference.get("uri")
        if isinstance(name, str):
            server, own = view.prompt(name)
            return server, {"name": own}
        if isinstance(uri, str):
            found = view.addresses.template(uri) or view.addresses.found(uri)
            if found is not None:
                return found[0], {"uri": found[1]}
        raise UnknownItem("there is nothing of that name to complete", hint="mooring prompts")
