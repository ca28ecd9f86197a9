"""Facts that the host announces; the `kind` of each is never changed or given a second meaning."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar, Literal, TypeAlias

from mooring.core.changes import Changes
from mooring.core.frozen import frozen
from mooring.core.pins import Unapproved
from mooring.core.questions import Answer, Caller, Question
from mooring.core.status import Status
from mooring.errors import MooringError

__all__ = [
    "CallEnded",
    "CallStarted",
    "CatalogChanged",
    "ConfigReloaded",
    "Event",
    "Level",
    "LogMessage",
    "LoginNeeded",
    "Outcome",
    "Progressed",
    "QuestionAnswered",
    "QuestionAsked",
    "QuestionWithdrawn",
    "ResourceUpdated",
    "StatusChanged",
    "ToolsUnapproved",
]

Level: TypeAlias = Literal["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]
Outcome: TypeAlias = Literal["done", "tool_error", "failed", "refused", "cancelled"]


@frozen
class StatusChanged:
    kind: ClassVar[str] = "server.status"
    server: str
    before: Status
    after: Status


@frozen
class CatalogChanged:
    kind: ClassVar[str] = "server.catalog"
    server: str
    changes: Changes


@frozen
class ToolsUnapproved:
    """Which of a server's tools are not what was approved; none any more, if there are none."""

    kind: ClassVar[str] = "server.pins"
    server: str
    unapproved: Unapproved


@frozen
class ResourceUpdated:
    kind: ClassVar[str] = "resource.updated"
    server: str
    uri: str


@frozen
class LogMessage:
    """What a server logs through the protocol; `text` is clean, and free of known secrets.

    `caller` is whose request it belongs to, where that is known.
    """

    kind: ClassVar[str] = "server.log"
    server: str
    level: Level
    logger: str
    text: str
    caller: Caller | None = field(default=None, repr=False)


@frozen
class Progressed:
    """`total` is None where the server does not know how much there is to do."""

    kind: ClassVar[str] = "call.progress"
    server: str
    call: str
    progress: float
    total: float | None = None
    message: str = ""


@frozen
class CallStarted:
    """`call` is the host's own number for it, the same in every event about it."""

    kind: ClassVar[str] = "call.started"
    call: str
    server: str
    tool: str
    caller: str


@frozen
class CallEnded:
    """`tool_error` is the tool's own word, `failed` means no answer, `refused` that it was never sent."""

    kind: ClassVar[str] = "call.ended"
    call: str
    server: str
    tool: str
    caller: str
    outcome: Outcome
    seconds: float
    error: MooringError | None = None


@frozen
class QuestionAsked:
    """It waits on the desk under this ticket; `call` is the one that cannot go on without it."""

    kind: ClassVar[str] = "question.asked"
    ticket: str
    caller: str
    question: Question
    call: str | None = None


@frozen
class QuestionAnswered:
    kind: ClassVar[str] = "question.answered"
    ticket: str
    caller: str
    answer: Answer


@frozen
class QuestionWithdrawn:
    """Nobody has to answer it any more: the call has ended, or nobody answered in time."""

    kind: ClassVar[str] = "question.withdrawn"
    ticket: str
    caller: str


@frozen
class ConfigReloaded:
    """What the new configuration did; with problems, what could be used of it is in use."""

    kind: ClassVar[str] = "config.reloaded"
    started: tuple[str, ...] = ()
    stopped: tuple[str, ...] = ()
    restarted: tuple[str, ...] = ()
    problems: tuple[MooringError, ...] = ()


@frozen
class LoginNeeded:
    """Somebody has to open the address; it can log in as them, so it is not for logs."""

    kind: ClassVar[str] = "server.login"
    server: str
    url: str = field(repr=False)


Event: TypeAlias = (
    StatusChanged
    | CatalogChanged
    | ToolsUnapproved
    | ResourceUpdated
    | LogMessage
    | Progressed
    | CallStarted
    | CallEnded
    | QuestionAsked
    | QuestionAnswered
    | QuestionWithdrawn
    | ConfigReloaded
    | LoginNeeded
)
