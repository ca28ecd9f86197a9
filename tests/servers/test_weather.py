"""Conversations with the weather that is made up."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from mcp import MCPError
from mcp.server.mcpserver import MCPServer
from mcp.types import PromptReference

from mooring.servers.weather import CITIES, CONDITIONS, made_up, make

Talk = Callable[[MCPServer], Any]


async def test_the_same_city_has_the_same_weather_and_it_says_that_it_is_made_up(talk: Talk) -> None:
    async with talk(make()) as client:
        one, other = [
            (await client.call_tool("get_weather", {"city": city})).structured_content
            for city in ("new york", " New  York ")
        ]
        beijing = (await client.call_tool("get_weather", {"city": "Beijing"})).structured_content
    assert one == other
    assert one["city"] == "New York"
    assert beijing["temperature"] == 22
    assert beijing["condition"] == "Sunny"
    assert "Made up" in beijing["note"]


async def test_a_temperature_is_told_in_the_units_that_are_asked_for(talk: Talk) -> None:
    async with talk(make()) as client:
        result = await client.call_tool("get_weather", {"city": "Beijing", "units": "fahrenheit"})
        unknown = await client.call_tool("get_weather", {"city": "Beijing", "units": "kelvin"})
    assert result.structured_content["temperature"] == 72
    assert unknown.is_error


async def test_something_that_is_no_city_is_refused_with_an_example(talk: Talk) -> None:
    async with talk(make()) as client:
        result = await client.call_tool("get_weather", {"city": "42"})
        with pytest.raises(MCPError, match="`42` is no city"):
            await client.read_resource("weather://42")
    assert result.is_error
    assert "as in `Beijing`" in result.content[0].text


async def test_one_city_is_a_resource_and_every_other_one_comes_from_a_template(talk: Talk) -> None:
    async with talk(make()) as client:
        (listed,) = (await client.list_resources()).resources
        (template,) = (await client.list_resource_templates()).resource_templates
        texts = [
            (await client.read_resource(uri)).contents[0].text
            for uri in ("weather://beijing", "weather://new%20york")
        ]
    assert (listed.uri, template.uri_template) == ("weather://beijing", "weather://{city}")
    assert [json.loads(text)["city"] for text in texts] == ["Beijing", "New York"]


async def test_its_prompt_asks_for_a_report_and_its_city_is_completed(talk: Talk) -> None:
    async with talk(make()) as client:
        asked = await client.get_prompt("weather_report", {"city": "Lima"})
        prompt = PromptReference(type="ref/prompt", name="weather_report")
        cities = await client.complete(prompt, {"name": "city", "value": "l"})
    assert "Lima" in asked.messages[0].content.text
    assert cities.completion.values == ["Lagos", "Lima", "London"]


def test_every_city_that_is_offered_has_weather_that_can_be() -> None:
    for city in CITIES:
        weather = made_up(city)
        assert weather is not None
        assert weather.condition in CONDITIONS
        assert -10 <= weather.temperature <= 45
