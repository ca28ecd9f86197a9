"""A server that greets: the smallest that has a tool, a resource and a prompt."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, Literal

from mcp import MCPError
from mcp.server.mcpserver import MCPServer
from mcp.types import (
    INVALID_PARAMS,
    Completion,
    CompletionArgument,
    CompletionContext,
    PromptReference,
    ResourceTemplateReference,
    ToolAnnotations,
)
from pydantic import Field

GREETINGS = {"en": "Hello", "de": "Hallo", "es": "Hola", "fr": "Bonjour", "ja": "こんにちは", "zh": "你好"}

LANGUAGE = "The language to greet in, as a code"

Name = Annotated[str, Field(description="Who is greeted, for example `Ada`", min_length=1, max_length=200)]
Language = Annotated[Literal["en", "de", "es", "fr", "ja", "zh"], Field(description=LANGUAGE)]
Code = Annotated[str, Field(description=LANGUAGE)]


def greet(name: Name, language: Language = "en") -> str:
    """Greet somebody by name. The answer is the whole greeting, ready to be shown."""
    return f"{GREETINGS[language]}, {name}!"


def languages() -> dict[str, str]:
    """Each language code with the word that it greets with."""
    return GREETINGS


def introduce(name: Name, language: Code = "en") -> str:
    """Greet somebody, and have the model say who it is."""
    if language not in GREETINGS:
        raise MCPError(INVALID_PARAMS, f"`{language}` is not among the languages: {', '.join(GREETINGS)}")
    return (
        f"{GREETINGS[language]}, {name}! Greet {name} back in the language with the code `{language}`, "
        "then say in two sentences who you are and what you can do here."
    )


async def complete(
    _of: PromptReference | ResourceTemplateReference,
    argument: CompletionArgument,
    _context: CompletionContext | None,
) -> Completion | None:
    """The language codes that begin with what was typed."""
    if argument.name != "language":
        return None
    return Completion(values=[code for code in GREETINGS if code.startswith(argument.value)])


def make() -> MCPServer:
    """The server, with everything that it offers."""
    server = MCPServer(
        "greet",
        title="Greetings",
        version="1.0.0",
        instructions="Call `greet` when somebody is to be greeted. It changes nothing.",
        log_level="WARNING",
    )
    harmless = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
    server.tool(title="Greet somebody", annotations=harmless)(greet)
    server.resource("greet://languages", title="Languages", mime_type="application/json")(languages)
    server.prompt(title="Introduce yourself")(introduce)
    server.completion()(complete)
    return server


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        make().run()
