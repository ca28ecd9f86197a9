"""The page that browsers come back to: one listener on this machine for each port that is awaited."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
from collections.abc import AsyncGenerator
from contextlib import ExitStack, asynccontextmanager, closing, suppress

from mooring.auth.callback import Callback, can_be_served, is_state, parameters
from mooring.auth.page import Outcome, response
from mooring.core.redact import mask_url
from mooring.errors import BadCallback, CallbackBusy

__all__ = ["Guest", "Loopback"]

HEAD = 16 * 1024
READ_WITHIN = 5.0
TOLD_WITHIN = 30.0
GONE_WITHIN = 2.0
MOST = 16
NEIGHBOURS = 20
# Every page that is refused says the same: whoever guesses learns nothing.
UNKNOWN = Outcome("No such login", "It is over, or it was never begun here.")
LEFT = Outcome("The login goes on", "Mooring has what it needs; the terminal says how it ends.", is_well=True)
GIVEN_UP = Outcome("Not logged in", "The login was given up; nothing was kept.")


class Guest:
    """One login whose browser is awaited; `arrived` is what it brings, the query of the address."""

    def __init__(self, path: str, state: str) -> None:
        self.path = path
        self.state = state
        loop = asyncio.get_running_loop()
        self.arrived: asyncio.Future[str] = loop.create_future()
        self._told: asyncio.Future[Outcome] = loop.create_future()

    def tell(self, outcome: Outcome) -> None:
        """What the browser shows; only the first word counts."""
        if not self._told.done():
            self._told.set_result(outcome)

    async def outcome(self) -> Outcome:
        """Nobody looks at an empty window for ever, whatever is still to be done."""
        await asyncio.wait([self._told], timeout=TOLD_WITHIN)
        return self._told.result() if self._told.done() else LEFT


class _Listener:
    """One port: who is awaited there, and the connections that are open."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.hosts: set[str] = set()
        self.users = 0
        self.guests: list[Guest] = []
        self._servers: list[asyncio.Server] = []
        self._tasks: dict[asyncio.StreamWriter, asyncio.Task[None]] = {}
        self._asking: set[asyncio.StreamWriter] = set()

    async def listen(self, sockets: list[socket.socket]) -> None:
        for each in sockets:
            self._servers.append(await asyncio.start_server(self._connected, sock=each, limit=HEAD))

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._tasks) >= MOST:
            writer.close()
            return
        task = self._tasks[writer] = asyncio.ensure_future(self._serve(reader, writer))
        task.add_done_callback(lambda _: self._tasks.pop(writer))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One request, one page; what a peer does wrong here concerns nobody else."""
        try:
            async with asyncio.timeout(READ_WITHIN):
                head = await reader.readuntil(b"\r\n\r\n")
            self._asking.add(writer)
            writer.write(await self._answer(head))
            async with asyncio.timeout(READ_WITHIN):
                await writer.drain()
        except asyncio.LimitOverrunError:
            writer.write(response(Outcome("Too long"), 431))
        except (OSError, EOFError, TimeoutError):
            pass
        finally:
            self._asking.discard(writer)
            writer.close()
            with suppress(OSError, TimeoutError):
                await asyncio.wait_for(writer.wait_closed(), READ_WITHIN)

    async def _answer(self, head: bytes) -> bytes:
        request, *lines = head.decode("latin-1").split("\r\n")
        words = request.split(" ")
        if len(words) != 3 or not words[2].startswith("HTTP/1."):
            return response(Outcome("Not understood"), 400)
        hosts = [line[5:].strip().lower() for line in lines if line[:5].lower() == "host:"]
        if len(hosts) != 1 or hosts[0] not in self.hosts:
            return response(Outcome("Another address was meant"), 421)
        if words[0] != "GET":
            return response(Outcome("This page can only be looked at"), 405)
        return await self._page(words[1])

    async def _page(self, target: str) -> bytes:
        path, _, query = target.partition("?")
        if all(guest.path != path for guest in self.guests):
            return response(UNKNOWN, 404)
        try:
            given = parameters(query)
        except BadCallback as error:
            return response(Outcome("Not understood", error.sentence), 400)
        # All of them are compared: how long that takes does not say whether one was right.
        state = given.get("state", "")
        mine = [guest for guest in self.guests if is_state(state, guest.state) & (guest.path == path)]
        if not mine or mine[0].arrived.done() or not ("code" in given or "error" in given):
            return response(UNKNOWN, 400)
        mine[0].arrived.set_result(query)
        return response(await mine[0].outcome())

    async def close(self) -> None:
        """A browser likes to open connections for later; those are not waited for."""
        for server in self._servers:
            server.close()
        for writer in self._tasks.keys() - self._asking:
            self._tasks[writer].cancel()
        if self._tasks:
            _, late = await asyncio.wait(self._tasks.values(), timeout=GONE_WITHIN)
            for task in late:
                task.cancel()


class Loopback:
    """All pages of one host: logins on one port share its listener, and are told apart by their state."""

    def __init__(self) -> None:
        self._listeners: dict[int, _Listener] = {}
        self._turn = asyncio.Lock()

    @asynccontextmanager
    async def at(self, callback: Callback) -> AsyncGenerator[Callback]:
        """The address as it really is: where the port is taken, a neighbour's, unless it is fixed."""
        if not can_be_served(callback):
            raise BadCallback(
                f"No page of ours can stand at `{mask_url(callback.uri)}`",
                hint="Use --paste, or set `oauth.callbackPort` to the port that leads here",
            )
        async with self._turn:
            listener = await self._listener(callback)
            listener.users += 1
        there = callback if listener.port == callback.port else callback.moved(listener.port)
        listener.hosts |= there.hosts
        try:
            yield there
        finally:
            listener.users -= 1
            if not listener.users:
                del self._listeners[listener.port]
                await listener.close()

    @asynccontextmanager
    async def expecting(self, callback: Callback, state: str) -> AsyncGenerator[Guest]:
        """A browser with this state, at a page that stands."""
        guest = Guest(callback.path, state)
        guests = self._listeners[callback.port].guests
        guests.append(guest)
        try:
            yield guest
        finally:
            guest.tell(GIVEN_UP)
            guest.arrived.cancel()
            guests.remove(guest)

    async def _listener(self, callback: Callback) -> _Listener:
        last = callback.port if callback.is_fixed else min(callback.port + NEIGHBOURS, 65_535)
        for port in range(callback.port, last + 1):
            if port in self._listeners:
                return self._listeners[port]
            if sockets := _sockets(port):
                listener = self._listeners[port] = _Listener(port)
                await listener.listen(sockets)
                return listener
        raise CallbackBusy(
            f"Port {callback.port} of this machine is taken, and logins come back to it",
            hint="End the program that uses it, set `oauth.callbackPort`, or use --paste",
        )


def _sockets(port: int) -> list[socket.socket]:
    """The port in both families, or nothing: a browser that means `localhost` may try either first."""
    found: list[socket.socket] = []
    for family, host in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
        try:
            found.append(_socket(family, host, port))
        except OSError as error:
            if family == socket.AF_INET6 and error.errno not in (errno.EADDRINUSE, errno.EACCES):
                continue
            for each in found:
                each.close()
            return []
    return found


def _socket(family: socket.AddressFamily, host: str, port: int) -> socket.socket:
    with ExitStack() as stack:
        one = stack.enter_context(closing(socket.socket(family, socket.SOCK_STREAM)))
        if os.name == "posix":
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        one.bind((host, port))
        one.listen(MOST)
        one.setblocking(False)
        stack.pop_all()
    return one
