"""What can be wrong with servers, with the way to them, and with calls."""

from __future__ import annotations

from collections.abc import Mapping

from mooring.errors.base import MooringError

__all__ = [
    "AnswerTooLarge",
    "AnsweredAlready",
    "BadAnswer",
    "BadArguments",
    "BadItem",
    "BadMessage",
    "BadSchema",
    "BadSkill",
    "CallError",
    "CallRefused",
    "CallTimeout",
    "CommandNotFound",
    "ConnectionLost",
    "HttpRefused",
    "Interrupted",
    "LineTooLong",
    "ListTimeout",
    "NeedsLogin",
    "NeedsRegistration",
    "NoCommonVersion",
    "NotConnected",
    "NotMcp",
    "NotReading",
    "ProxyFailed",
    "RequiredServer",
    "ServerError",
    "ServerExited",
    "ServerFailure",
    "SessionLost",
    "StartTimeout",
    "TlsFailed",
    "TooBusy",
    "TooManyRounds",
    "ToolNotApproved",
    "UnknownItem",
    "UnknownQuestion",
    "UnknownTool",
    "Unreachable",
]


class BadSchema(MooringError):
    """A tool's schema is beyond repair."""

    code = "MOOR-TOOL-001"


class BadItem(MooringError):
    """Something a server offers that cannot be used; the rest of its offer is not touched."""

    code = "MOOR-TOOL-002"


class BadSkill(MooringError):
    """A file of a skill that is not what the skill's entry promises."""

    code = "MOOR-SKILL-001"


class BadAnswer(MooringError):
    """Typed text that is no value of the kind that was asked for."""

    code = "MOOR-QUESTION-001"


class Unreachable(MooringError):
    """An address that does not answer, or not with what was asked for."""

    code = "MOOR-NET-001"


class Interrupted(Unreachable):
    """The connection ended, or the address fell silent, in the middle of an answer."""

    code = "MOOR-NET-002"


class TlsFailed(Unreachable):
    """An address whose certificate cannot be trusted, or that speaks no TLS we know."""

    code = "MOOR-NET-003"


class ProxyFailed(Unreachable):
    """The proxy that the environment names cannot be used."""

    code = "MOOR-NET-004"


class AnswerTooLarge(Unreachable):
    """An answer that is larger than the limit; the rest of it was not read."""

    code = "MOOR-NET-005"


class HttpRefused(Unreachable):
    """An address that answered with a status that is no success."""

    code = "MOOR-NET-006"

    def __init__(
        self,
        sentence: str,
        *,
        hint: str = "",
        status: int = 0,
        headers: Mapping[str, str] | None = None,
        body: bytes = b"",
    ) -> None:
        super().__init__(sentence, hint=hint)
        self.status = status
        self.headers: Mapping[str, str] = headers or {}
        self.body = body


class NotMcp(Unreachable):
    """An address that answers, but not with MCP: a web page, or nothing we can read."""

    code = "MOOR-NET-007"


class ServerFailure(MooringError):
    """A server that could not be started, or stopped working."""

    code = "MOOR-SERVER-001"

    def __init__(
        self,
        sentence: str,
        *,
        hint: str = "",
        exit_code: int | None = None,
        stderr: tuple[str, ...] = (),
    ) -> None:
        super().__init__(sentence, hint=hint)
        self.exit_code = exit_code
        self.stderr = stderr


class CommandNotFound(ServerFailure):
    """The program of a local server is not there, or may not be run."""

    code = "MOOR-SERVER-002"


class ServerExited(ServerFailure):
    """A local server ended by itself."""

    code = "MOOR-SERVER-003"


class StartTimeout(ServerFailure):
    """A server that did not finish its handshake in time."""

    code = "MOOR-SERVER-004"


class ListTimeout(ServerFailure):
    """A server that did not say in time what it offers."""

    code = "MOOR-SERVER-005"


class LineTooLong(ServerFailure):
    """A message that is larger than the limit."""

    code = "MOOR-SERVER-006"


class NotReading(ServerFailure):
    """A server that does not take what is sent to it."""

    code = "MOOR-SERVER-007"


class BadMessage(ServerFailure):
    """An answer that the protocol does not allow."""

    code = "MOOR-SERVER-008"


class NoCommonVersion(ServerFailure):
    """A server that speaks no revision of the protocol that we, or its `protocol` setting, allow."""

    code = "MOOR-SERVER-009"


class ConnectionLost(ServerFailure):
    """The connection ended; what was on its way got no answer."""

    code = "MOOR-SERVER-010"


class NotConnected(ServerFailure):
    """A server that is not connected now; its status says why."""

    code = "MOOR-SERVER-011"


class SessionLost(ServerFailure):
    """A server that has forgotten our session."""

    code = "MOOR-SERVER-012"


class RequiredServer(ServerFailure):
    """A server that the configuration calls required does not work."""

    code = "MOOR-SERVER-013"


class NeedsLogin(MooringError):
    """A server that wants to know who we are."""

    code = "MOOR-AUTH-001"

    def __init__(
        self,
        sentence: str,
        *,
        hint: str = "",
        status: int = 0,
        challenge: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(sentence, hint=hint)
        self.status = status
        self.challenge = challenge
        self.headers: Mapping[str, str] = headers or {}


class NeedsRegistration(NeedsLogin):
    """A server whose logins need a client id that it does not hand out by itself."""

    code = "MOOR-AUTH-002"


class CallError(MooringError):
    """A call that brought back no result."""

    code = "MOOR-CALL-001"


class UnknownTool(CallError):
    """No configured server offers a tool of that name."""

    code = "MOOR-CALL-002"


class UnknownItem(CallError):
    """No configured server offers a resource or prompt of that name."""

    code = "MOOR-CALL-003"


class CallTimeout(CallError):
    """A server that has said nothing for too long, or never finishes."""

    code = "MOOR-CALL-004"


class CallRefused(CallError):
    """A call that the rules, or whoever was asked, did not allow; it was never sent."""

    code = "MOOR-CALL-005"


class ToolNotApproved(CallRefused):
    """A tool that is not what it was when it was approved, where the configuration blocks such tools."""

    code = "MOOR-PIN-001"


class BadArguments(CallError):
    """Arguments that do not fit what the tool or prompt takes."""

    code = "MOOR-CALL-006"


class ServerError(CallError):
    """The server answered with an error of the protocol."""

    code = "MOOR-CALL-007"

    def __init__(self, sentence: str, *, hint: str = "", number: int = 0, data: object = None) -> None:
        super().__init__(sentence, hint=hint)
        self.number = number
        self.data = data


class TooBusy(CallError):
    """More calls are waiting for one server than may."""

    code = "MOOR-CALL-008"


class TooManyRounds(CallError):
    """A server that keeps asking for input instead of answering."""

    code = "MOOR-CALL-009"


class UnknownQuestion(CallError):
    """An answer to a question that nobody has asked."""

    code = "MOOR-CALL-010"


class AnsweredAlready(CallError):
    """An answer to a question that waits for none any more."""

    code = "MOOR-CALL-011"
