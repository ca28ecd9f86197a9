"""The end of a session with a program."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from mooring.core.spec import LocalSpec
from mooring.upstream.ground import Ground
from mooring.upstream.local import local
from mooring.upstream.order import Order
from mooring.upstream.stdio.reaper import Reaper

SERVER = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        result = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "one"}}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""


def test_a_program_that_ends_at_once_when_told_to_ends_the_session_quietly(tmp_path: Path) -> None:
    spec = LocalSpec(name="one", command=sys.executable, args=("-c", SERVER), protocol="legacy")

    reaper = Reaper()

    async def conversation() -> str:
        ground = Ground(os.environ, tmp_path, reaper)
        async with asyncio.timeout(20), local(Order(spec, protocol="legacy"), spec, ground) as session:
            return session.agreed.protocol

    try:
        assert asyncio.run(conversation()) == "2025-11-25"
    finally:
        reaper.close()
