"""`mooring export`, from the command line to the other client's file."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mooring.cli import app

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "bin/mooring"
    file.parent.mkdir()
    file.write_text("#!/bin/sh\n")
    file.chmod(0o755)
    monkeypatch.setenv("PATH", str(file.parent))
    return file


@pytest.fixture
def run(program: Path, empty_home: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*words: str) -> tuple[int, str, str]:
        code = app.run(["export", *words])
        said = capsys.readouterr()
        assert "hush" not in said.out + said.err
        return code, said.out, said.err

    return call


def cursor(home: Path, text: str) -> Path:
    file = home / ".cursor/mcp.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    return file


def servers(file: Path) -> Any:
    return json.loads(file.read_text())["mcpServers"]


def test_a_dry_run_shows_the_lines_and_writes_nothing(run: Run, empty_home: Path, program: Path) -> None:
    file = cursor(
        empty_home, '{\n  "mcpServers": {\n    "a": {"command": "a", "env": {"K": "hush-1"}}\n  }\n}\n'
    )
    before = file.read_text()
    code, out, err = run("cursor")
    assert code == 0
    assert f'+      "command": "{program}",' in out
    assert '"K": "***"' in out
    assert "--apply" in err
    assert file.read_text() == before


def test_apply_writes_once_and_then_has_nothing_to_do(run: Run, empty_home: Path, program: Path) -> None:
    file = empty_home / ".cursor/mcp.json"
    assert run("cursor", "--apply")[0] == 0
    assert servers(file) == {"mooring": {"type": "stdio", "command": str(program), "args": ["gateway"]}}
    text = file.read_text()
    code, out, err = run("cursor", "--apply")
    assert (code, out) == (0, "")
    assert "Nothing to do" in err
    assert file.read_text() == text


def test_the_program_may_be_known_to_python_alone(
    run: Run, empty_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(empty_home))
    run("cursor", "--apply", "--name", "all")
    entry = servers(empty_home / ".cursor/mcp.json")["all"]
    assert (entry["command"], entry["args"]) == (sys.executable, ["-m", "mooring", "gateway"])


def test_an_older_entry_of_ours_is_renewed(run: Run, empty_home: Path, program: Path) -> None:
    file = cursor(empty_home, '{"mcpServers": {"mooring": {"command": "/old/mooring", "args": ["gateway"]}}}')
    assert run("cursor", "--apply")[0] == 0
    assert servers(file)["mooring"]["command"] == str(program)


@pytest.mark.parametrize("words", [(), ("--apply",), ("--apply", "--remove"), ("--apply", "--json")])
def test_another_server_of_that_name_is_never_touched(
    run: Run, empty_home: Path, words: tuple[str, ...]
) -> None:
    file = cursor(empty_home, '{"mcpServers": {"mooring": {"command": "boat", "env": {"K": "hush-1"}}}}')
    before = file.read_text()
    code, out, err = run("cursor", *words)
    assert code == 2
    assert "MOOR-CONFIG-009" in out + err
    assert file.read_text() == before


def test_remove_takes_it_out_and_leaves_the_rest(run: Run, empty_home: Path) -> None:
    before = '{\n  // mine\n  "mcpServers": {\n    "a": {"command": "a"}\n  }\n}\n'
    file = cursor(empty_home, before)
    run("cursor", "--apply")
    assert run("cursor", "--remove")[0] == 0
    assert "mooring" in file.read_text()
    assert run("cursor", "--remove", "--apply")[0] == 0
    assert file.read_text() == before
    assert "Nothing to do" in run("cursor", "--remove", "--apply")[2]


def test_removing_from_nothing_makes_no_file(run: Run, empty_home: Path) -> None:
    assert run("zed", "--remove", "--apply")[0] == 0
    assert not (empty_home / ".config/zed").exists()


def test_a_broken_file_is_said_with_its_line_and_left(run: Run, empty_home: Path) -> None:
    file = cursor(empty_home, '{\n "mcpServers": {"a": {"env": {"K": "hush-1" "L": 2}}}}')
    before = file.read_text()
    code, _, err = run("cursor", "--apply")
    assert code != 0
    assert "MOOR-IMPORT-001" in err
    assert "mcp.json:2" in err
    assert file.read_text() == before


def test_json_says_the_same(run: Run, empty_home: Path) -> None:
    code, out, _ = run("codex", "--json")
    said = json.loads(out)
    assert code == 0
    assert (said["file"], said["changed"], said["applied"]) == (
        str(empty_home / ".codex/config.toml"),
        True,
        False,
    )
    assert "+[mcp_servers.mooring]" in said["diff"]
    assert json.loads(run("codex", "--json", "--apply")[1])["applied"] is True
    assert json.loads(run("codex", "--json", "--apply")[1])["changed"] is False


def test_in_one_long_line_the_place_that_changes_is_shown(run: Run, empty_home: Path) -> None:
    many = {f"server-{number}": {"command": "x", "args": ["y"]} for number in range(30)}
    cursor(empty_home, json.dumps({"mcpServers": many}))
    added = next(line for line in run("cursor")[1].splitlines() if line.startswith("+"))
    assert '"mooring"' in added
    assert len(added) < 200


@pytest.mark.parametrize("name", ["", " ", "a\nb"])
def test_a_name_has_to_be_one(run: Run, name: str) -> None:
    assert run("cursor", "--name", name)[0] == 2


def test_a_program_of_the_folder_one_stands_in_is_written_nowhere(mooring, project, monkeypatch):
    (project / "mooring").write_text("#!/bin/sh\n")
    (project / "mooring").chmod(0o755)
    monkeypatch.setenv("PATH", ".:")
    assert str(project) not in "".join(mooring("export", "cursor", "--json").json["diff"])
