"""One live connection: what can be asked of the server, in the era that was agreed on."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace

from msgspec import Raw

from mooring.core.frozen import frozen
from mooring.core.items import Kind
from mooring.core.skills import EXTENSION
from mooring.core.spec import Timeouts
from mooring.core.values import JSON, is_map
from mooring.errors import BadMessage, CallTimeout, MooringError, ServerError
from mooring.upstream.session.eras import META
from mooring.upstream.session.handshake import Agreed
from mooring.upstream.session.mirrors import Mirrors, mirrored
from mooring.upstream.session.ourselves import Ourselves
from mooring.upstream.session.pages import METHODS, SKILLS, Pages, all_pages
from mooring.upstream.session.result import Result
from mooring.upstream.session.rounds import answered, kind_of
from mooring.upstream.session.visits import COMPLETE, Visits
from mooring.upstream.wire import OnNotice, Progress, Terms, Wire, decode, encode

__all__ = ["Asking", "Session"]

_AUTHOR = "Tell the author of the server"
HEADER_MISMATCH = -32020
SUBSCRIPTION = f"{META}subscriptionId"
_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


@frozen
class Asking:
    """On whose behalf, and who hears of progress; the times are those of the configuration.

    With `rounds` a result that asks back is left to whoever made the request, and these answers go with it.
    `meta` is what the request is to say beside its parameters; what the protocol says there is ours alone.
    """

    cause: object = None
    progress: Progress | None = None
    rounds: Mapping[str, object] | None = None
    meta: Mapping[str, object] | None = None


NOBODY = Asking()


def _silent(progress: float, total: float | None, message: str) -> None:
    """Progress that nobody listens to still is a sign of life."""


class Session:
    """Made by a dial, which also ends it; whoever holds it may call, from any task of the loop."""

    def __init__(self, wire: Wire, agreed: Agreed, us: Ourselves, timeouts: Timeouts) -> None:
        self.wire = wire
        self.agreed = agreed
        self.us = us
        self.timeouts = timeouts
        self.on_notice: OnNotice = wire.on_notice
        self.on_acknowledged: Callable[[Mapping[str, JSON]], None] = lambda _params: None
        self._mirrors = Mirrors()
        self._visits = Visits()
        self._meta: dict[str, Raw] = {}
        wire.on_notice = self._noticed

    # --- verbs

    async def call(
        self, name: str, arguments: Mapping[str, JSON] | Raw | None = None, asking: Asking = NOBODY
    ) -> Result:
        """Servers refuse a call without arguments, so there always are some."""
        params: dict[str, JSON] = {"name": name, "arguments": {} if arguments is None else arguments}
        try:
            return await self._result("tools/call", params, asking)
        except ServerError as error:
            if error.number != HEADER_MISMATCH or not self.agreed.is_modern:
                raise
        # It was refused before it ran: our copy of the tool's schema is an old one.
        await self.all(Kind.TOOL)
        return await self._result("tools/call", params, asking)

    async def read(self, uri: str, asking: Asking = NOBODY) -> Result:
        return await self._result("resources/read", {"uri": uri}, asking)

    async def prompt(
        self, name: str, arguments: Mapping[str, str] | None = None, asking: Asking = NOBODY
    ) -> Result:
        return await self._result("prompts/get", {"name": name, "arguments": arguments or {}}, asking)

    async def complete(
        self, reference: Mapping[str, JSON], argument: Mapping[str, str], given: Mapping[str, str]
    ) -> Result:
        """What could stand in one gap of a prompt or template, with what the other gaps hold already."""
        params: dict[str, JSON] = {"ref": reference, "argument": argument}
        if given:
            params["context"] = {"arguments": given}
        return Result(await self.ask("completion/complete", params, self.timeouts.list))

    async def all(self, kind: Kind) -> Pages:
        """A whole list; in the new era tools whose headers cannot be sent are left out, as it demands."""
        pages = await all_pages(self.wire.name, METHODS[kind], self.ask, self.timeouts.list)
        if kind is Kind.TOOL and self.agreed.is_modern:
            self._mirrors = Mirrors.of(pages.items)
            refused = self._mirrors.refused
            pages = replace(pages, items=tuple(item for item in pages.items if id(item) not in refused))
        return pages

    async def skills(self) -> tuple[JSON, ...]:
        """Their entries; a server that does not speak of skills has none."""
        extensions = self.agreed.capabilities.get("extensions")
        if not is_map(extensions) or EXTENSION not in extensions:
            return ()
        return (await all_pages(self.wire.name, SKILLS, self.ask, self.timeouts.list)).items

    async def skill(self, uri: str) -> JSON:
        """The entry of one, which need not be in the list."""
        found = await self._map("skills/get", {"uri": uri}, self.timeouts.list)
        return found.get("skill")

    async def subscribe(self, uri: str, *, wanted: bool = True) -> None:
        """In the old era; in the new one resources are named when a subscription is opened."""
        verb = "subscribe" if wanted else "unsubscribe"
        await self.ask(f"resources/{verb}", {"uri": uri}, self.timeouts.list)

    async def set_log_level(self, level: str) -> None:
        """In the old era; in the new one every request says it."""
        await self.ask("logging/setLevel", {"level": level}, self.timeouts.list)

    async def ping(self, within: float) -> None:
        """Whether the server is still there; the new era has no ping, and its first question serves."""
        await self.ask("server/discover" if self.agreed.is_modern else "ping", {}, within)

    # --- how requests are made

    async def ask(self, method: str, params: Mapping[str, JSON], within: float) -> bytes:
        """Any request that is answered at once; `within` is all the time it has."""
        terms = Terms(quiet=within, headers=self._headers(method, params))
        try:
            return bytes(await self.wire.request(method, self._stamped(params), terms))
        except CallTimeout as error:
            name = self.wire.name
            sentence = f"`{name}` did not answer `{method}` within {within:g} s"
            raise CallTimeout(sentence, hint=f"Is it slow? Raise `mcp.{name}.timeout.list`") from error

    async def _map(self, method: str, params: Mapping[str, JSON], within: float) -> Mapping[str, JSON]:
        value = decode(await self.ask(method, params, within))
        if not is_map(value):
            raise BadMessage(f"`{self.wire.name}` answered `{method}` with no map", hint=_AUTHOR)
        return value

    async def listen(self, identity: str, params: Mapping[str, JSON]) -> bytes:
        """A request that is answered when the server has nothing more to say."""
        terms = Terms(identity=identity, headers=self._headers("subscriptions/listen", params))
        return bytes(await self.wire.request("subscriptions/listen", self._stamped(params), terms))

    async def _result(self, method: str, params: Mapping[str, JSON], asking: Asking) -> Result:
        times = self.timeouts
        terms = Terms(
            times.call,
            times.ceiling,
            asking.progress or _silent,
            headers=self._headers(method, params),
            cause=asking.cause,
        )
        if asking.rounds and self.agreed.is_modern:
            params = {**params, **asking.rounds}
        if asking.meta:
            params = {**params, "_meta": asking.meta}
        began = time.monotonic()
        try:
            raw = await self._asked(method, params, terms)
            if self.agreed.is_modern and (kind := kind_of(raw)) != "complete":
                if kind == "input_required" and asking.rounds is not None:
                    return Result(raw)
                if kind != "input_required":
                    sentence = f"`{self.wire.name}` gave a result of the unknown kind `{kind[:60]}`"
                    raise BadMessage(sentence, hint=_AUTHOR)
                left = times.ceiling - (time.monotonic() - began)
                raw = await self._after_rounds(raw, method, params, replace(terms, ceiling=left))
        except CallTimeout as error:
            raise self._late(error, method, params) from error
        return Result(raw)

    async def _asked(self, method: str, params: Mapping[str, JSON], terms: Terms) -> bytes:
        """Once, or once more where the old era wants an address visited first."""
        stamped = self._stamped(params, terms.cause)
        try:
            return bytes(await self.wire.request(method, stamped, terms))
        except ServerError as error:

            async def ask(about: Mapping[str, JSON]) -> Mapping[str, JSON]:
                return await self.us.answer("elicitation/create", about, terms.cause)

            if self.agreed.is_modern or not await self._visits.made(error, ask):
                raise
        return bytes(await self.wire.request(method, stamped, terms))

    async def _after_rounds(self, raw: bytes, method: str, params: Mapping[str, JSON], terms: Terms) -> bytes:
        async def answer(asked: str, about: Mapping[str, JSON]) -> Mapping[str, JSON]:
            return await self.us.answer(asked, about, terms.cause)

        left = terms.ceiling

        async def again(more: Mapping[str, JSON]) -> bytes:
            nonlocal left
            began = time.monotonic()
            stamped = self._stamped({**params, **more}, terms.cause)
            try:
                return bytes(await self.wire.request(method, stamped, replace(terms, ceiling=max(left, 0.0))))
            except MooringError as error:
                # The first of them was.
                error.nothing_was_sent = False
                raise
            finally:
                # However many rounds there are, the server has the time of one call.
                left -= time.monotonic() - began

        return await answered(self.wire.name, raw, answer, again)

    def _stamped(self, params: Mapping[str, JSON], cause: object = None) -> Mapping[str, JSON]:
        """In the new era every request says who asks, in which version, and what they can be asked back."""
        if not self.agreed.is_modern:
            return params
        if not self._meta:
            self._meta = {
                f"{META}protocolVersion": Raw(encode(self.agreed.protocol)),
                f"{META}clientInfo": Raw(encode(self.us.about)),
            }
            if self.us.log_level is not None:
                self._meta[f"{META}logLevel"] = Raw(encode(self.us.log_level))
        own = {**self._meta, f"{META}clientCapabilities": self.us.capabilities(cause)}
        return {**params, "_meta": {**params.get("_meta", {}), **own}}

    def _headers(self, method: str, params: Mapping[str, JSON]) -> tuple[tuple[str, str], ...]:
        if not self.agreed.is_modern or not self.wire.is_http:
            return ()
        headers = [("mcp-protocol-version", self.agreed.protocol), ("mcp-method", method)]
        name = params.get(_NAMED.get(method, ""))
        if isinstance(name, str):
            headers.append(("mcp-name", mirrored(name)))
        if method == "tools/call" and isinstance(name, str):
            headers += self._mirrors.headers(name, params.get("arguments"))
        return tuple(headers)

    def _late(self, error: CallTimeout, method: str, params: Mapping[str, JSON]) -> CallTimeout:
        """The wire's timeout, with the names that only we know."""
        what = params.get(_NAMED.get(method, "")) or method
        key = f"mcp.{self.wire.name}.timeout.{error.hint}"
        said = error.sentence
        if error.hint == "ceiling":
            said = f"no result within {self.timeouts.ceiling:g} s"
        return CallTimeout(f"`{what}` of `{self.wire.name}`: {said}", hint=f"Is it slow? Raise `{key}`")

    # --- what the server says by itself

    def _noticed(self, method: str, params: Mapping[str, JSON], cause: object) -> None:
        """Whoever hears it cannot tell the eras apart."""
        meta = params.get("_meta")
        if method == COMPLETE:
            self._visits.ended(params)
        if method == "notifications/subscriptions/acknowledged":
            self.on_acknowledged(params)
            return
        if is_map(meta) and SUBSCRIPTION in meta:
            rest = {key: value for key, value in meta.items() if key != SUBSCRIPTION}
            params = {key: value for key, value in params.items() if key != "_meta"}
            params = {**params, "_meta": rest} if rest else params
        self.on_notice(method, params, cause)
