"""What the host may ask whoever made a call, and what they may answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import field
from enum import StrEnum
from typing import TypeAlias, assert_never

from mooring.core.frozen import frozen
from mooring.core.values import JSON

__all__ = [
    "Accepted",
    "Allowed",
    "Answer",
    "Approve",
    "Ask",
    "Caller",
    "Cancelled",
    "Declined",
    "Elicit",
    "Face",
    "Question",
    "Rejected",
    "Sample",
    "Sampled",
    "Scope",
    "Visit",
    "elicit_result",
]


@frozen
class Approve:
    """May this call run? `tool` is the public name, `read_only` what a trusted server says of it."""

    server: str
    tool: str
    arguments: Mapping[str, JSON] = field(repr=False)
    read_only: bool = False


@frozen
class Visit:
    """Open an address and come back: a login, or something a server wants done in a browser."""

    server: str
    url: str = field(repr=False)
    reason: str = ""
    elicitation: str | None = None


@frozen
class Elicit:
    """Fill in a form that a server needs to go on."""

    server: str
    message: str
    schema: Mapping[str, JSON]


@frozen
class Sample:
    """Run a model on a server's behalf; `request` is the protocol's own."""

    server: str
    request: Mapping[str, JSON]


Question: TypeAlias = Approve | Visit | Elicit | Sample


class Scope(StrEnum):
    """For how long a permission holds."""

    ONCE = "once"
    SESSION = "session"
    ALWAYS = "always"


@frozen
class Allowed:
    """The call may run."""

    scope: Scope = Scope.ONCE


@frozen
class Rejected:
    """The call may not run; a reason is told to the model, so that it can do better."""

    reason: str = ""


@frozen
class Accepted:
    """The form is filled in, or the address was opened; then there is no content."""

    content: Mapping[str, JSON] | None = field(default=None, repr=False)


@frozen
class Declined:
    """A clear no to what the server wanted."""


@frozen
class Cancelled:
    """Neither yes nor no: the window was closed, the time ran out, or nobody is there."""


@frozen
class Sampled:
    """What the model said, in the protocol's own shape."""

    result: Mapping[str, JSON]


Answer: TypeAlias = Allowed | Rejected | Accepted | Declined | Cancelled | Sampled

Ask: TypeAlias = Callable[[Question], Awaitable[Answer]]
Roots: TypeAlias = Callable[[str], Awaitable[JSON]]


class Face(StrEnum):
    """Through which door somebody came."""

    TERMINAL = "terminal"
    AGENT = "agent"
    HTTP = "http"
    GATEWAY = "gateway"
    PYTHON = "python"


@frozen
class Caller:
    """Who wants something, and how to ask them back; without `ask` nobody may be bothered.

    `capabilities` are those of a downstream MCP client, as it declared them; `roots` asks it for its folders,
    on behalf of a server. With `rounds` it answers what a result asks by itself, in a request that it makes
    again: these are the answers that it brings along. `meta` goes to the server as it is. All callers of one
    `conversation` may be asked alike.
    """

    name: str
    face: Face
    agent: str = "build"
    ask: Ask | None = field(default=None, repr=False, compare=False)
    capabilities: Mapping[str, JSON] = field(default_factory=dict[str, JSON])
    roots: Roots | None = field(default=None, repr=False, compare=False)
    rounds: Mapping[str, object] | None = field(default=None, repr=False, compare=False)
    meta: Mapping[str, object] | None = field(default=None, repr=False, compare=False)
    conversation: object = field(default=None, repr=False)


def elicit_result(answer: Answer) -> dict[str, JSON]:
    """An answer in the protocol's three words; one that belongs to another question is no consent."""
    match answer:
        case Accepted(content=None):
            return {"action": "accept"}
        case Accepted(content=content):
            return {"action": "accept", "content": content}
        case Declined() | Rejected():
            return {"action": "decline"}
        case Cancelled() | Allowed() | Sampled():
            return {"action": "cancel"}
        case _:
            assert_never(answer)
