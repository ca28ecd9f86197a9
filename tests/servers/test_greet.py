"""Conversations with the greeter."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from mcp import MCPError
from mcp.server.mcpserver import MCPServer
from mcp.types import PromptReference

from mooring.servers.greet import GREETINGS, make

Talk = Callable[[MCPServer], Any]


async def test_it_greets_in_the_language_that_is_asked_for(talk: Talk) -> None:
    async with talk(make()) as client:
        plain = await client.call_tool("greet", {"name": "Ada"})
        french = await client.call_tool("greet", {"name": "Ada", "language": "fr"})
    assert (plain.content[0].text, plain.structured_content) == ("Hello, Ada!", {"result": "Hello, Ada!"})
    assert french.content[0].text == "Bonjour, Ada!"


async def test_it_says_what_it_is_so_that_a_model_can_use_it(talk: Talk) -> None:
    async with talk(make()) as client:
        (tool,) = (await client.list_tools()).tools
        assert "`greet`" in (client.instructions or "")
    assert tool.title
    assert tool.annotations.read_only_hint
    assert tool.output_schema
    assert tool.input_schema["required"] == ["name"]
    assert all(each["description"] for each in tool.input_schema["properties"].values())
    assert tool.input_schema["properties"]["language"]["enum"] == list(GREETINGS)


@pytest.mark.parametrize("arguments", [{}, {"name": ""}, {"name": "Ada", "language": "klingon"}])
async def test_what_it_cannot_use_is_an_error_that_names_it(talk: Talk, arguments: dict[str, str]) -> None:
    async with talk(make()) as client:
        result = await client.call_tool("greet", arguments)
    assert result.is_error
    assert "language" in result.content[0].text or "name" in result.content[0].text


async def test_its_languages_are_a_resource(talk: Talk) -> None:
    async with talk(make()) as client:
        (found,) = (await client.read_resource("greet://languages")).contents
    assert found.mime_type == "application/json"
    assert json.loads(found.text) == GREETINGS


async def test_its_prompt_completes_the_language_and_refuses_one_that_it_does_not_have(talk: Talk) -> None:
    async with talk(make()) as client:
        prompt = PromptReference(type="ref/prompt", name="introduce")
        codes = await client.complete(prompt, {"name": "language", "value": "e"})
        names = await client.complete(prompt, {"name": "name", "value": "A"})
        asked = await client.get_prompt("introduce", {"name": "Ada", "language": "es"})
        with pytest.raises(MCPError, match="`klingon` is not among the languages"):
            await client.get_prompt("introduce", {"name": "Ada", "language": "klingon"})
    assert codes.completion.values == ["en", "es"]
    assert names.completion.values == []
    assert asked.messages[0].content.text.startswith("Hola, Ada!")
