"""Logins that were begun over HTTP: each waits in a task of its own for somebody to come back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from shlex import quote
from typing import TypeAlias
from urllib.parse import parse_qsl, urlencode, urlsplit

from mooring.core.questions import Accepted, Answer, Cancelled, Question, Visit
from mooring.core.server_view import ServerView
from mooring.errors import BadRequest, LoginGivenUp, MooringError
from mooring.host import Host
from mooring.system.tasks import let_go

__all__ = ["Browse", "Logins"]

Browse: TypeAlias = Callable[[str], Awaitable[bool]]


class _Begun:
    """`came` is what the browser was sent back with, where somebody brings it by hand."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.visit: asyncio.Future[str] = self._loop.create_future()
        self.came: asyncio.Future[str] = self._loop.create_future()
        self.useless: asyncio.Future[str] = self._loop.create_future()
        self.ended: asyncio.Future[ServerView] = self._loop.create_future()

    async def ask(self, question: Question) -> Answer:
        """Asked once more, what was brought was of no use; something better may still be."""
        if not isinstance(question, Visit):
            return Cancelled()
        if self.visit.done():
            self.came = self._loop.create_future()
            self.useless.set_result(question.reason)
            self.useless = self._loop.create_future()
        else:
            self.visit.set_result(question.url)
        return Accepted({"url": await self.came})

    def failed(self, error: MooringError) -> None:
        for future in (self.visit, self.ended):
            if not future.done():
                future.set_exception(error)
                # Who began it need not be there any more to hear how it ended.
                future.exception()


class Logins:
    """One at a time for each server; the one that was begun last is the one that counts."""

    def __init__(self, host: Host, group: asyncio.TaskGroup) -> None:
        self._host = host
        self._group = group
        self._begun: dict[str, tuple[_Begun, asyncio.Task[None]]] = {}

    @classmethod
    @asynccontextmanager
    async def of(cls, host: Host) -> AsyncGenerator[Logins]:
        """Whatever is still under way at the end is given up."""
        async with asyncio.TaskGroup() as group:
            logins = cls(host, group)
            try:
                yield logins
            finally:
                for _, task in logins._begun.values():
                    task.cancel()

    async def begin(self, name: str) -> tuple[str, str]:
        """The address to open in a browser, and what tells this login from others."""
        # Somebody else may have begun one when the one before is gone.
        while before := self._begun.get(name):
            await let_go(before[1])
        begun = _Begun()
        task = self._group.create_task(self._log_in(name, begun))
        # Of a task that is cancelled before it ran nothing else is ever heard.
        task.add_done_callback(lambda _: self._over(name, begun))
        self._begun[name] = begun, task
        visit = await asyncio.shield(begun.visit)
        return visit, _query(visit).get("state", "")

    async def bring(self, name: str, url: str) -> ServerView:
        """The address that the browser ended at."""
        begun = self._waiting(name)
        useless = begun.useless
        begun.came.set_result(url)
        await asyncio.wait([useless, begun.ended], return_when=asyncio.FIRST_COMPLETED)
        if useless.done():
            raise BadRequest(useless.result(), hint="Copy the whole address that the browser ended at")
        return begun.ended.result()

    async def bring_code(self, name: str, code: str) -> ServerView:
        """What stood behind `code=` in that address."""
        query = _query(self._waiting(name).visit.result())
        answer = urlencode({"code": code, "state": query.get("state", "")})
        return await self.bring(name, f"{query.get('redirect_uri', '')}?{answer}")

    async def through(self, name: str, browse: Browse) -> ServerView:
        """Through a browser that is opened here, to the end; without one there is no way."""
        url, _ = await self.begin(name)
        begun, task = self._begun[name]
        if not await browse(url):
            task.cancel()
            sentence = f"No browser can be opened here to log in at `{name}`"
            raise LoginGivenUp(sentence, hint="POST /mcp/NAME/auth gives the address to open elsewhere")
        return await asyncio.shield(begun.ended)

    def _waiting(self, name: str) -> _Begun:
        found = self._begun.get(name)
        if found is None or not found[0].visit.done() or found[0].came.done():
            raise BadRequest(f"No login at `{name}` waits for somebody to come back", hint="Begin one")
        return found[0]

    async def _log_in(self, name: str, begun: _Begun) -> None:
        try:
            begun.ended.set_result(await self._host.login(name, begun.ask))
        except MooringError as error:
            begun.failed(error)

    def _over(self, name: str, begun: _Begun) -> None:
        del self._begun[name]
        hint = f"mooring auth {quote(name)}"
        begun.failed(LoginGivenUp(f"The login at `{name}` was given up; nothing was kept", hint=hint))


def _query(url: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(url).query))
