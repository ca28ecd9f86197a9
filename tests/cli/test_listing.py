"""The table of servers: readable in a second, at every width, and plain where nobody looks."""

from __future__ import annotations

import asyncio
import os
import re
import select
import sys
from collections.abc import Iterator

import click
import pytest

from mooring.cli.listing import listing, plain_listing
from mooring.cli.live import live
from mooring.cli.progress import progress_line
from mooring.cli.widths import cut, folded, padded, width
from mooring.core.server_view import ServerView
from mooring.core.status import Connected, Connecting, Disabled, Failed, NeedsApproval, NeedsAuth, Pending
from mooring.errors import ServerExited

DIED = ServerExited("`broken` ended with exit code 1 before it answered", hint="mooring logs broken")
SERVERS = (
    ServerView(
        name="notes", status=Connected("2026-07-28"), transport="stdio", latency=0.0123, tools=12, prompts=1
    ),
    ServerView(
        name="broken", status=Failed(DIED, 1, ("a", "b", "c", "KEY is \x1b[2Jmissing")), transport="stdio"
    ),
    ServerView(name="docs", status=NeedsAuth(), transport="http"),
    ServerView(name="theirs", status=NeedsApproval()),
    ServerView(name="slow", status=Connecting(3), transport="http"),
    ServerView(name="later", status=Pending(), lazy=True, tools=3),
    ServerView(name="off", status=Disabled()),
    ServerView(name="天气", status=Connected("2025-11-25"), transport="sse", latency=12.0),
)


def test_each_server_is_a_line_and_under_a_failing_one_stands_why_and_what_next():
    lines = click.unstyle(listing(SERVERS, 100)).splitlines()
    assert re.fullmatch(r" +SERVER +STATE +VIA +PROTOCOL +TOOLS +PROMPTS +LATENCY", lines[0])
    assert re.fullmatch(r"● +notes +connected +stdio +2026-07-28 +12 +1 +12 ms", lines[1])
    assert lines[2].startswith("✗  broken  failed")
    assert lines[3:8] == [
        "    `broken` ended with exit code 1 before it answered",
        "    │ b",
        "    │ c",
        "    │ KEY is \\x1b[2Jmissing",
        "    → mooring logs broken",
    ]
    assert "    → mooring auth docs" in lines
    assert "    → mooring trust theirs" in lines
    assert "starts when used" in "\n".join(lines)
    assert "connecting, try 3" in "\n".join(lines)


@pytest.mark.parametrize("room", [24, 40, 60, 80, 120])
def test_no_line_is_wider_than_the_terminal_and_state_is_always_told(room: int):
    text = listing(SERVERS, room)
    assert max(map(width, text.splitlines())) <= max(room, 32)
    assert "connected" in text
    assert "needs login" in text


def test_piped_it_is_one_plain_line_each():
    lines = plain_listing(SERVERS).splitlines()
    assert len(lines) == len(SERVERS)
    assert lines[0].split() == ["notes", "connected", "stdio", "2026-07-28", "12", "0", "1", "12ms"]
    assert lines[1].endswith("`broken` ended with exit code 1 before it answered")
    assert "\x1b" not in "".join(lines)
    assert plain_listing([]) == ""


@pytest.mark.parametrize("room", [40, 80])
def test_what_to_type_next_is_never_cut_off(room: int):
    text = listing(SERVERS, room)
    hints = [view.hint for view in SERVERS if view.hint]
    assert hints
    assert [hint for hint in hints if hint not in " ".join(text.replace("→", " ").split())] == []


def test_text_is_folded_between_words_and_cut_where_there_is_no_end_to_it():
    assert folded("set the sails", 8) == ["set the", "sails"]
    assert folded("天气 天气", 6) == ["天气", "天气"]
    assert folded("unbreakable word", 6) == ["unbre…", "word"]
    assert folded("a " * 40, 5) == ["a a a", "a a a", "a a a", "a a…"]
    assert folded("", 5) == [""]


def test_wide_characters_take_two_columns_and_are_never_cut_in_half():
    assert (width("天气"), width("e\u0301"), width("\x1b[31mab\x1b[0m")) == (4, 1, 2)
    assert cut("天气天气", 6) == "天气…"
    assert padded("天", 4) + "|" == "天  |"
    assert padded("7", 3, right=True) == "  7"


class Screen:
    """A terminal that both streams go to; what is drawn there is kept."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.fd, theirs = os.openpty()
        self._stream = os.fdopen(theirs, "w")
        self._monkeypatch = monkeypatch

    def show(self) -> None:
        self._monkeypatch.setattr(sys, "stdout", self._stream)
        self._monkeypatch.setattr(sys, "stderr", self._stream)

    def drawn(self) -> str:
        """What is written last arrives last, at a moment that the system chooses."""
        self._stream.write("THE END")
        self._stream.flush()
        text = ""
        while not text.endswith("THE END"):
            assert select.select([self.fd], [], [], 30)[0]
            text += os.read(self.fd, 65_536).decode()
        return text.removesuffix("THE END")

    def leave(self) -> None:
        self._stream.close()
        os.close(self.fd)


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[Screen]:
    found = Screen(monkeypatch)
    yield found
    found.leave()


async def test_the_table_is_drawn_in_its_place_and_is_gone_at_the_end(screen: Screen):
    screen.show()
    drawn, settled, turns = asyncio.Event(), asyncio.Event(), iter(range(1, 9))

    async def changed() -> None:
        """The next change comes at once; after the second one everything has settled."""
        if drawn.is_set():
            settled.set()
        drawn.set()

    def views() -> list[ServerView]:
        return [ServerView(name="slow", status=Connecting(next(turns)))]

    await live(views, changed, settled.wait())
    text = screen.drawn()
    assert "connecting" in text
    assert "try 2" in text
    assert text.endswith("\x1b[J")
    assert text.count("\x1b[2F") == text.count("slow")


async def test_piped_nothing_is_drawn(capsys):
    def never() -> list[ServerView]:
        raise AssertionError

    await live(never, asyncio.Event().wait, asyncio.wait_for(asyncio.sleep(0), 1))
    with progress_line("notes_add") as progress:
        progress(1, 2, "half")
    heard = capsys.readouterr()
    assert (heard.out, heard.err) == ("", "")


async def test_what_went_wrong_meanwhile_is_raised():
    async def broken() -> None:
        raise DIED

    with pytest.raises(ServerExited):
        await live(list, asyncio.Event().wait, broken())


def test_progress_is_one_line_that_vanishes(screen: Screen):
    screen.show()
    with progress_line("notes_add") as progress:
        progress(1, 4, "read\x1b[2Jing\nfiles")
        progress(3)
        progress(float("nan"), float("inf"), "")
    text = screen.drawn()
    assert "notes_add [#####...............] 25% reading files" in text
    assert "notes_add 3" in text
    assert "\n" not in text
    assert text.endswith("\r\x1b[K")
