"""The gateway in front of the suite's server, for whoever comes: `gate.py legacy` or `gate.py auto`."""

from __future__ import annotations

import asyncio
import sys
import tempfile

from tests.peers.everything import everything

from mooring.gateway.hub import ANYBODY, open_hub
from mooring.gateway.served import at
from mooring.gateway.view import Scope as View
from mooring.host import open_host
from mooring.system.door import Door, Keys, Places, Role, Rules, Scope, Visitor
from mooring.testing import dial_to
from mooring.web.server import Turns, listen, run


class Everybody(Keys):
    """The suite has no way to send a token."""

    def visitor(self, scope: Scope) -> Visitor:
        return Visitor("suite", frozenset(Role))


def complain(error: Exception) -> None:
    sys.stderr.write(f"{error!r}\n")


async def main(protocol: str) -> None:
    config = {"mcp": {"it": {"command": ["none"], "protocol": protocol}}}
    with tempfile.TemporaryDirectory() as folder, listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        dial = dial_to({"it": everything})
        async with open_host(config, cwd=folder, dial=dial, owner=ANYBODY) as host:
            with open_hub(host) as hub:
                await host.settled()
                face = at(hub, "/mcp", View(plain=True))
                rules = Rules(lambda _: Role.READ, wrong=complain)
                door = Door(face, Everybody(), Places.of("127.0.0.1", port), rules)

                def began() -> None:
                    sys.stdout.write(f"http://127.0.0.1:{port}/mcp\n")
                    sys.stdout.flush()

                await run(door, listener, Turns(began, face.close))


asyncio.run(main(sys.argv[1]))
