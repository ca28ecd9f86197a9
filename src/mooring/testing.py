"""Servers that live inside a test, dialled as if they were anywhere else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from mooring.errors import Unreachable
from mooring.upstream.memory import Speak, memory
from mooring.upstream.order import Dial, Order
from mooring.upstream.session import Session
from mooring.upstream.spoken import spoken

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server
    from mcp.server.mcpserver import MCPServer

    Living: TypeAlias = MCPServer[Any] | Server[Any] | Speak

__all__ = ["Speak", "dial_to"]


def dial_to(servers: Mapping[str, Living]) -> Dial:
    """By configured name: a server of the SDK, or a coroutine that hears lines and says bytes."""

    def dial(order: Order) -> AbstractAsyncContextManager[Session]:
        server = servers.get(order.spec.name)
        if server is None:
            raise Unreachable(
                f"there is no `{order.spec.name}` in this test", hint="Give `dial_to` a server of that name"
            )
        if hasattr(server, "create_initialization_options") or hasattr(server, "_lowlevel_server"):
            return memory(order, spoken(cast("MCPServer[Any] | Server[Any]", server)))
        return memory(order, cast("Callable[..., Any]", server))

    return dial
