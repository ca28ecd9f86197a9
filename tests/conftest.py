"""What holds for every test: an empty home, an end, steady property tests, and the time each folder took."""

from __future__ import annotations

import asyncio
import inspect
import os
import signal
from collections import defaultdict
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import settings
from hypothesis.configuration import set_hypothesis_home_dir

ROOT = Path(__file__).parents[1]
FOREIGN = ("MOORING_", "OPENCODE_", "XDG_")
MOST_SECONDS = 60
HOMES = {
    "HOME": "home",
    "XDG_CACHE_HOME": "home/.cache",
    "XDG_CONFIG_HOME": "home/.config",
    "XDG_DATA_HOME": "home/.local/share",
    "XDG_RUNTIME_DIR": "home/.run",
    "XDG_STATE_HOME": "home/.local/state",
}


def pytest_configure() -> None:
    set_hypothesis_home_dir(ROOT / ".cache" / "hypothesis")
    # a shell lets what it starts in the background ignore Ctrl-C, and so would every process below
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # a busy machine is no bug, so no example has a deadline
    settings.register_profile("default", deadline=None)
    settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
    settings.load_profile("ci" if os.environ.get("CI") else "default")


@pytest.fixture(autouse=True)
def empty_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home without a single file, and none of the variables that would point back to the user's own."""
    for name in [name for name in os.environ if name.startswith(FOREIGN)]:
        monkeypatch.delenv(name)
    for name, folder in HOMES.items():
        monkeypatch.setenv(name, str(tmp_path / folder))
    home = tmp_path / HOMES["HOME"]
    home.mkdir(mode=0o700)
    return home


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """An `async def` test has a loop of its own, and a minute."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    wanted = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}

    async def bounded() -> None:
        async with asyncio.timeout(MOST_SECONDS):
            await pyfuncitem.obj(**wanted)

    asyncio.run(bounded())
    return True


def folder_of(test: str) -> str:
    """`tests/core` for a test in that folder, `tests/test_house.py` for one beside the folders."""
    return str(PurePosixPath(*PurePosixPath(test.partition("::")[0]).parts[:2]))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    spent: dict[str, float] = defaultdict(float)
    ran: dict[str, set[str]] = defaultdict(set)
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                spent[folder_of(report.nodeid)] += report.duration
                ran[folder_of(report.nodeid)].add(report.nodeid)
    if not spent:
        return
    terminalreporter.section("time per folder")
    for folder, seconds in sorted(spent.items(), key=lambda entry: -entry[1]):
        terminalreporter.write_line(f"{seconds:9.1f} s  {len(ran[folder]):5d} tests  {folder}")
