"""The person at the terminal, shown the way to a login and back."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from mooring.cli.ask import can_ask
from mooring.cli.browser import host_of, open_browser
from mooring.cli.keyboard import GivenUp, Keyboard
from mooring.cli.render import mark, say
from mooring.core.questions import Accepted, Answer, Cancelled, Declined, Question, Visit
from mooring.core.redact import clean, visible

__all__ = ["Usher"]


@dataclass(slots=True)
class Usher:
    """Called with a `Visit`; the second time for one login only with what was wrong with the answer."""

    env: Mapping[str, str]
    by_hand: bool = False
    opens: bool = True
    scope: str | None = None
    _shown: set[str] = field(default_factory=set[str])

    async def __call__(self, question: Question) -> Answer:
        if not isinstance(question, Visit):
            return Declined()
        host = host_of(question.url)
        if host is None:
            return Declined()
        if question.url not in self._shown:
            self._shown.add(question.url)
            say(f"Log in to {mark(visible(question.server), 'magenta')} at {mark(host, 'cyan')}:")
            say(f"  {visible(question.url)}")
            await self._open(question.url)
        if question.reason:
            say(f"{mark('note', 'yellow')} {clean(question.reason)}")
        try:
            return await self._answer()
        except GivenUp:
            return Cancelled()

    async def _open(self, url: str) -> None:
        if not self.by_hand and self.opens and not await open_browser(url, self.env):
            say("  No browser was found here: open the address in one yourself")

    async def _answer(self) -> Answer:
        prompt = "The address that the browser shows at the end: "
        if not self.by_hand:
            if not can_ask():
                say("Waiting for the browser to come back; Ctrl-C gives up")
                return Accepted()
            prompt = "Waiting for the browser; if it does not come back, paste the address that it shows: "
        while True:
            line = await self._line(prompt)
            if line.strip():
                return Accepted({"url": line.strip()})

    async def _line(self, prompt: str) -> str:
        if not can_ask():
            return await _piped_line()
        try:
            return await Keyboard().line(prompt)
        except asyncio.CancelledError:
            # The browser was first, and what is said next begins on a line of its own.
            say("")
            raise


async def _piped_line() -> str:
    """Read beside the loop, so that Ctrl-C is heard; a thread that still waits then is left behind."""
    loop = asyncio.get_running_loop()
    read: asyncio.Future[str] = loop.create_future()

    def tell(line: str) -> None:
        if not read.done():
            read.set_result(line)

    def wait() -> None:
        line = sys.stdin.readline() if sys.stdin is not None else ""
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(tell, line)

    threading.Thread(target=wait, daemon=True, name="stdin").start()
    line = await read
    if not line:
        raise GivenUp
    return line
