"""The SDK's own client as the other side, in both eras of the protocol."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from mcp import Client
from mcp.server.mcpserver import MCPServer


@pytest.fixture(params=["legacy", "auto"])
def talk(request: pytest.FixtureRequest) -> Callable[[MCPServer], Any]:
    """A client of a server; it is not typed, because which kind of content comes is what a test finds out."""
    return lambda server: Client(server, mode=request.param)
