"""Lines from the person at the terminal, while everything else goes on."""

from __future__ import annotations

import asyncio
import os
import sys

from mooring.cli.guest import Guest, visiting
from mooring.cli.render import say
from mooring.cli.signals import handling

__all__ = ["GivenUp", "Keyboard"]


class GivenUp(Exception):
    """Ctrl-C or Ctrl-D: the question was left without an answer."""


class Keyboard:
    """One question at a time; servers may ask at once. Made inside the loop that asks."""

    def __init__(self) -> None:
        self.turn = asyncio.Lock()

    async def line(self, prompt: str) -> str:
        """What was typed, without its end; the terminal itself does the editing."""
        guest = visiting()
        if guest is not None:
            return await _line_of(guest, prompt)
        loop = asyncio.get_running_loop()
        typed: asyncio.Future[str] = loop.create_future()
        descriptor = sys.stdin.fileno()

        def read() -> None:
            try:
                text = os.read(descriptor, 65_536).decode(errors="replace")
            except OSError:
                text = ""
            if not typed.done():
                if text:
                    typed.set_result(text.rstrip("\r\n"))
                else:
                    typed.set_exception(GivenUp)

        def give_up() -> None:
            if not typed.done():
                typed.set_exception(GivenUp)

        def interrupted(*_: object) -> None:
            loop.call_soon_threadsafe(give_up)

        # Ctrl-C answers the question, and nothing else
        with handling(("SIGINT",), interrupted):
            loop.add_reader(descriptor, read)
            # not earlier: whoever sees the question may press Ctrl-C at once
            say(prompt, newline=False)
            try:
                return await typed
            except GivenUp:
                say("")
                raise
            finally:
                loop.remove_reader(descriptor)


async def _line_of(guest: Guest, prompt: str) -> str:
    say(prompt, newline=False)
    text = await guest.line()
    if not text:
        say("")
        raise GivenUp
    return text.rstrip("\r\n")
