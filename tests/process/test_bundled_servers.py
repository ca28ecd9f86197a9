"""The servers that come with Mooring, as programs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from mooring.core.items import Kind
from mooring.core.spec import LocalSpec
from mooring.upstream.ground import Ground
from mooring.upstream.local import local
from mooring.upstream.order import Order
from mooring.upstream.stdio.reaper import Reaper

pytestmark = pytest.mark.process

CALLS = {
    "greet": ("greet", {"name": "Ada"}, "Hello, Ada!"),
    "todo": ("add_todo", {"text": "Buy milk"}, "Added: Buy milk (id: 1)"),
    "weather": ("get_weather", {"city": "Beijing"}, '"temperature": 22'),
}


def program(name: str) -> list[str]:
    return [sys.executable, "-m", f"mooring.servers.{name}"]


@pytest.mark.parametrize("protocol", ["legacy", "auto"])
@pytest.mark.parametrize("name", list(CALLS))
async def test_a_bundled_server_starts_from_its_name_and_answers(
    name: str, protocol: str, tmp_path: Path
) -> None:
    tool, arguments, answer = CALLS[name]
    command, *args = program(name)
    spec = LocalSpec(name=name, command=command, args=tuple(args))
    with closing(Reaper()) as reaper:
        ground = Ground(os.environ, tmp_path, reaper)
        async with local(Order(spec, protocol=protocol), spec, ground) as session:
            assert tool in [each["name"] for each in (await session.all(Kind.TOOL)).items]
            assert answer in (await session.call(tool, arguments)).text


def test_whoever_starts_one_by_hand_can_stop_it_with_the_keyboard() -> None:
    with subprocess.Popen(
        program("greet"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdin.write('{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
        running.stdin.flush()
        assert running.stdout.readline()
        running.send_signal(signal.SIGINT)
        # it hears of the signal when it has something to read
        running.stdin.close()
        assert running.wait(20) in (0, 130)
        assert "Traceback" not in running.stderr.read()
