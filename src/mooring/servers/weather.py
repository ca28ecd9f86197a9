"""A server that makes weather up: the same for the same city every time, without asking anybody."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, Literal
from zlib import crc32

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp.types import (
    Completion,
    CompletionArgument,
    CompletionContext,
    PromptReference,
    ResourceTemplateReference,
    ToolAnnotations,
)
from pydantic import BaseModel, Field

CITIES = ("Beijing", "Berlin", "Lagos", "Lima", "London", "Mumbai", "New York", "Paris", "Sydney", "Tokyo")
CONDITIONS = ("Sunny", "Cloudy", "Rainy", "Windy", "Foggy", "Snowy")

City = Annotated[str, Field(description="The name of a city, for example `Beijing`", max_length=100)]
Units = Annotated[Literal["celsius", "fahrenheit"], Field(description="What the temperature is measured in")]


class Weather(BaseModel):
    """The weather of one city."""

    city: str
    temperature: int = Field(description="In the units that were asked for")
    condition: str = Field(description="One word", examples=list(CONDITIONS))
    note: str = Field(default="Made up from the city's name: no weather station was asked")


def made_up(city: str, units: str = "celsius") -> Weather | None:
    """Weather for anything that has a letter in it."""
    name = " ".join(city.split()).title()
    if not any(character.isalpha() for character in name):
        return None
    dice = crc32(name.encode())
    celsius, condition = (22, "Sunny") if name == "Beijing" else (5 + dice % 30, CONDITIONS[dice // 30 % 5])
    return Weather(
        city=name,
        temperature=celsius if units == "celsius" else round(celsius * 9 / 5 + 32),
        condition=condition,
    )


def get_weather(city: City, units: Units = "celsius") -> Weather:
    """Get the weather of a city. It is made up, as the result says: good for trials, not for journeys."""
    weather = made_up(city, units)
    if weather is None:
        raise ToolError(f"`{city}` is no city: a name needs a letter, as in `{CITIES[0]}`")
    return weather


def of_city(city: str) -> str:
    """The weather of any city."""
    weather = made_up(city)
    if weather is None:
        raise ResourceNotFoundError(f"`{city}` is no city: a name needs a letter, as in `{CITIES[0]}`")
    return weather.model_dump_json(indent=2)


def of_beijing() -> str:
    """The weather of Beijing."""
    return of_city("Beijing")


def weather_report(city: City) -> str:
    """Have the model write a weather report."""
    return (
        f"Write a weather report for {city}: ask get_weather, then say in a few sentences how warm it is, "
        "what the sky does, and what to wear. Mention that the weather is made up."
    )


async def complete(
    _of: PromptReference | ResourceTemplateReference,
    argument: CompletionArgument,
    _context: CompletionContext | None,
) -> Completion | None:
    """The cities that begin with what was typed."""
    if argument.name != "city":
        return None
    typed = argument.value.casefold()
    return Completion(values=[city for city in CITIES if city.casefold().startswith(typed)])


def make() -> MCPServer:
    """The server, with everything that it offers."""
    server = MCPServer(
        "weather",
        title="Made-up weather",
        version="1.0.0",
        instructions="The weather here is made up. Say so to whoever asks for it.",
        log_level="WARNING",
    )
    harmless = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
    json = "application/json"
    server.tool(title="Get the weather", annotations=harmless)(get_weather)
    server.resource("weather://beijing", name="beijing", title="Beijing Weather", mime_type=json)(of_beijing)
    server.resource("weather://{city}", name="city", title="Weather of a city", mime_type=json)(of_city)
    server.prompt(title="Weather report")(weather_report)
    server.completion()(complete)
    return server


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        make().run()
