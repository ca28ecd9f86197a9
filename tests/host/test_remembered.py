"""What is kept of a server is what comes back, and a file that says something else is as good as none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mooring.core.items import Kind
from mooring.host.lists import Lists
from mooring.host.remembered import VERDICT_FOR, Memory, Remembered

LISTS = Lists({Kind.TOOL: ({"name": "add", "extra": [1, None]},), Kind.PROMPT: ()}, "Be kind.")


def memory() -> Memory:
    # another test looks for those that nobody should hold
    return Memory.of("2026-07-28", "1.2", LISTS)


def changed(folder: Path, **values: Any) -> Memory | None:
    kept = Remembered(folder)
    kept.keep("it", memory())
    [file] = folder.glob("*.json")
    file.write_text(json.dumps({**json.loads(file.read_text("utf-8")), **values}), "utf-8")
    return kept.get("it")


def test_what_was_kept_comes_back(tmp_path: Path) -> None:
    kept = Remembered(tmp_path)
    assert kept.get("it") is None
    kept.keep("it", memory())
    assert kept.get("it") == memory()
    found = memory().as_lists()
    assert (found.items, found.instructions) == (LISTS.items, LISTS.instructions)
    kept.forget("it")
    assert kept.get("it") is None


@pytest.mark.parametrize(
    "values",
    [{"version": 2}, {"version": "1"}, {"at": "now"}, {"protocol": 7}],
    ids=lambda it: next(iter(it)),
)
def test_a_file_of_another_kind_is_as_good_as_none(values: dict[str, Any], tmp_path: Path) -> None:
    assert changed(tmp_path, **values) is None


def test_a_damaged_file_is_as_good_as_none(tmp_path: Path) -> None:
    kept = Remembered(tmp_path)
    kept.keep("it", memory())
    [file] = tmp_path.glob("*.json")
    file.write_bytes(file.read_bytes()[:-20])
    assert kept.get("it") is None


@pytest.mark.parametrize("lists", [[], {"tool": {}}, None], ids=["list", "map", "null"])
def test_lists_of_another_shape_are_none(lists: Any, tmp_path: Path) -> None:
    found = changed(tmp_path, lists=lists)
    assert found is not None
    assert found.as_lists().items == {}


def test_an_old_verdict_is_asked_for_again(tmp_path: Path) -> None:
    found = changed(tmp_path, at=-int(VERDICT_FOR))
    assert found is not None
    assert (found.protocol, found.server_version) == ("auto", "1.2")
