"""What a client sees is what the servers sent, under public names."""

from __future__ import annotations

import json

import pytest
from tests.gateway.conftest import MODERN, Gated, Json, Scripted

from mooring.gateway.view import Scope

ODD: Json = {
    "name": "add",
    "title": "Add a note",
    "description": "Keep a note.",
    "inputSchema": {"type": "object", "properties": {"text": {"type": "string", "x-odd": [1.0, None]}}},
    "outputSchema": {"type": "object"},
    "annotations": {"readOnlyHint": False, "unheard": "of"},
    "icons": [{"src": "data:image/png;base64,AAAA", "sizes": ["48x48"]}],
    "_meta": {"vendor/key": {"deep": [1, 2, 3]}},
    "fromTheFuture": {"kind": "new"},
}
NOTES = {
    "tools/list": {"tools": [ODD, {"name": "list", "inputSchema": {"type": "object"}}]},
    "resources/list": {"resources": [{"uri": "memo://today", "name": "today", "size": 3, "new": True}]},
    "resources/templates/list": {"resourceTemplates": [{"uriTemplate": "memo://{day}", "name": "day"}]},
    "prompts/list": {"prompts": [{"name": "sum up", "arguments": [{"name": "tone"}], "new": 1}]},
}


def notes(**more: object) -> Scripted:
    return Scripted({**NOTES, **more}, instructions="Notes are short")


async def test_definitions_survive_but_for_their_names(gated: Gated, version: str) -> None:
    async with gated({"notes": notes()}) as gate:
        client = await gate.client(version)
        tools = (await client.ask("tools/list"))["tools"]
        assert tools[0] == {**ODD, "name": "notes_add"}
        assert list(tools[0]) == list(ODD)
        assert tools[1] == {"name": "notes_list", "inputSchema": {"type": "object"}}
        resources = (await client.ask("resources/list"))["resources"]
        assert resources == NOTES["resources/list"]["resources"]
        templates = (await client.ask("resources/templates/list"))["resourceTemplates"]
        assert templates == NOTES["resources/templates/list"]["resourceTemplates"]
        prompts = (await client.ask("prompts/list"))["prompts"]
        assert prompts == [{**NOTES["prompts/list"]["prompts"][0], "name": "notes:sum_up"}]


async def test_a_list_says_in_the_new_era_what_the_era_demands_and_nothing_in_the_old(
    gated: Gated, version: str
) -> None:
    async with gated({"notes": notes()}) as gate:
        client = await gate.client(version)
        found = await client.ask("tools/list")
        era = {key: value for key, value in found.items() if key != "tools"}
        modern = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
        assert era == (modern if version == MODERN else {})


async def test_what_two_servers_offer_stays_apart(gated: Gated) -> None:
    servers = {"home": notes(), "office": notes()}
    async with gated(servers) as gate:
        client = await gate.client("2025-11-25")
        tools = (await client.ask("tools/list"))["tools"]
        assert [tool["name"] for tool in tools] == ["home_add", "home_list", "office_add", "office_list"]
        resources = (await client.ask("resources/list"))["resources"]
        assert [each["uri"] for each in resources] == ["memo://home/today", "memo://office/today"]
        templates = (await client.ask("resources/templates/list"))["resourceTemplates"]
        assert [each["uriTemplate"] for each in templates] == ["memo://home/{day}", "memo://office/{day}"]


async def test_a_page_of_a_tool_is_named_as_the_list_of_resources_does(gated: Gated) -> None:
    page = {"uri": "ui://board", "name": "board", "mimeType": "text/html;profile=mcp-app"}
    tool = {"name": "show", "inputSchema": {"type": "object"}, "_meta": {"ui": {"resourceUri": "ui://board"}}}
    lists = {"tools/list": {"tools": [tool]}, "resources/list": {"resources": [page]}}
    async with gated({"a": Scripted(lists), "b": Scripted(lists)}) as gate:
        client = await gate.client("2025-11-25")
        tools = (await client.ask("tools/list"))["tools"]
        assert [each["_meta"]["ui"]["resourceUri"] for each in tools] == ["ui://a/board", "ui://b/board"]
    async with gated({"a": Scripted(lists)}) as gate:
        client = await gate.client("2025-11-25")
        assert (await client.ask("tools/list"))["tools"] == [{**tool, "name": "a_show"}]


async def test_instructions_of_several_servers_are_told_apart(gated: Gated, version: str) -> None:
    async with gated({"home": notes(), "work": Scripted(NOTES, instructions="Work hard")}) as gate:
        client = await gate.client(version)
        assert (await client.greet())["instructions"] == "# home\n\nNotes are short\n\n# work\n\nWork hard"
        alone = await gate.client(version, Scope("work"))
        assert (await alone.greet())["instructions"] == "Work hard"


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        (None, {"type": "object"}),
        ({}, {"type": "object"}),
        ({"properties": {"a": {}}}, {"type": "object", "properties": {"a": {}}}),
        ({"title": "T", "type": ["object", "null"]}, {"type": "object", "title": "T"}),
    ],
    ids=["none", "empty", "without a type", "of several types"],
)
async def test_arguments_are_an_object_whatever_the_server_says(
    gated: Gated, sent: Json | None, shown: Json
) -> None:
    """One client throws the lists of all servers away for one such tool."""
    tool = {"name": "odd"} if sent is None else {"name": "odd", "inputSchema": sent}
    async with gated({"s": Scripted({"tools/list": {"tools": [tool]}})}) as gate:
        client = await gate.client("2025-11-25")
        (found,) = (await client.ask("tools/list"))["tools"]
        assert found == {"name": "s_odd", "inputSchema": shown}


async def test_one_server_alone_keeps_its_own_names(gated: Gated) -> None:
    async with gated({"home": notes(), "office": notes()}) as gate:
        client = await gate.client("2025-11-25", Scope("office", plain=True))
        assert [tool["name"] for tool in (await client.ask("tools/list"))["tools"]] == ["add", "list"]
        assert (await client.ask("resources/list"))["resources"] == NOTES["resources/list"]["resources"]
        assert (await client.ask("prompts/list"))["prompts"] == NOTES["prompts/list"]["prompts"]


async def test_plain_names_are_given_up_where_two_tools_would_share_one(gated: Gated) -> None:
    other = Scripted({"tools/list": {"tools": [{"name": "add"}, {"name": "sail"}]}})
    async with gated({"notes": notes(), "ship": other}) as gate:
        client = await gate.client("2025-11-25", Scope(plain=True))
        names = [tool["name"] for tool in (await client.ask("tools/list"))["tools"]]
        assert names == ["notes_add", "list", "ship_add", "sail"]


async def test_a_tool_that_is_denied_is_not_shown(gated: Gated) -> None:
    async with gated({"notes": notes()}, permission={"notes_add": "deny"}) as gate:
        client = await gate.client("2025-11-25")
        assert [tool["name"] for tool in (await client.ask("tools/list"))["tools"]] == ["notes_list"]
        refused = await client.refused("tools/call", {"name": "notes_add", "arguments": {}})
        assert refused["data"]["code"] == "MOOR-CALL-005"


async def test_a_list_that_lacks_a_server_says_which(gated: Gated) -> None:
    async def dead(_lines: object, _say: object) -> None:
        raise ConnectionResetError("gone")

    async with gated({"notes": notes(), "dead": dead}) as gate:
        client = await gate.client("2025-11-25")
        found = await client.ask("tools/list")
        assert [tool["name"] for tool in found["tools"]] == ["notes_add", "notes_list"]
        assert "dead" in found["_meta"]["mooring/missing"]["dead"]


async def test_a_list_is_written_once(gated: Gated) -> None:
    async with gated({"notes": notes()}) as gate:
        first = gate.hub.views.of(Scope()).tools
        assert gate.hub.views.of(Scope()).tools is first
        assert json.loads(first)[0]["name"] == "notes_add"


@pytest.mark.parametrize("method", ["tools/list", "resources/list", "prompts/list"])
async def test_a_page_that_nobody_gave_out_is_refused(gated: Gated, method: str) -> None:
    async with gated({"notes": notes()}) as gate:
        client = await gate.client("2025-11-25")
        assert (await client.refused(method, {"cursor": "x"}))["code"] == -32602
