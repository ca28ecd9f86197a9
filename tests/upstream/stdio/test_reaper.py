"""Nothing that was started outlives its host."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

from mooring.core.spec import LocalSpec
from mooring.upstream.ground import Ground
from mooring.upstream.local import local
from mooring.upstream.order import Order
from mooring.upstream.stdio.reaper import Reaper

SERVER = """
import json, subprocess, sys
child = subprocess.Popen(["sleep", "600"], start_new_session=True, stdout=subprocess.DEVNULL)
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        server = {"name": "one", "version": str(child.pid)}
        result = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": server}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
child.returncode = 0
"""


@pytest.mark.parametrize("leave", [False, True])
def test_a_child_that_moved_out_of_its_servers_group_ends_too(tmp_path: Path, leave: bool) -> None:
    spec = LocalSpec(name="one", command=sys.executable, args=("-c", SERVER))

    async def conversation() -> None:
        reaper = Reaper()
        async with asyncio.timeout(20):
            async with local(
                Order(spec, protocol="legacy"), spec, Ground(os.environ, tmp_path, reaper, leave=leave)
            ) as session:
                child = os.pidfd_open(int(session.agreed.version))
            reaper.close()
            ended = asyncio.get_running_loop().create_future()
            asyncio.get_running_loop().add_reader(child, lambda: ended.done() or ended.set_result(None))
            await ended
        asyncio.get_running_loop().remove_reader(child)
        os.close(child)

    asyncio.run(conversation())
