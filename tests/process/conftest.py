"""What tests of processes share."""

from __future__ import annotations

import socket
import tempfile
from collections.abc import Generator

import pytest


@pytest.fixture
def manager(monkeypatch: pytest.MonkeyPatch) -> Generator[socket.socket]:
    """Who hears what a service says of itself, as systemd does."""
    with (
        tempfile.TemporaryDirectory(dir="/tmp") as short,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end,
    ):
        end.settimeout(50)
        end.bind(f"{short}/notify")
        monkeypatch.setenv("NOTIFY_SOCKET", f"{short}/notify")
        yield end
