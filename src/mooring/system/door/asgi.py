"""The shapes of ASGI, as far as they are used here."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any, TypeAlias

__all__ = ["App", "Message", "Receive", "Scope", "Send", "answer", "header"]

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]
Header: TypeAlias = tuple[bytes, bytes]


def header(scope: Scope, name: bytes) -> list[bytes]:
    """Every value of one header; ASGI has the names in small letters."""
    return [value for key, value in scope["headers"] if key == name]


async def answer(send: Send, status: int, body: bytes, headers: Iterable[Header]) -> None:
    """A whole answer at once."""
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [*headers, length]})
    await send({"type": "http.response.body", "body": body})
