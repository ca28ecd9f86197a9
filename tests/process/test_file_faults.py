"""What happens to a file when processes race, are killed, or the disk refuses."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

import pytest

from mooring.config.jsonc import parse
from mooring.system.files import edit_text, read_text
from mooring.system.locks import locked

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(os.name != "posix", reason="signals, mounts and permissions of POSIX"),
]

NO_CAPABILITIES = ("setpriv", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs")


def python(code: str, *arguments: str | Path, before: tuple[str, ...] = ()) -> subprocess.Popen[str]:
    """A child that runs `code`; whatever comes before it on the command line starts it."""
    command = [*before, sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def said(child: subprocess.Popen[str]) -> str:
    try:
        out, err = child.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        child.kill()
        child.communicate()
        raise
    assert child.returncode == 0, err
    return out.strip()


def in_own_mounts() -> tuple[str, ...]:
    """How to start a child that may mount, or a skip that says why not."""
    if sys.platform != "linux" or not shutil.which("unshare"):
        pytest.skip("needs unshare(1) of Linux")
    probe = ("unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt")
    tried = subprocess.run(probe, capture_output=True, text=True, timeout=30, check=False)
    if tried.returncode:
        pytest.skip(f"unshare: {tried.stderr.strip()}")
    return ("unshare", "-rm")


def without_privileges() -> tuple[str, ...]:
    """How to start a child that permissions hold for, or a skip that says why not."""
    if os.geteuid():
        return ()
    if not shutil.which("setpriv"):
        pytest.skip("runs as root, and there is no setpriv(1) to become less")
    tried = subprocess.run(
        (*NO_CAPABILITIES, "true"), capture_output=True, text=True, timeout=30, check=False
    )
    if tried.returncode:
        pytest.skip(f"setpriv: {tried.stderr.strip()}")
    return NO_CAPABILITIES


EDITS = """
    import sys
    from mooring.config import {module}
    from mooring.system.files import edit_text
    path, who = sys.argv[1:]
    for number in range(50):
        key = ("mcp", f"{{who}}{{number}}")
        edit_text(path, lambda text: {module}.set_value(text or "", key, {{"n": number}}), wait=60)
"""


@pytest.mark.parametrize("module", ["jsonc_edit", "toml_edit"])
def test_two_processes_that_edit_one_file_lose_nothing(tmp_path: Path, module: str):
    path = tmp_path / "config"
    children = [python(EDITS.format(module=module), path, who) for who in "ab"]
    for child in children:
        said(child)
    text = path.read_text()
    tree = parse(text, "f").tree if module == "jsonc_edit" else tomllib.loads(text)
    assert tree == {"mcp": {f"{who}{number}": {"n": number} for who in "ab" for number in range(50)}}
    assert list(tmp_path.glob(".mooring*")) == []


def test_a_killed_holder_frees_its_lock(tmp_path: Path):
    code = """
        import sys
        from mooring.system.locks import locked
        with locked(sys.argv[1]):
            print("held", flush=True)
            sys.stdin.read()
    """
    command = [sys.executable, "-c", textwrap.dedent(code), str(tmp_path / "f")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "held\n"
        child.kill()
        child.wait(30)
        with locked(tmp_path / "f", wait=10):
            pass


def test_a_writer_killed_at_any_moment_leaves_the_old_text_or_the_new(tmp_path: Path):
    path = tmp_path / "f"
    texts = {letter * 300_000 for letter in "ab"}
    path.write_text("a" * 300_000)
    code = """
        import sys
        from mooring.system.files import write_atomic
        print("writing", flush=True)
        while True:
            for letter in "ab":
                write_atomic(sys.argv[1], letter * 300_000)
    """
    chance = random.Random(7)
    for _ in range(15):
        child = python(code, path)
        assert child.stdout is not None
        assert child.stdout.readline() == "writing\n"
        try:
            child.wait(chance.uniform(0, 0.03))
        except subprocess.TimeoutExpired:
            child.kill()
        child.communicate(timeout=30)
        assert read_text(path) in texts
    assert edit_text(path, lambda _: "done") == "done"


MOUNTED = """
    import subprocess, sys
    from pathlib import Path
    from mooring.errors import MooringError
    from mooring.system.files import edit_text, write_private
    folder = Path(sys.argv[1])
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(folder)], check=True)
    path = folder / "f"
    path.write_text("old")
    {before}
    new = "x" * 200_000
    for write in (lambda: edit_text(path, lambda _: new), lambda: write_private(path, new)):
        try:
            write()
        except MooringError as error:
            print(type(error).__name__, error.sentence, "|", error.hint)
    assert path.read_text() == "old"
    assert [one.name for one in folder.iterdir()] == ["f"], list(folder.iterdir())
"""


@pytest.mark.parametrize(
    ("before", "reason", "cure"),
    [
        ("", "no space left on device", "Free some space"),
        (
            'subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)',
            "read-only",
            "only be read",
        ),
    ],
    ids=["full disk", "read-only disk"],
)
def test_a_disk_that_refuses_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, before: str, reason: str, cure: str
):
    out = said(python(MOUNTED.format(before=before), tmp_path, before=in_own_mounts()))
    edited, private = out.splitlines()
    assert edited.startswith("EditFailed")
    assert private.startswith("StorageError")
    for line in (edited, private):
        assert reason in line
        assert cure in line


PERMISSIONS = """
    import sys
    from pathlib import Path
    from mooring.errors import MooringError
    from mooring.system.files import edit_text, read_text, write_private
    folder = Path(sys.argv[1])
    try:
        (folder / "unreadable").read_text()
    except PermissionError:
        print("held")
    for attempt in (
        lambda: read_text(folder / "unreadable"),
        lambda: edit_text(folder / "locked" / "f", lambda _: "new"),
        lambda: write_private(folder / "locked" / "g", "new"),
        lambda: edit_text(folder / "closed" / "f", lambda _: "new"),
    ):
        try:
            attempt()
        except MooringError as error:
            print(type(error).__name__, bool(error.hint))
"""


def test_permissions_are_told_and_nothing_is_touched(tmp_path: Path):
    before = without_privileges()
    (tmp_path / "unreadable").write_text("x")
    (tmp_path / "unreadable").chmod(0)
    for name, mode in (("locked", 0o500), ("closed", 0)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "f").write_text("old")
        (tmp_path / name).chmod(mode)
    try:
        lines = said(python(PERMISSIONS, tmp_path, before=before)).splitlines()
    finally:
        (tmp_path / "closed").chmod(0o700)
        (tmp_path / "locked").chmod(0o700)
    if lines[0] != "held":
        pytest.skip("this user reads what nobody may read, even without privileges")
    assert lines[1:] == ["UnreadableFile True", "EditFailed True", "StorageError True", "EditFailed True"]
    assert (tmp_path / "locked" / "f").read_text() == (tmp_path / "closed" / "f").read_text() == "old"
    assert [one.name for one in (tmp_path / "locked").iterdir()] == ["f"]
