"""A connection written down while it is heard, free of secrets."""

from __future__ import annotations

import time
from collections.abc import Callable

from mooring.core.redact import clean, mask, mask_headers, mask_message, mask_shapes, mask_url
from mooring.core.renewal import Known
from mooring.core.spec import BadServer, Entry
from mooring.core.transcript import Asked, Gone, Message, Note, Replied, Said, Stepped
from mooring.core.trial import Step
from mooring.core.values import JSON
from mooring.errors import BadMessage
from mooring.host.yard import Way
from mooring.upstream.trace import Ended, Frame, HttpAnswer, HttpRequest, Learned, Line, Took, Traced
from mooring.upstream.wire import decode

__all__ = ["Transcript", "known_of"]


class Transcript:
    """`tell` hears each note as it is made, there where messages come in: it must not raise."""

    def __init__(self, tell: Callable[[Note], None]) -> None:
        self._tell = tell
        self._began = time.monotonic()
        self._secrets: tuple[str, ...] = ()
        self._methods: dict[int, str] = {}

    def step(self, step: Step) -> None:
        self._tell(Stepped(self._now(), step))

    def hear(self, traced: Traced) -> None:
        match traced:
            case Learned(secrets=secrets):
                self._secrets = (*self._secrets, *secrets)
            case Frame(way=way, message=message):
                self._tell(Message(self._now(), way, len(message), self._read(message)))
            case HttpRequest(number=number, method=method, url=url, headers=headers):
                shown = mask(mask_url(clean(url)), self._secrets)
                masked = mask_headers(headers, self._secrets)
                self._methods[number] = method
                self._tell(Asked(self._now(), number, method, shown, masked))
            case HttpAnswer(number=number, status=status, headers=headers):
                method = self._methods.pop(number, "")
                masked = mask_headers(headers, self._secrets)
                self._tell(Replied(self._now(), number, method, status, masked))
            case Line(text=text):
                self._tell(Said(self._now(), mask_shapes(mask(clean(text), self._secrets))))
            case Ended(code=code):
                self._tell(Gone(self._now(), code))
            case Took():
                # It is told as a step, with what was found.
                pass

    def _read(self, message: bytes) -> JSON:
        try:
            return mask_message(decode(message), self._secrets)
        except (BadMessage, RecursionError):
            text = message.decode("utf-8", "replace")
            return mask_shapes(mask(clean(text), self._secrets))

    def _now(self) -> float:
        return time.monotonic() - self._began


def known_of(way: Way, entry: Entry) -> Known | None:
    """What is remembered of it, and would be used by a host; a setting of its entry counts more."""
    if isinstance(entry, BadServer):
        return None
    memory = way.recall(entry)
    return None if memory is None else memory.known(entry)
