from __future__ import annotations

import asyncio
import json
import sqlite3
import stat
import threading
from contextlib import closing
from pathlib import Path

import pytest

from mooring.core.audit import Call
from mooring.errors import StorageError, StoreDamaged
from mooring.store import Asked, Store
from mooring.store import store as module
from mooring.store.database import Database


def call(tool: str = "notes_add", **more: object) -> Call:
    plain: dict[str, object] = {
        "at": 1.0,
        "caller": "ann",
        "face": "terminal",
        "agent": "build",
        "server": "notes",
        "tool": tool,
        "arguments": b'{"title":"Milk"}',
        "outcome": "done",
        "code": "",
        "seconds": 0.5,
        "received": 7,
    }
    return Call(**{**plain, **more})  # type: ignore[arg-type]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "own" / "mooring.db"


async def test_a_call_is_kept_with_who_what_and_how_it_went(file: Path) -> None:
    with closing(Store(file)) as store:
        store.record(call())
    with closing(Store(file)) as store:
        (kept,) = await store.calls(Asked())
    assert (kept.caller, kept.face, kept.agent, kept.server) == ("ann", "terminal", "build", "notes")
    assert (kept.tool, json.loads(kept.arguments)) == ("notes_add", {"title": "Milk"})
    assert (kept.outcome, kept.code, kept.seconds, kept.sent, kept.received) == ("done", "", 0.5, 16, 7)


async def test_a_secret_among_the_arguments_never_reaches_the_disk(file: Path) -> None:
    with closing(Store(file)) as store:
        store.record(call(arguments=b'{"password":"hunter2-and-more"}'))
    assert b"hunter2" not in b"".join(path.read_bytes() for path in file.parent.iterdir())


async def test_calls_are_found_newest_first_by_server_tool_caller_and_failure(file: Path) -> None:
    with closing(Store(file)) as store:
        store.record(call("one"))
        store.record(call("two", server="other", caller="bob"))
        store.record(call("three", outcome="failed", code="MOOR-CALL-004"))

        async def found(asked: Asked) -> list[str]:
            return [kept.tool for kept in await store.calls(asked)]

        assert await found(Asked()) == ["three", "two", "one"]
        assert await found(Asked(limit=1)) == ["three"]
        assert await found(Asked(server="notes")) == ["three", "one"]
        assert await found(Asked(tool="one")) == ["one"]
        assert await found(Asked(caller="bob")) == ["two"]
        assert await found(Asked(failed=True)) == ["three"]
        (newest, *_) = await store.calls(Asked())
        assert await found(Asked(before=newest.id)) == ["two", "one"]


async def test_looking_makes_no_file(file: Path) -> None:
    with closing(Store(file)) as store:
        assert await store.calls(Asked()) == ()
    assert not file.parent.exists()


async def test_nobody_else_may_read_it(file: Path) -> None:
    with closing(Store(file)) as store:
        store.record(call())
        await store.calls(Asked())
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in file.parent.iterdir()}
    assert set(modes.values()) == {0o600}
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


async def test_only_the_newest_are_kept(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 10)
    monkeypatch.setattr(module, "TRIM_AFTER", 1)
    with closing(Store(file)) as store:
        for number in range(25):
            store.record(call(f"tool {number}"))
    with closing(Store(file)) as store:
        store.record(call("tool 25"))
        kept = await store.calls(Asked())
    assert [each.tool for each in kept] == [f"tool {number}" for number in range(25, 15, -1)]


async def test_a_disk_that_hangs_delays_no_call_and_what_is_too_much_is_counted(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on, hangs = threading.Event(), threading.Event()
    made = Database._made  # pyright: ignore[reportPrivateUsage] - where a disk is first asked

    def slow(self: Database) -> sqlite3.Connection:
        hangs.set()
        assert goes_on.wait(30)
        return made(self)

    monkeypatch.setattr(Database, "_made", slow)
    with closing(Store(file, room=5)) as store:
        store.record(call())
        assert await asyncio.to_thread(hangs.wait, 30)
        for _ in range(8):
            store.record(call())
        goes_on.set()
        store.record(call())
        assert len(await store.calls(Asked())) == 6
        store.record(call())
        await store.calls(Asked())
        assert await store.missing() == 4


async def test_a_folder_that_refuses_is_said_once_and_the_loss_is_noted_when_it_is_over(file: Path) -> None:
    file.parent.write_text("in the way")
    with closing(Store(file)) as store:
        for _ in range(3):
            store.record(call())
            await store.calls(Asked())
        assert [type(trouble) for trouble in store.troubles] == [StorageError]
        file.parent.unlink()
        store.record(call("last"))
        assert [kept.tool for kept in await store.calls(Asked())] == ["last"]
        assert await store.missing() == 3


@pytest.mark.parametrize("content", [b"garbage" * 1000, b"SQLite format 3\0" + b"\xff" * 8000])
async def test_a_damaged_file_is_set_aside_and_said(file: Path, content: bytes) -> None:
    file.parent.mkdir(mode=0o700)
    file.write_bytes(content)  # noqa: ASYNC240
    with closing(Store(file)) as store:
        store.record(call())
        assert len(await store.calls(Asked())) == 1
        assert [type(trouble) for trouble in store.troubles] == [StoreDamaged]
    (aside,) = file.parent.glob("mooring.db.corrupt-*")
    assert aside.read_bytes() == content


async def test_a_file_that_is_removed_meanwhile_is_made_again(file: Path) -> None:
    with closing(Store(file)) as store:
        store.record(call("lost"))
        await store.calls(Asked())
        for path in file.parent.iterdir():
            path.unlink()
        store.record(call("kept"))
        assert [kept.tool for kept in await store.calls(Asked())] == ["kept"]
    assert file.exists()  # noqa: ASYNC240


async def test_a_newer_file_is_left_alone(file: Path) -> None:
    file.parent.mkdir(mode=0o700)
    with closing(sqlite3.connect(file)) as newer:
        newer.execute("PRAGMA user_version = 99")
    with closing(Store(file)) as store:
        store.record(call())
    assert "newer" in store.troubles[0].sentence


async def test_half_a_character_is_no_reason_not_to_keep_a_call(file: Path) -> None:
    with closing(Store(file)) as store:
        store.record(call("a\ud800b", arguments=b'{"x":"\\ud800"}'))
        assert [kept.tool for kept in await store.calls(Asked())] == ["a?b"]
