"""A host with several addresses: the first that takes a connection wins, and no other stays open."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from itertools import chain, zip_longest
from typing import Any, TypeAlias

__all__ = ["connected"]

HEAD_START = 0.25

Info: TypeAlias = tuple[socket.AddressFamily, socket.SocketKind, int, str, Any]


async def connected(host: str, port: int) -> socket.socket:
    """Whoever stops waiting for it leaves nothing behind; asyncio's own race may, when it is cancelled."""
    infos = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    left = _by_turns(infos)
    errors: list[OSError] = []
    running: set[asyncio.Task[socket.socket | OSError]] = set()
    try:
        while left or running:
            if left:
                # One sets out after the other, or as soon as one has failed.
                running.add(asyncio.create_task(_tried(left.pop(0))))
            done, _ = await asyncio.wait(
                running, timeout=HEAD_START if left else None, return_when=asyncio.FIRST_COMPLETED
            )
            for task in done:
                running.discard(task)
                found = task.result()
                if not isinstance(found, OSError):
                    return found
                errors.append(found)
    finally:
        for task in running:
            _let_go(task)
    raise errors[0] if errors else OSError("the name has no address")


async def _tried(info: Info) -> socket.socket | OSError:
    family, kind, protocol, _, address = info
    try:
        one = socket.socket(family, kind, protocol)
    except OSError as error:
        return error
    is_connected = False
    try:
        one.setblocking(False)
        await asyncio.get_running_loop().sock_connect(one, address)
        is_connected = True
    except OSError as error:
        return error
    finally:
        if not is_connected:
            one.close()
    return one


def _let_go(task: asyncio.Task[socket.socket | OSError]) -> None:
    """It closes its socket itself, unless it has done with it."""
    if not task.done():
        task.cancel()
    elif not isinstance(found := task.result(), OSError):
        found.close()


def _by_turns(infos: Sequence[Info]) -> list[Info]:
    """The resolver's order, but one family after the other: often it is a whole family that is dead."""
    families = list(dict.fromkeys(info[0] for info in infos))
    turns = zip_longest(*([info for info in infos if info[0] == family] for family in families))
    return [info for info in chain.from_iterable(turns) if info is not None]
