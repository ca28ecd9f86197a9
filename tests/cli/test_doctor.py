"""`mooring doctor`."""

from __future__ import annotations

from pathlib import Path

import pytest

from mooring.errors import codes


@pytest.fixture(autouse=True)
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH with nothing on it."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def program(folder: Path, name: str, says: str) -> None:
    file = folder / name
    file.write_text(f"#!/bin/sh\nprintf '{says}'\n")
    file.chmod(0o755)


def findings(mooring, what):
    return [each for each in mooring("doctor", "--json").json["findings"] if each["what"] == what]


def test_everything_in_order_ends_with_0(mooring):
    said = mooring("doctor")
    assert (said.code, said.err) == (0, "")
    assert "config folder" in said.out
    view = mooring("doctor", "--json").json
    assert view["ok"] is True
    assert {each["state"] for each in view["findings"]} == {"good", "note"}


def test_a_missing_program_is_a_note_and_a_present_one_says_its_version(mooring, programs):
    program(programs, "node", r"v24.1.0\n\n")
    program(programs, "uv", r"\033[31muv 1\n")
    program(programs, "npx", r"\n \n")
    (programs / "docker").write_text("#!/no/such/interpreter\n")
    (programs / "docker").chmod(0o755)
    says = {name: findings(mooring, name)[0]["says"] for name in ("node", "uv", "npx", "uvx", "docker")}
    assert says["node"].startswith("v24.1.0 at ")
    assert says["uv"].startswith(r"\x1b[31muv 1 at ")
    assert says["npx"].startswith("? at ")
    assert says["uvx"] == "not on PATH"
    assert says["docker"].startswith("does not start at ")


def test_a_broken_configuration_ends_with_2_and_a_notice_does_not(mooring, own):
    own.write_text('{"mcpp": {}}')
    assert mooring("doctor").code == 0
    own.write_text("{")
    said = mooring("doctor")
    assert said.code == 2
    assert "bad " in said.out


def test_what_waits_for_an_approval_is_a_note(mooring, project):
    (project / ".mcp.json").write_text('{"mcpServers": {"notes": {"command": "x"}}}')
    [finding] = findings(mooring, "approvals")
    assert (finding["state"], finding["says"], finding["hint"]) == ("note", "notes: waiting", "mooring trust")
    assert mooring("doctor").code == 0


def test_a_folder_that_is_a_file_ends_with_1(mooring, empty_home):
    (empty_home / ".cache").write_text("")
    said = mooring("doctor")
    assert said.code == 1
    assert findings(mooring, "cache folder")[0]["state"] == "bad"


def test_looking_makes_no_folder(mooring, empty_home):
    mooring("doctor")
    assert list(empty_home.iterdir()) == []


def test_a_damaged_file_of_approvals_is_found(mooring, empty_home, project):
    (project / ".mcp.json").write_text('{"mcpServers": {"notes": {"command": "x"}}}')
    folder = empty_home / ".local" / "share" / "mooring"
    folder.mkdir(parents=True)
    (folder / "approvals.json").write_text("[]")
    assert mooring("doctor").code in (1, 2)
    assert findings(mooring, "approvals")[0]["state"] == "bad"


def test_what_a_file_says_cannot_act_on_the_terminal(mooring, own):
    own.write_text('{"\\u001b[2J": 1}')
    assert "\x1b" not in mooring("doctor").out


def test_list_codes_names_every_code_once_with_its_meaning(mooring):
    listed = mooring("doctor", "list-codes", "--json").json
    assert [each["code"] for each in listed] == list(codes())
    assert all(each["means"] and each["severity"] in ("error", "notice") for each in listed)
    assert len(mooring("doctor", "list-codes").out.splitlines()) == len(codes())


def test_a_program_of_the_folder_one_stands_in_is_not_tried(mooring, project, monkeypatch):
    (project / "node").write_text(f"#!/bin/sh\ntouch {project}/ran\n")
    (project / "node").chmod(0o755)
    monkeypatch.setenv("PATH", ":.:bin")
    found = {each["what"]: each["says"] for each in mooring("doctor", "--json").json["findings"]}
    assert found["node"] == "not on PATH"
    assert not (project / "ran").exists()
