"""The socket of this machine: whoever may open it is the user, which the system vouches for."""

from __future__ import annotations

import asyncio
import os
import socket
import stat
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TypeAlias

from mooring.core.frozen import frozen
from mooring.errors import AlreadyServed
from mooring.system.door import App, Keys, Places, Role, Scope, Visitor
from mooring.system.files import private_dir
from mooring.system.locks import locked
from mooring.system.peer import connect, process_of, user_of

__all__ = ["ANYWHERE", "Local", "Ourselves", "meet"]

Speaks: TypeAlias = "Callable[[], asyncio.Protocol]"


class Ourselves(Keys):
    """No token is asked for: the mode of the file and the user at the other end are the credential."""

    def visitor(self, scope: Scope) -> Visitor:  # noqa: ARG002 - whoever it is has been let in already
        return Visitor("terminal", frozenset(Role))


class _Anywhere(Places):
    def check(self, scope: Scope) -> None:
        """No page of a browser can come this way, whatever it calls us."""


ANYWHERE = _Anywhere(frozenset(), frozenset())


@frozen
class Local:
    """A socket that is listened on, what it serves over HTTP, and who speaks otherwise, by the first byte.

    `finish` lets those who do end what they have begun, within so many seconds.
    """

    listener: socket.socket
    app: App
    others: Mapping[bytes, Speaks]
    finish: Callable[[float], Awaitable[None]]

    def protocol(self, http: Speaks) -> asyncio.Protocol:
        return _First(http, self.others)


class _First(asyncio.Protocol):
    """Told apart by the first byte; nobody but the user gets as far."""

    def __init__(self, http: Speaks, others: Mapping[bytes, Speaks]) -> None:
        self._http = http
        self._others = others

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        end = transport.get_extra_info("socket")
        if user_of(end) != os.geteuid():
            transport.close()

    def data_received(self, data: bytes) -> None:
        if self._transport.is_closing():
            return
        protocol = self._others.get(data[:1], self._http)()
        self._transport.set_protocol(protocol)
        protocol.connection_made(self._transport)
        protocol.data_received(data)


@contextmanager
def meet(path: str) -> Generator[socket.socket]:
    """Listen there, where nobody does; what somebody left behind who was killed is replaced."""
    private_dir(Path(path).parent)
    with locked(path):
        _free(path)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        with ExitStack() as undo:
            undo.callback(listener.close)
            # The folder is ours alone, so nobody can be faster than the mode.
            listener.bind(path)
            Path(path).chmod(0o600)
            listener.listen(128)
            made = Path(path).stat()
            undo.pop_all()
    try:
        yield listener
    finally:
        listener.close()
        with locked(path), suppress(OSError):
            if os.path.samestat(Path(path).stat(), made):
                Path(path).unlink()


def _free(path: str) -> None:
    try:
        if not stat.S_ISSOCK(Path(path).lstat().st_mode):
            return
    except FileNotFoundError:
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asked:
        try:
            connect(asked, path, 2)
        except ConnectionRefusedError:
            Path(path).unlink()
            return
        except OSError:
            who = ""
        else:
            process = process_of(asked)
            who = f", by process {process}" if process else ""
    raise AlreadyServed(f"This project is served already{who}", hint="mooring serve --status")
