"""What was heard of a connection: messages, exchanges, lines and steps, none of them with a secret in it."""

from __future__ import annotations

from dataclasses import field
from typing import Literal, TypeAlias

from mooring.core.frozen import frozen
from mooring.core.redact import HIDDEN
from mooring.core.renewal import Known
from mooring.core.spec import Entry
from mooring.core.trial import Step, Trial
from mooring.core.values import JSON

__all__ = ["Asked", "Gone", "Headers", "Message", "Note", "Record", "Replied", "Said", "Stepped"]

Headers: TypeAlias = tuple[tuple[str, str], ...]


@frozen
class Message:
    """`at` is in seconds from the beginning, `size` in bytes; what is no JSON is a text."""

    at: float
    way: Literal["out", "in"]
    size: int
    value: JSON = field(repr=False)


@frozen
class Asked:
    """A request over HTTP."""

    at: float
    number: int
    method: str
    url: str
    headers: Headers


@frozen
class Replied:
    """The head of the answer to the request of that number."""

    at: float
    number: int
    method: str
    status: int
    headers: Headers


@frozen
class Said:
    """A line on a local server's stderr."""

    at: float
    text: str


@frozen
class Gone:
    """The end of a local server; the code is negative where a signal did it."""

    at: float
    code: int


@frozen
class Stepped:
    """A step that was done."""

    at: float
    step: Step


Note: TypeAlias = Message | Asked | Replied | Said | Gone | Stepped


@frozen
class Record:
    """One connection from beginning to end; `login` is how far a login would come, where one is wanted."""

    entry: Entry
    trial: Trial
    notes: tuple[Note, ...]
    known: Known | None = None
    login: tuple[Step, ...] = ()

    @property
    def authorization(self) -> str | None:
        """What the last request showed of itself, masked."""
        found = [_of(note.headers, "authorization") for note in self.notes if isinstance(note, Asked)]
        return found[-1] if found else None

    @property
    def own_headers(self) -> tuple[str, ...]:
        """Names of headers that belong neither to HTTP nor to the protocol."""
        asked = [note for note in self.notes if isinstance(note, Asked)]
        names = dict.fromkeys(name for note in asked for name, value in note.headers if value == HIDDEN)
        return tuple(name for name in names if not name.startswith("mcp-") and name != "authorization")

    @property
    def challenge(self) -> str | None:
        """What a server that refused us wants."""
        found = [_of(note.headers, "www-authenticate") for note in self.notes if isinstance(note, Replied)]
        return next((each for each in reversed(found) if each is not None), None)

    @property
    def has_session(self) -> bool:
        return any(_of(n.headers, "mcp-session-id") for n in self.notes if isinstance(n, Replied))


def _of(headers: Headers, name: str) -> str | None:
    return next((value for each, value in headers if each == name), None)
