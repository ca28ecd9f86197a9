"""The host of a running `serve`, as a command in a thread and a loop of its own uses it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Iterable, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import copy_context
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from mooring.core.questions import Answer, Ask, Caller, Question
from mooring.core.spec import BadServer, Config, Entry
from mooring.core.status import Failed, NeedsApproval, NeedsAuth, NeedsClientRegistration
from mooring.host import Host

if TYPE_CHECKING:
    from mooring.auth.farewell import Farewell
    from mooring.core.account import Account
    from mooring.core.catalog import Catalog
    from mooring.core.events import ConfigReloaded, Event
    from mooring.core.pins import PinChanges
    from mooring.core.renewal import Renewal
    from mooring.core.server_view import ServerView
    from mooring.errors import MooringError
    from mooring.host.running import Arguments
    from mooring.upstream.session import Result
    from mooring.upstream.wire import Progress

__all__ = ["opened"]

T = TypeVar("T")
DOWN = (Failed, NeedsApproval, NeedsAuth, NeedsClientRegistration)


class Away(Host):
    """Made in the loop that uses it. What is down is tried again, as it would be without a `serve`."""

    def __init__(self, host: Host, there: asyncio.AbstractEventLoop) -> None:  # no `super`: it has no servers
        self._host = host
        self._there = there
        self._here = asyncio.get_running_loop()
        # What comes back from over there is the guest's too.
        self._as_guest = copy_context()
        self._tried: set[str] = set()
        self.bus = _Bus(self._heard)  # type: ignore[assignment] - the half of it that a command hears
        self.store = host.store

    # --- from one loop to the other

    def _asked(self, look: Callable[[], T]) -> T:
        """What does not wait: it is looked at over there, where nobody changes it meanwhile."""

        async def looked() -> T:
            return look()

        return asyncio.run_coroutine_threadsafe(looked(), self._there).result()

    async def _done(self, work: Coroutine[Any, Any, T]) -> T:
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._there))

    @contextmanager
    def _heard(self, listener: Callable[[Event], None]) -> Generator[None]:
        def hear(event: Event) -> None:
            self._soon(lambda: listener(event))

        hearing = self._host.bus.hear(hear)
        self._asked(hearing.__enter__)
        try:
            yield
        finally:
            self._asked(lambda: hearing.__exit__(None, None, None))

    def _caller(self, caller: Caller | None) -> Caller | None:
        return caller if caller is None or caller.ask is None else replace(caller, ask=self._ask(caller.ask))

    def _ask(self, ask: Ask) -> Ask:
        async def asked(question: Question) -> Answer:
            answer = self._as_guest.run(asyncio.run_coroutine_threadsafe, _run(ask, question), self._here)
            return await asyncio.wrap_future(answer)

        return asked

    def _progress(self, progress: Progress | None) -> Progress | None:
        if progress is None:
            return None

        def told(done: float, total: float | None, message: str) -> None:
            self._soon(lambda: progress(done, total, message))

        return told

    def _soon(self, tell: Callable[[], None]) -> None:
        # Whoever was interrupted hears no more.
        with suppress(RuntimeError):
            self._as_guest.run(self._here.call_soon_threadsafe, tell)

    # --- what a command looks at

    @property
    def config(self) -> Config:
        return self._asked(lambda: self._host.config)

    @property
    def catalog(self) -> Catalog:
        return self._asked(lambda: self._host.catalog)

    def servers(self) -> tuple[ServerView, ...]:
        return self._asked(self._host.servers)

    def server(self, name: str) -> ServerView:
        return self._asked(lambda: self._host.server(name))

    def accounts(self) -> tuple[Account, ...]:
        return self._asked(self._host.accounts)

    @property
    def lost_logins(self) -> tuple[MooringError, ...]:
        return self._asked(lambda: self._host.lost_logins)

    # --- what it does

    async def settled(self, names: Iterable[str] | None = None) -> None:
        wanted = None if names is None else set(names)
        down = [
            view.name
            for view in self.servers()
            if isinstance(view.status, DOWN)
            and view.name not in self._tried
            and (wanted is None or view.name in wanted)
        ]
        self._tried.update(down)
        await asyncio.gather(
            *(self._done(self._host.connect(name)) for name in down), self._done(self._host.settled(wanted))
        )

    async def call(
        self,
        caller: Caller | None,
        name: str,
        arguments: Arguments | None = None,
        *,
        progress: Progress | None = None,
        began: Callable[[str], None] | None = None,
    ) -> Result:
        def begins(number: str) -> None:
            self._soon(lambda: None if began is None else began(number))

        told = self._progress(progress)
        called = self._host.call(self._caller(caller), name, arguments, progress=told, began=begins)
        return await self._done(called)

    async def read(
        self,
        caller: Caller | None,
        uri: str,
        *,
        server: str | None = None,
        progress: Progress | None = None,
    ) -> Result:
        told = self._progress(progress)
        return await self._done(self._host.read(self._caller(caller), uri, server=server, progress=told))

    async def prompt(
        self,
        caller: Caller | None,
        name: str,
        arguments: Mapping[str, str] | None = None,
        *,
        progress: Progress | None = None,
    ) -> Result:
        told = self._progress(progress)
        return await self._done(self._host.prompt(self._caller(caller), name, arguments, progress=told))

    async def pins(self, server: str) -> PinChanges:
        return await self._done(self._host.pins(server))

    async def approve(self, server: str, changes: PinChanges) -> None:
        await self._done(self._host.approve(server, changes))

    async def login(
        self, name: str, ask: Ask, *, by_hand: bool = False, scope: str | None = None
    ) -> ServerView:
        return await self._done(self._host.login(name, self._ask(ask), by_hand=by_hand, scope=scope))

    async def logout(self, name: str) -> Farewell:
        return await self._done(self._host.logout(name))

    async def connect(self, name: str) -> ServerView:
        return await self._done(self._host.connect(name))

    async def reload(self, config: Config) -> ConfigReloaded:
        return await self._done(self._host.reload(config))

    async def renew(self, name: str) -> Renewal:
        return await self._done(self._host.renew(name))


class _Bus:
    def __init__(self, hear: Callable[[Callable[[Event], None]], Any]) -> None:
        self.hear = hear


async def _run(ask: Ask, question: Question) -> Answer:
    return await ask(question)


@asynccontextmanager
async def opened(host: Host, there: asyncio.AbstractEventLoop, config: Config) -> AsyncGenerator[Host]:
    """For a command that has read this configuration: a change that nobody has seen yet counts."""
    away = Away(host, there)
    if not _same(away.config, config):
        await away.reload(config)
    yield away


def _same(one: Config, other: Config) -> bool:
    return (
        one.settings == other.settings
        and one.inputs == other.inputs
        and list(one.servers) == list(other.servers)
        and all(map(_alike, one.servers.values(), other.servers.values()))
    )


def _alike(one: Entry, other: Entry) -> bool:
    if isinstance(one, BadServer) and isinstance(other, BadServer):
        return [str(error) for error in one.errors] == [str(error) for error in other.errors]
    return one == other
