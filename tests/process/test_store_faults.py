"""What happens to the calls that are kept when processes race, are killed, or the disk refuses."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.process.test_file_faults import in_own_mounts, python, said

from mooring.core.audit import Kept
from mooring.store import Asked, Store

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(os.name != "posix", reason="signals and mounts of POSIX"),
]

CALL = """
    import sys
    from contextlib import closing
    from pathlib import Path
    from mooring.core.audit import Call
    from mooring.store import Asked, Store
    import json
    WORDS = json.dumps(dict(text="word " * 200)).encode()
    def call(tool):
        return Call(1.0, "ann", "terminal", "build", "notes", tool, WORDS, "done", "", 0.1, 7)
"""


def kept(file: Path) -> list[Kept]:
    async def look() -> list[Kept]:
        with closing(Store(file)) as store:
            return list(await store.calls(Asked(limit=10_000)))

    return asyncio.run(look())


def test_several_processes_that_begin_at_once_lose_no_call(tmp_path: Path) -> None:
    code = (
        CALL
        + """
    file, who = Path(sys.argv[1]), sys.argv[2]
    with closing(Store(file)) as store:
        for number in range(200):
            store.record(call(f"{who}{number}"))
    print([trouble.sentence for trouble in store.troubles])
    """
    )
    file = tmp_path / "own" / "mooring.db"
    children = [python(code, file, who) for who in "abcd"]
    assert [said(child) for child in children] == ["[]"] * 4
    assert {each.tool for each in kept(file)} == {f"{who}{number}" for who in "abcd" for number in range(200)}


def test_a_process_that_is_killed_loses_only_what_was_not_written_yet(tmp_path: Path) -> None:
    code = (
        CALL
        + """
    import asyncio
    async def main():
        store = Store(Path(sys.argv[1]))
        number = 0
        while True:
            store.record(call(str(number)))
            await store.calls(Asked(limit=1))
            print(number, flush=True)
            number += 1
    asyncio.run(main())
    """
    )
    file = tmp_path / "own" / "mooring.db"
    for _ in range(3):
        child = python(code, file)
        assert child.stdout is not None
        for number in range(20):
            assert child.stdout.readline() == f"{number}\n"
        child.kill()
        child.communicate(timeout=30)
    tools = [each.tool for each in kept(file)]
    assert all(tools.count(str(number)) == 3 for number in range(20))
    with closing(sqlite3.connect(file)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


MOUNTED = (
    CALL
    + """
    import asyncio, subprocess
    folder = Path(sys.argv[1])
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k,mode=700", "none", str(folder)], check=True)
    async def main():
        with closing(Store(folder / "mooring.db")) as store:
            store.record(call("first"))
            await store.calls(Asked())
        {before}
        with closing(Store(folder / "mooring.db")) as store:
            for number in range({times}):
                store.record(call("later"))
                if number % 50 == 0:
                    await store.calls(Asked(limit=1))
            found = await store.calls(Asked(limit=10_000))
            print(found[-1].tool, [type(one).__name__ + ": " + one.sentence for one in store.troubles])
            {after}
    asyncio.run(main())
"""
)


def test_a_full_disk_is_said_and_what_was_kept_can_still_be_read(tmp_path: Path) -> None:
    after = """
            for path in folder.glob("ballast*"):
                path.unlink()
            store.record(call("last"))
            print((await store.calls(Asked(limit=1)))[0].tool, await store.missing() > 0)
    """.strip()
    before = '(folder / "ballast").write_bytes(b"x" * 150_000)'
    out = said(
        python(MOUNTED.format(before=before, times=2000, after=after), tmp_path, before=in_own_mounts())
    )
    first, last = out.splitlines()
    assert first.startswith("first ['StorageError: ")
    assert "full" in first
    assert last == "last True"


def test_a_disk_that_can_only_be_read_is_said_and_can_be_read(tmp_path: Path) -> None:
    before = 'subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)'
    out = said(python(MOUNTED.format(before=before, times=3, after="pass"), tmp_path, before=in_own_mounts()))
    assert out.startswith("first ['StorageError: ")
