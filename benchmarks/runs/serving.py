"""A server over HTTP, for as long as the block lasts."""

from __future__ import annotations

import subprocess
from collections.abc import Generator, Sequence
from contextlib import contextmanager


@contextmanager
def serving(program: Sequence[str]) -> Generator[str]:
    """Its address; it ends when its stdin is closed, and so also when we are killed."""
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{int(process.stdout.readline())}/mcp"
        process.communicate()
