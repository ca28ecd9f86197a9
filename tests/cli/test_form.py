"""A question of a server at the terminal: shown whole, answered in the right types, never by silence."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import sys
from collections.abc import Iterator
from typing import Any

import click
import pytest

from mooring.cli.form import terminal_ask
from mooring.cli.progress import progress_line
from mooring.core.questions import (
    Accepted,
    Allowed,
    Answer,
    Approve,
    Cancelled,
    Declined,
    Elicit,
    Question,
    Rejected,
    Sample,
    Scope,
    Visit,
)

FORM: dict[str, Any] = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "title": "City", "description": "Where to go"},
        "nights": {"type": "integer", "minimum": 1, "default": 2},
        "room": {"type": "string", "enum": ["a", "b"], "enumNames": ["small", "large"]},
        "late": {"type": "boolean"},
    },
    "required": ["city", "room"],
}


class Person:
    """Somebody at a terminal, who may type ahead."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.fd, theirs = os.openpty()
        self._streams = os.fdopen(theirs), os.fdopen(os.dup(theirs), "w")
        self._monkeypatch = monkeypatch
        self._saw = b""

    def look_here(self) -> None:
        """Not earlier: pytest has streams of its own until a test begins."""
        self._monkeypatch.setattr(sys, "stdin", self._streams[0])
        self._monkeypatch.setattr(sys, "stderr", self._streams[1])

    async def answer(self, question: Question, *lines: str) -> Answer:
        self.look_here()
        os.write(self.fd, "".join(f"{line}\n" for line in lines).encode())
        ask = terminal_ask()
        assert ask is not None
        # a terminal that nobody looks at takes no more
        asyncio.get_running_loop().add_reader(self.fd, self._look)
        try:
            return await ask(question)
        finally:
            asyncio.get_running_loop().remove_reader(self.fd)

    def saw(self) -> str:
        """What is written last arrives last, at a moment that the system chooses."""
        print("THE END", file=self._streams[1], flush=True)
        while b"THE END" not in self._saw:
            assert select.select([self.fd], [], [], 30)[0]
            self._look()
        return click.unstyle(self._saw.decode())

    def _look(self) -> None:
        self._saw += os.read(self.fd, 65_536)

    def leave(self) -> None:
        for stream in self._streams:
            stream.close()
        os.close(self.fd)


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> Iterator[Person]:
    found = Person(monkeypatch)
    yield found
    found.leave()


async def test_a_form_is_asked_field_by_field_until_each_fits(person: Person):
    answer = await person.answer(
        Elicit("hotel", "Book \x1b[2Ja room", FORM), "y", "", "Oslo", "none", "0", "3", "large", ""
    )
    assert answer == Accepted({"city": "Oslo", "nights": 3, "room": "b"})
    saw = person.saw()
    assert "hotel asks:" in saw
    assert "│ Book a room" in saw
    assert "Where to go" in saw
    assert "2 large" in saw
    assert "It is required" in saw
    assert "`0` is less than 1" in saw


async def test_enter_takes_what_is_offered(person: Person):
    answer = await person.answer(Elicit("hotel", "", FORM), "", "Oslo", "", "1", "yes")
    assert answer == Accepted({"city": "Oslo", "nights": 2, "room": "a", "late": True})


async def test_no_is_a_clear_no_and_an_end_is_neither(person: Person):
    assert await person.answer(Elicit("hotel", "", FORM), "n") == Declined()
    assert await person.answer(Elicit("hotel", "", FORM), "y", "\x04") == Cancelled()


async def test_an_interrupt_cancels_the_question_and_nothing_else(person: Person):
    before = signal.getsignal(signal.SIGINT)
    asking = asyncio.create_task(person.answer(Elicit("hotel", "", FORM)))
    # its first steps are taken before ours go on
    asyncio.get_running_loop().call_soon(os.kill, os.getpid(), signal.SIGINT)
    assert await asking == Cancelled()
    assert signal.getsignal(signal.SIGINT) is before


async def test_what_cannot_be_typed_is_left_out_or_refused(person: Person):
    odd = {"properties": {"odd": {"type": "object"}}}
    assert await person.answer(Elicit("hotel", "", odd), "y") == Accepted({})
    assert await person.answer(Elicit("hotel", "", {**odd, "required": ["odd"]}), "y") == Declined()


async def test_an_address_is_shown_whole_and_opened_after_a_yes(person: Person, monkeypatch):
    opened: list[str] = []

    async def open_browser(url: str, _: object) -> bool:
        opened.append(url)
        return True

    monkeypatch.setattr("mooring.cli.visit.open_browser", open_browser)
    url = "https://pay.example/x?session=0123456789&next=%2Fdone"
    assert await person.answer(Visit("shop", url, "Pay here"), "what?", "y") == Accepted()
    assert opened == [url]
    assert await person.answer(Visit("shop", url), "d") == Accepted()
    assert await person.answer(Visit("shop", url), "") == Declined()
    assert opened == [url]
    saw = person.saw()
    assert url in saw
    assert "pay.example" in saw


@pytest.mark.parametrize(
    "url",
    ["file:///etc/passwd", "javascript:alert(1)", "https://", "https://a\nb", "x", "http://[", "--help"],
)
async def test_what_is_no_web_address_is_never_opened(person: Person, url: str):
    assert await person.answer(Visit("shop", url)) == Declined()


async def test_a_foreign_alphabet_is_shown_in_letters_that_cannot_deceive(person: Person):
    assert await person.answer(Visit("shop", "https://аpple.example/"), "n") == Declined()
    assert "xn--pple-43d.example" in person.saw()


async def test_a_call_is_approved_with_all_of_its_arguments_in_sight(person: Person):
    question = Approve("notes", "notes_add", {"text": "x" * 300})
    assert await person.answer(question, "s") == Allowed(Scope.SESSION)
    assert "x" * 300 in person.saw()
    assert await person.answer(question, "y") == Allowed()
    assert isinstance(await person.answer(question, "n"), Rejected)


async def test_a_model_is_never_run_for_a_server(person: Person):
    assert await person.answer(Sample("notes", {})) == Rejected("no model is configured here")


def test_without_a_terminal_nobody_is_asked():
    assert terminal_ask() is None


def test_progress_is_not_drawn_over_a_question(person: Person):
    person.look_here()
    with progress_line("notes_add") as line:
        line(1, 4, "before")
        with line.held():
            line(2, 4, "meanwhile")
        line(3, 4, "after")
    shown = person.saw()
    assert "before" in shown
    assert "meanwhile" not in shown
    assert "after" in shown
