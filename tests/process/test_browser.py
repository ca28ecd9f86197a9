"""A browser that is really started: what it is given, and what becomes of one that fails."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from mooring.cli.browser import open_browser

pytestmark = pytest.mark.process

URL = "https://login.example/a?b=$(touch%20x)&c=`id`;d|e>f"


def browser(folder: Path, name: str, code: int) -> str:
    """A program that writes down its words; only when that is done does it end."""
    file = folder / f"{name}.json"
    program = folder / name
    program.write_text(
        f"#!{sys.executable}\nimport json, sys\n"
        f"open({str(file)!r}, 'w').write(json.dumps(sys.argv[1:]))\nsys.exit({code})\n"
    )
    program.chmod(0o755)
    return str(program)


async def test_the_address_arrives_as_it_is(tmp_path: Path) -> None:
    program = browser(tmp_path, "one", 0)
    assert await open_browser(URL, {"BROWSER": program, "PATH": os.environ["PATH"]})
    assert json.loads((tmp_path / "one.json").read_text()) == [URL]


async def test_after_one_that_fails_the_next_is_tried(tmp_path: Path) -> None:
    both = f"{browser(tmp_path, 'one', 1)}:{tmp_path / 'missing'}:{browser(tmp_path, 'two', 0)}"
    assert await open_browser(URL, {"BROWSER": both, "PATH": os.environ["PATH"]})
    assert json.loads((tmp_path / "two.json").read_text()) == [URL]


async def test_where_none_takes_it_one_is_told(tmp_path: Path) -> None:
    assert not await open_browser(URL, {"BROWSER": browser(tmp_path, "one", 3), "PATH": ""})


@pytest.mark.parametrize("url", ["file:///etc/passwd", "javascript:alert(1)", "--help", "http://a\nb", ""])
async def test_nothing_is_started_for_what_is_no_web_address(url: str, tmp_path: Path) -> None:
    assert not await open_browser(url, {"BROWSER": browser(tmp_path, "one", 0)})
    assert not (tmp_path / "one.json").exists()
