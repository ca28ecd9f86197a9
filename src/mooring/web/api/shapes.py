"""What a request to the API has to look like."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal, TypeVar

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field

from mooring.core.questions import Scope

__all__ = [
    "After",
    "Approval",
    "Asked",
    "Calling",
    "CameBack",
    "Gap",
    "Given",
    "Limit",
    "Page",
    "Reading",
    "Server",
    "Switch",
    "Writing",
    "Yes",
    "page",
    "plain",
]

T = TypeVar("T")

Limit = Annotated[int, Query(ge=1, le=1_000, description="How many at most.")]
After = Annotated[str | None, Query(description="What the page before called `next`.")]
Server = Annotated[str | None, Query(description="Only what this server offers.")]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Calling(_Strict):
    """A tool by its public name."""

    name: str = Field(examples=["greet_greet"])
    arguments: dict[str, Any] = Field(default_factory=dict, examples=[{"name": "Ada"}])


class Reading(_Strict):
    """A resource by its address."""

    uri: str = Field(examples=["greet://languages"])
    server: str | None = Field(default=None, description="Whose, where several have it.")


class Asked(_Strict):
    """A prompt by its public name; all arguments are texts."""

    name: str = Field(examples=["greet:introduce"])
    arguments: dict[str, str] = Field(default_factory=dict, examples=[{"name": "Ada"}])


class Gap(_Strict):
    """One gap of a prompt or a template, and what was typed into it so far."""

    server: str = Field(examples=["greet"])
    reference: dict[str, Any] = Field(examples=[{"type": "ref/prompt", "name": "introduce"}])
    argument: str = Field(examples=["name"])
    value: str = Field(default="", examples=["A"])
    given: dict[str, str] = Field(default_factory=dict, description="What stands in the other gaps.")


class Approval(_Strict):
    """Exactly what was shown: each tool with its fingerprint."""

    fingerprints: dict[str, str]


class Given(_Strict):
    """What somebody says to a question; `content` is a form filled in, `reason` is told to the model."""

    action: Literal["accept", "decline", "cancel"] = Field(examples=["accept"])
    content: dict[str, Any] | None = Field(default=None, examples=[{"size": "small"}])
    remember: Scope = Field(default=Scope.ONCE, description="For how long a call stays allowed.")
    reason: str = Field(default="", max_length=2_000)


class Writing(_Strict):
    """A server's entry in OpenCode's shape; a value that was shown as `***` stays what it is."""

    entry: dict[str, Any] = Field(examples=[{"type": "remote", "url": "https://mcp.example.com/mcp"}])
    file: str | None = Field(
        default=None, description="`global`, `project`, or a file that is read; else the one that has it."
    )
    preview: bool = Field(default=False, description="Only say what would be different.")


class Switch(_Strict):
    """Whether a server is started."""

    enabled: bool = Field(strict=True, examples=[True])


class Yes(_Strict):
    """To exactly what was shown."""

    fingerprint: str = Field(min_length=64, max_length=64, examples=["0" * 64])


class CameBack(_Strict):
    """Where the browser ended, whatever it shows there."""

    url: str = Field(max_length=16_384, examples=["http://127.0.0.1:19876/mcp/oauth/callback?code=…&state=…"])


class Page(BaseModel):
    """Some of a list; `next` is null at its end."""

    items: list[dict[str, Any]]
    total: int
    next: str | None


def page(
    found: Sequence[T],
    shape: Callable[[T], dict[str, Any]],
    key: Callable[[T], str],
    limit: int,
    after: str | None,
) -> Page:
    """From behind `after`; what was taken away meanwhile is no reason to begin anew."""
    rest = [each for each in found if after is None or key(each) > after]
    shown = rest[:limit]
    last = key(shown[-1]) if len(rest) > limit else None
    return Page(items=[shape(each) for each in shown], total=len(found), next=last)


def plain(name: str) -> str:
    """A slash in a name travels encoded."""
    return name.replace("%2F", "/")
