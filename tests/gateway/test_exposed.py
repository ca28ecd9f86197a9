"""Clients that are not shown every tool find, read and call the others, within what they may."""

from __future__ import annotations

import asyncio
import json
from threading import Event as Stop
from typing import Any

import pytest
from tests.gateway.conftest import WITHIN, Client, Gated, Json, Scripted, text

from mooring.core.events import CatalogChanged, Event
from mooring.core.exposure import Exposure
from mooring.gateway.view import Scope

SEARCH = Scope(exposure=Exposure("search"))
THREE = ["search_tools", "describe_tools", "call_tool"]


def tool(name: str, description: str, **properties: Any) -> Json:
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return {"name": name, "description": description, "inputSchema": schema}


def mail() -> Scripted:
    tools = [
        tool("send", "Send a letter to somebody.", to={"type": "string"}),
        tool("burn", "Burn every letter."),
    ]
    return Scripted(
        {
            "tools/list": {"tools": tools},
            "tools/call": lambda params: text(json.dumps([params["name"], params["arguments"]])),
        },
        instructions="Be polite",
    )


def git() -> Scripted:
    return Scripted({"tools/list": {"tools": [tool("log", "The latest commits of a branch.")]}})


async def names(client: Client) -> list[str]:
    return [each["name"] for each in (await client.ask("tools/list"))["tools"]]


async def use(client: Client, name: str, arguments: Json) -> Json:
    return await client.ask("tools/call", {"name": name, "arguments": arguments})


async def told(client: Client, name: str, **arguments: Any) -> str:
    found = await client.call(name, **arguments)
    assert "isError" not in found
    return found["content"][0]["text"]


async def wrong(client: Client, name: str, arguments: Json) -> str:
    found = await use(client, name, arguments)
    assert found["isError"] is True
    return found["content"][0]["text"]


async def test_a_client_finds_describes_and_calls_what_it_is_not_shown(gated: Gated, version: str) -> None:
    async with gated({"mail": mail(), "git": git()}) as gate:
        client = await gate.client(version, SEARCH)
        assert await names(client) == THREE
        found = await told(client, "search_tools", query="write to a friend")
        assert found.splitlines()[0] == "mail_send(to: string): Send a letter to somebody"
        described = json.loads(await told(client, "describe_tools", names=["mail_send"]))
        assert described["inputSchema"]["properties"] == {"to": {"type": "string"}}
        called = await use(client, "call_tool", {"name": "mail_send", "arguments": {"to": "Ada"}})
        assert json.loads(called["content"][0]["text"]) == ["send", {"to": "Ada"}]
        straight = await client.call("mail_send", to="Ada")
        assert straight["content"] == called["content"]


async def test_what_is_denied_is_neither_found_nor_described_nor_called(gated: Gated, version: str) -> None:
    servers = {"mail": mail(), "git": git()}
    async with gated(servers, permission={"mail_burn": "deny"}) as gate:
        client = await gate.client(version, SEARCH)
        assert "burn" not in await told(client, "search_tools", query="burn letter", limit=25)
        assert "no tool `mail_burn`" in await wrong(client, "describe_tools", {"names": ["mail_burn"]})
        assert "no tool `mail_burn`" in await wrong(client, "call_tool", {"name": "mail_burn"})
        await client.refused("tools/call", {"name": "mail_burn", "arguments": {}})
        assert not [each for each in servers["mail"].heard if each.get("method") == "tools/call"]


async def test_favourites_are_shown_with_their_definitions(gated: Gated, version: str) -> None:
    async with gated({"mail": mail(), "git": git()}) as gate:
        client = await gate.client(version, Scope(exposure=Exposure("search", favourites=("git_*",))))
        assert await names(client) == [*THREE, "git_log"]
        greeting = await client.greet()
        assert "search_tools" in greeting["instructions"]
        assert "Be polite" in greeting["instructions"]


@pytest.mark.parametrize(("budget", "shown"), [(10_000, False), (10, True)], ids=["roomy", "tight"])
async def test_auto_decides_by_what_all_tools_would_cost(gated: Gated, budget: int, shown: bool) -> None:
    async with gated({"mail": mail(), "git": git()}) as gate:
        client = await gate.client("2025-11-25", Scope(exposure=Exposure("auto", budget=budget)))
        assert (await names(client) == THREE) is shown
        # without the three, nobody answers to their names
        if not shown:
            assert (await client.refused("tools/call", {"name": "search_tools"}))["code"] == -32602


async def test_a_server_can_be_named_and_an_empty_answer_says_where_tools_are(gated: Gated) -> None:
    async with gated({"mail": mail(), "git": git()}) as gate:
        client = await gate.client("2025-11-25", SEARCH)
        assert "mail_" not in await told(client, "search_tools", query="letter commits", server="git")
        for arguments in ({"query": "xyzzy"}, {"query": "letter", "server": "gut"}):
            assert (await told(client, "search_tools", **arguments)).endswith("git (1), mail (2)")


async def test_plain_names_are_found_under_the_names_that_are_called(gated: Gated) -> None:
    async with gated({"mail": mail(), "git": git()}) as gate:
        client = await gate.client("2025-11-25", Scope(plain=True, exposure=Exposure("search")))
        assert (await told(client, "search_tools", query="letter")).startswith("send(")
        called = await use(client, "call_tool", {"name": "send", "arguments": {"to": "Ada"}})
        assert json.loads(called["content"][0]["text"])[0] == "send"


@pytest.mark.parametrize(
    ("given", "arrived"),
    [('{"to": "Ada"}', {"to": "Ada"}), ("", {}), (None, {}), ({}, {})],
    ids=["as text", "empty text", "null", "empty"],
)
async def test_arguments_that_a_model_wrote_as_text_are_understood(
    gated: Gated, given: Any, arrived: Json
) -> None:
    async with gated({"mail": mail()}) as gate:
        client = await gate.client("2025-11-25", SEARCH)
        called = await use(client, "call_tool", {"name": "mail_send", "arguments": given})
        assert json.loads(called["content"][0]["text"]) == ["send", arrived]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("search_tools", {}),
        ("search_tools", {"query": 7}),
        ("describe_tools", {"names": [7]}),
        ("call_tool", {"arguments": {}}),
        ("call_tool", {"name": "mail_send", "arguments": "[1]"}),
        ("call_tool", {"name": "mail_send", "arguments": "{"}),
        ("call_tool", {"name": "mail_send", "arguments": 7}),
        ("call_tool", {"name": "mail_sent", "arguments": {}}),
        ("call_tool", {"name": "search_tools", "arguments": {"query": "x"}}),
    ],
    ids=["no query", "no text", "no names", "no name", "a list", "no json", "a number", "unknown", "itself"],
)
async def test_a_model_reads_what_was_wrong_with_its_arguments(
    gated: Gated, name: str, arguments: Json
) -> None:
    server = mail()
    async with gated({"mail": server}) as gate:
        client = await gate.client("2025-11-25", SEARCH)
        assert await wrong(client, name, arguments)
        assert not [each for each in server.heard if each.get("method") == "tools/call"]


class Likes:
    """Stands for a model that thinks of commits, whatever it is asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.texts: list[str] = []

    def space(self, texts: list[str], _stop: Stop) -> Likes:
        self.texts = texts
        return self

    def nearest(self, query: str) -> list[int]:
        self.asked.append(query)
        return sorted(range(len(self.texts)), key=lambda place: "commits" not in self.texts[place])


async def test_what_a_request_means_counts_beside_its_words(
    gated: Gated, monkeypatch: pytest.MonkeyPatch
) -> None:
    servers = {"mail": mail(), "git": git()}
    async with gated(servers, permission={"mail_burn": "deny"}) as gate:
        likes = Likes()
        monkeypatch.setattr(gate.hub.views, "_meanings", likes)
        client = await gate.client("2025-11-25", SEARCH)
        await gate.hub.views.finder().settled()
        found = (await told(client, "search_tools", query="提交记录")).splitlines()
        assert [line.partition("(")[0] for line in found] == ["git_log", "mail_send"]
        assert likes.asked == ["commit"]
        assert likes.texts[0] == "git: log. The latest commits of a branch."
        found = (await told(client, "search_tools", query="letter")).splitlines()
        assert [line.partition("(")[0] for line in found] == ["mail_send", "git_log"]


async def test_what_is_new_in_a_catalogue_is_found(gated: Gated) -> None:
    server = mail()
    async with gated({"mail": server}) as gate:
        client = await gate.client("2025-11-25", SEARCH)
        await told(client, "search_tools", query="letter")
        changed = asyncio.Event()

        def hear(event: Event) -> None:
            if isinstance(event, CatalogChanged) and gate.host.catalog.tool("mail_fold"):
                changed.set()

        with gate.host.bus.hear(hear):
            server.answers["tools/list"] = {"tools": [tool("fold", "Fold paper planes.")]}
            server.say({"method": "notifications/tools/list_changed"})
            await asyncio.wait_for(changed.wait(), WITHIN)
        assert (await told(client, "search_tools", query="paper")).startswith("mail_fold")
