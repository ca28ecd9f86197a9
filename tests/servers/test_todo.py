"""Conversations with the list of things to do."""

from __future__ import annotations

import asyncio
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client.subscriptions import ResourceUpdated
from mcp.server.mcpserver import MCPServer

from mooring.servers.todo import make, place

Talk = Callable[[MCPServer], Any]


def said(result: Any) -> str:
    return result.content[0].text


async def test_what_is_added_can_be_listed_and_completed(talk: Talk) -> None:
    async with talk(make()) as client:
        added = await client.call_tool("add_todo", {"text": " Buy\n milk "})
        await client.call_tool("add_todo", {"text": "Call Ada"})
        done = await client.call_tool("complete_todo", {"id": added.structured_content["id"]})
        everything = await client.call_tool("list_todos", {})
        left = await client.call_tool("list_todos", {"include_done": False})
    assert said(added) == "Added: Buy milk (id: 1)"
    assert said(done) == "Completed: Buy milk"
    assert said(everything) == "[x] 1: Buy milk\n[ ] 2: Call Ada"
    assert left.structured_content == {"todos": [{"id": "2", "text": "Call Ada", "done": False}]}


async def test_the_list_outlives_the_server_and_is_for_the_users_eyes(talk: Talk) -> None:
    async with talk(make()) as client:
        assert said(await client.call_tool("list_todos", {})) == "No todos yet"
        await client.call_tool("add_todo", {"text": "Buy milk"})
    async with talk(make()) as client:
        assert said(await client.call_tool("list_todos", {})) == "[ ] 1: Buy milk"
    assert place().parent.name == "mooring"
    assert stat.S_IMODE(place().parent.stat().st_mode) == 0o700


async def test_two_servers_at_once_lose_nothing(talk: Talk) -> None:
    async with talk(make()) as one, talk(make()) as other:
        texts = [f"number {number}" for number in range(40)]
        calls = [(one, other)[at % 2].call_tool("add_todo", {"text": text}) for at, text in enumerate(texts)]
        added = await asyncio.gather(*calls)
        listed = await one.call_tool("list_todos", {})
    assert sorted(each["text"] for each in listed.structured_content["todos"]) == sorted(texts)
    assert len({each.structured_content["id"] for each in added}) == len(texts)


async def test_completing_twice_is_no_error_and_completing_nothing_is(talk: Talk) -> None:
    async with talk(make()) as client:
        await client.call_tool("add_todo", {"text": "Buy milk"})
        twice = [await client.call_tool("complete_todo", {"id": "1"}) for _ in range(2)]
        never = await client.call_tool("complete_todo", {"id": "9"})
        blank = await client.call_tool("add_todo", {"text": "  \n"})
    assert [each.is_error for each in twice] == [False, False]
    assert never.is_error
    assert "no todo with the id `9`; list_todos shows" in said(never)
    assert blank.is_error


async def test_its_tools_say_which_of_them_change_something(talk: Talk) -> None:
    async with talk(make()) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    reads = {name: tool.annotations.read_only_hint for name, tool in tools.items()}
    again = {name: tool.annotations.idempotent_hint for name, tool in tools.items()}
    assert reads == {"add_todo": False, "list_todos": True, "complete_todo": False}
    assert again == {"add_todo": False, "list_todos": True, "complete_todo": True}
    assert all(tool.title and tool.output_schema for tool in tools.values())


async def test_the_resource_and_the_prompt_hold_what_is_left(talk: Talk) -> None:
    async with talk(make()) as client:
        assert (await client.read_resource("todo://open")).contents[0].text == "Nothing is left to do"
        await client.call_tool("add_todo", {"text": "Buy milk"})
        assert (await client.read_resource("todo://open")).contents[0].text == "[ ] 1: Buy milk"
        asked = await client.get_prompt("plan_the_day", {"hours": "3"})
    assert "[ ] 1: Buy milk" in asked.messages[0].content.text
    assert "3 hours" in asked.messages[0].content.text


async def test_who_listens_hears_that_the_list_has_changed() -> None:
    async with Client(make()) as client, client.listen(resource_subscriptions=["todo://open"]) as changes:
        await client.call_tool("add_todo", {"text": "Buy milk"})
        assert await anext(aiter(changes)) == ResourceUpdated(uri="todo://open")


async def test_a_list_that_cannot_be_kept_is_an_error_that_names_the_file(
    talk: Talk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "todo.sqlite"
    broken.write_text("This is a letter, and has never been a list of anything. " * 40)
    monkeypatch.setenv("TODO_FILE", str(broken))
    async with talk(make()) as client:
        result = await client.call_tool("add_todo", {"text": "Buy milk"})
    assert result.is_error
    assert f"The list in `{broken}` cannot be used" in said(result)
    assert broken.read_text().startswith("This is a letter")
