"""How much of a catalogue a model is shown at once, and the three tools by which it finds the rest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from mooring.core.frozen import frozen
from mooring.core.tokens import fitting
from mooring.core.values import JSON
from mooring.core.wildcard import matches

__all__ = [
    "BUDGET",
    "CALL",
    "DESCRIBE",
    "LIMIT",
    "MOST_DESCRIBED",
    "MOST_FOUND",
    "SEARCH",
    "Exposure",
    "Mode",
    "definitions",
]

Mode: TypeAlias = Literal["all", "search", "auto"]

SEARCH, DESCRIBE, CALL = "search_tools", "describe_tools", "call_tool"
BUDGET = 10_000
LIMIT, MOST_FOUND, MOST_DESCRIBED = 8, 25, 10
_SERVERS = 250


@frozen
class Exposure:
    """`budget` is how many tokens all definitions may cost before `auto` lets the model search."""

    mode: Mode = "all"
    budget: int = BUDGET
    favourites: tuple[str, ...] = ()

    def searches(self, cost: int) -> bool:
        return self.mode == "search" or (self.mode == "auto" and cost > self.budget)

    def is_favourite(self, name: str) -> bool:
        """Shown with its whole definition, whatever the mode."""
        return any(matches(pattern, name) for pattern in self.favourites)


def definitions(servers: Mapping[str, int]) -> Iterable[Mapping[str, JSON]]:
    """The three, with what there is to be found: servers, and how many tools each has."""
    there = ", ".join(f"{name} ({count})" for name, count in servers.items())
    yield {
        "name": SEARCH,
        "title": "Find tools",
        "description": (
            "Find the tools for a task. Most tools are not listed here: say what is to be done, in a few "
            "words, and get the names of tools that do it, with what each needs. "
            f"Then use `{CALL}`, or `{DESCRIBE}` first where inputs are not clear. "
            f"There are tools of these servers: {fitting(there, _SERVERS) or 'none yet'}"
        ),
        "inputSchema": _object(
            {
                "query": {"type": "string", "description": "What is to be done, or names and keywords"},
                "limit": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": MOST_FOUND,
                    "default": LIMIT,
                    "description": "How many tools at most",
                },
                "server": {"type": "string", "description": "Only tools of this server"},
            },
            "query",
        ),
        "annotations": {"readOnlyHint": True, "openWorldHint": False},
    }
    yield {
        "name": DESCRIBE,
        "title": "Describe tools",
        "description": f"Whole definitions of tools that `{SEARCH}` has named: every input and its meaning.",
        "inputSchema": _object(
            {
                "names": {
                    "type": "array",
                    "items": {"type": "string"},
                    "minItems": 1,
                    "maxItems": MOST_DESCRIBED,
                    "description": "Names exactly as they were found",
                }
            },
            "names",
        ),
        "annotations": {"readOnlyHint": True, "openWorldHint": False},
    }
    yield {
        "name": CALL,
        "title": "Call a tool",
        "description": f"Call a tool that `{SEARCH}` has named. The answer is that tool's own.",
        "inputSchema": _object(
            {
                "name": {"type": "string", "description": "Its name exactly as it was found"},
                "arguments": {"type": "object", "description": "What that tool takes"},
            },
            "name",
        ),
        "annotations": {"readOnlyHint": False, "destructiveHint": True, "openWorldHint": True},
    }


def _object(properties: Mapping[str, JSON], *required: str) -> JSON:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }
