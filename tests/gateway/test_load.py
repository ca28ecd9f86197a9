"""Many clients at once: no answer goes to anybody but whoever asked."""

from __future__ import annotations

import asyncio
import json

from tests.gateway.conftest import MODERN, Client, Gated, Scripted, text

TOOLS = {"tools/list": {"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]}}
CLIENTS, CALLS, AT_ONCE = 50, 200, 20


async def talking(client: Client, number: int) -> int:
    """How many answers were its own; ids are the same as everybody else's."""
    found = 0
    for start in range(0, CALLS, AT_ONCE):
        calls = {}
        for call in range(start, start + AT_ONCE):
            given = {"client": number, "call": call}
            calls[client.begin("tools/call", {"name": "s_echo", "arguments": given})] = given
        for identity, given in calls.items():
            said = (await client.reply(identity))["result"]["content"][0]["text"]
            found += json.loads(said) == given
        client.said.clear()
    return found


async def test_no_answer_crosses_among_ten_thousand_calls_of_fifty_clients(gated: Gated) -> None:
    server = Scripted({**TOOLS, "tools/call": lambda params: text(json.dumps(params["arguments"]))})
    async with gated({"s": server}) as gate:
        versions = (MODERN, "2025-11-25")
        clients = [await gate.client(versions[number % 2]) for number in range(CLIENTS)]
        found = await asyncio.gather(*(talking(client, number) for number, client in enumerate(clients)))
        assert found == [CALLS] * CLIENTS


async def test_calls_that_all_come_in_one_moment_are_all_answered(gated: Gated) -> None:
    """More of them than a server in this process hears at once."""
    server = Scripted({**TOOLS, "tools/call": lambda _: text("yes")})
    async with gated({"s": server}) as gate:
        client = await gate.client("2025-11-25")
        asked = [client.begin("tools/call", {"name": "s_echo"}) for _ in range(300)]
        for identity in asked:
            assert "result" in await client.reply(identity)
