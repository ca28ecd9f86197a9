"""Logins that were begun over HTTP: each waits in a task of its own for somebody to come back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from shlex import quote
from urllib.parse import parse_qsl, urlencode, urlsplit

from mooring.core.questions import Accepted, Answer, Cancelled, Question, Visit
from mooring.core.server_view import ServerView
from mooring.errors import BadRequest, LoginGivenUp, MooringError
from mooring.host import Host

__all__ = ["Logins"]


class _Begun:
    """`came` is what the browser was sent back with, where somebody brings it by hand."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.visit: asyncio.Future[str] = loop.create_future()
        self.came: asyncio.Future[str] = loop.create_future()
        self.ended: asyncio.Future[ServerView] = loop.create_future()

    async def ask(self, question: Question) -> Answer:
        """Asked a second time, what was brought was of no use."""
        if not isinstance(question, Visit) or self.visit.done():
            return Cancelled()
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
        before = self._begun.pop(name, None)
        if before is not None:
            before[1].cancel()
            await asyncio.wait([before[1]])
        begun = _Begun()
        self._begun[name] = begun, self._group.create_task(self._log_in(name, begun))
        visit = await asyncio.shield(begun.visit)
        return visit, _query(visit).get("state", "")

    async def bring(self, name: str, code: str) -> ServerView:
        """What stood behind `code=` in the address that the browser ended at."""
        found = self._begun.get(name)
        if found is None or not found[0].visit.done() or found[0].came.done():
            raise BadRequest(f"No login at `{name}` waits for a code", hint="Begin one: POST /mcp/NAME/auth")
        begun = found[0]
        query = _query(begun.visit.result())
        answer = urlencode({"code": code, "state": query.get("state", "")})
        begun.came.set_result(f"{query.get('redirect_uri', '')}?{answer}")
        return await asyncio.shield(begun.ended)

    async def _log_in(self, name: str, begun: _Begun) -> None:
        try:
            begun.ended.set_result(await self._host.login(name, begun.ask))
        except MooringError as error:
            begun.failed(error)
        finally:
            hint = f"mooring auth {quote(name)}"
            begun.failed(LoginGivenUp(f"The login at `{name}` was given up; nothing was kept", hint=hint))
            if name in self._begun and self._begun[name][0] is begun:
                del self._begun[name]


def _query(url: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(url).query))
