"""`mooring import`, from the command line to the files."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from mooring.auth.vault import Tokens, Vault
from mooring.cli import app

CURSOR = """{"mcpServers": {
  "notes": {"command": "npx", "args": ["-y", "notes", "--token", "hush-11"], "env": {"API_KEY": "hush-22"}},
  "docs": {"url": "https://docs.example.com/mcp?key=hush-33", "headers": {"X": "${env:X}"}},
  "odd": {"args": []}}}"""
GEMINI = '{"mcpServers": {"notes": {"command": "other"}, "gem": {"httpUrl": "http://localhost:1/mcp"}}}'
URL = "https://docs.example.com/mcp?key=hush-33"


@dataclass
class Said:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Said]


@pytest.fixture
def run(empty_home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    project = empty_home / "project"
    (project / ".git").mkdir(parents=True)
    monkeypatch.chdir(project)

    def call(*words: str) -> Said:
        code = app.run(["import", *words])
        said = capsys.readouterr()
        assert "hush" not in said.out + said.err
        return Said(code, said.out, said.err)

    return call


def put(home: Path, file: str, text: str) -> Path:
    path = home / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def own(home: Path) -> Any:
    return json.loads((home / ".config/mooring/mooring.jsonc").read_text())


def rows(said: Said) -> list[list[str]]:
    return [line.split()[:2] for line in said.out.splitlines() if line.startswith("  ")]


def test_without_anything_it_says_where_it_looked(run: Run) -> None:
    said = run()
    assert (said.code, said.out) == (0, "")
    for place in ("~/.cursor/mcp.json", "~/.config/zed/settings.json", "~/.opencode/mcp-auth.json"):
        assert place in said.err
    assert "~/.codex/config.toml" not in run("cursor").err


def test_a_dry_run_shows_everything_and_writes_nothing(run: Run, empty_home: Path) -> None:
    put(empty_home, ".cursor/mcp.json", CURSOR)
    put(empty_home, ".gemini/settings.json", GEMINI)
    said = run()
    assert said.code == 0
    assert rows(said) == [
        ["new", "notes"],
        ["new", "docs"],
        ["bad", "odd"],
        ["taken", "notes"],
        ["new", "gem"],
    ]
    assert "npx -y notes --token ***" in said.out
    assert "environment.API_KEY" in said.err
    assert not (empty_home / ".config/mooring").exists()
    assert not (empty_home / ".local/share/mooring").exists()


def test_apply_copies_secrets_as_they_are_into_a_private_file(run: Run, empty_home: Path) -> None:
    source = put(empty_home, ".cursor/mcp.json", CURSOR)
    assert run("cursor", "--apply").code == 0
    assert own(empty_home)["mcp"] == {
        "notes": {
            "type": "local",
            "command": ["npx", "-y", "notes", "--token", "hush-11"],
            "environment": {"API_KEY": "hush-22"},
        },
        "docs": {"type": "remote", "url": URL, "headers": {"X": "{env:X}"}},
    }
    assert (empty_home / ".config/mooring/mooring.jsonc").stat().st_mode & 0o777 == 0o600
    assert source.read_text() == CURSOR
    again = run("cursor", "--apply")
    assert rows(again) == [["same", "notes"], ["same", "docs"], ["bad", "odd"]]
    assert "Nothing to do" in again.err


def test_a_taken_name_is_skipped_unless_it_is_to_be_replaced(run: Run, empty_home: Path) -> None:
    put(empty_home, ".config/mooring/mooring.jsonc", '{"mcp": {"notes": {"command": ["mine"]}}}')
    put(empty_home, ".gemini/settings.json", GEMINI)
    run("gemini", "--apply")
    assert own(empty_home)["mcp"]["notes"] == {"command": ["mine"]}
    assert own(empty_home)["mcp"]["gem"]["transport"] == "http"
    said = run("gemini", "--apply", "--replace")
    assert rows(said) == [["replace", "notes"], ["same", "gem"]]
    assert own(empty_home)["mcp"]["notes"] == {"type": "local", "command": ["other"]}


def test_only_takes_the_named_ones(run: Run, empty_home: Path) -> None:
    put(empty_home, ".cursor/mcp.json", CURSOR)
    run("--only", "docs", "--apply")
    assert list(own(empty_home)["mcp"]) == ["docs"]
    said = run("--only", "nobody")
    assert said.code == 2
    assert "`nobody`" in said.err


def test_json_says_the_same(run: Run, empty_home: Path) -> None:
    put(empty_home, ".cursor/mcp.json", CURSOR)
    found = run("--json").json
    assert (found["applied"], found["problems"]) == (False, [])
    (client,) = found["clients"]
    assert client["client"] == "cursor"
    notes, docs, odd = client["servers"]
    assert (notes["outcome"], notes["literalSecrets"]) == ("new", ["environment.API_KEY", "command"])
    assert docs["server"]["url"] == "https://docs.example.com/mcp?key=***"
    assert (odd["outcome"], odd["server"]["errors"][0]["line"]) == ("bad", 4)
    assert run("--apply", "--json").json["applied"] is True


def test_a_broken_file_stops_nobody_else(run: Run, empty_home: Path) -> None:
    broken = put(empty_home, ".cursor/mcp.json", '{"mcpServers": {"a": {"env": {"K": "hush-1"}')
    put(empty_home, ".gemini/settings.json", GEMINI)
    said = run("--apply")
    assert said.code == 0
    assert "MOOR-IMPORT-001" in said.err
    assert own(empty_home)["mcp"].keys() == {"notes", "gem"}
    assert run("cursor").code == 2
    assert run("cursor", "--json").json["problems"][0]["line"] == 1
    assert broken.read_text().endswith('"hush-1"}')


def test_a_toml_file_and_a_project_file_can_be_the_target(run: Run, empty_home: Path) -> None:
    put(empty_home, ".cursor/mcp.json", CURSOR)
    put(empty_home, "project/mooring.toml", "# ours\n")
    run("--project", "--apply")
    assert "# ours" in (empty_home / "project/mooring.toml").read_text()
    assert rows(run()) == [["same", "notes"], ["same", "docs"], ["bad", "odd"]]


def test_a_target_that_is_not_read_is_said(run: Run, empty_home: Path) -> None:
    put(empty_home, ".cursor/mcp.json", CURSOR)
    said = run("--file", "elsewhere.json", "--apply")
    assert "MOORING_CONFIG=./elsewhere.json" in said.err
    assert Path("elsewhere.json").exists()


@pytest.mark.parametrize("word", [".cursor/mcp.json", "project/../.claude.json"])
def test_another_clients_file_is_never_the_target(run: Run, empty_home: Path, word: str) -> None:
    put(empty_home, ".cursor/mcp.json", CURSOR)
    said = run("--file", str(empty_home / word), "--apply")
    assert said.code == 2
    assert (empty_home / ".cursor/mcp.json").read_text() == CURSOR


def login(url: str = URL, **more: Any) -> str:
    tokens = {"accessToken": "hush-a", "refreshToken": "hush-r", "expiresAt": time.time() + 99, **more}
    return json.dumps(
        {"docs": {"tokens": tokens, "serverUrl": url}, "gone": {"tokens": tokens, "serverUrl": url}}
    )


def test_opencodes_logins_go_into_the_vault(run: Run, empty_home: Path) -> None:
    file = put(empty_home, ".local/share/opencode/mcp-auth.json", login())
    before = file.read_text()
    put(
        empty_home,
        ".config/opencode/opencode.json",
        json.dumps({"mcp": {"docs": {"type": "remote", "url": URL}}}),
    )
    vault = Vault(empty_home / ".local/share/mooring/credentials")
    assert rows(run("opencode")) == [["new", "docs"], ["unknown", "gone"]]
    assert vault.records() == []
    said = run("opencode", "--apply")
    assert "layers of Mooring already" in said.err
    record = vault.open("docs", URL)
    assert record is not None
    assert record.tokens is not None
    assert (record.tokens.access, record.source) == ("hush-a", "opencode")
    assert rows(run("opencode")) == [["kept", "docs"], ["unknown", "gone"]]
    assert file.read_text() == before


def test_a_server_and_its_login_come_in_one_go(run: Run, empty_home: Path) -> None:
    put(empty_home, ".cursor/mcp.json", CURSOR)
    put(empty_home, ".opencode/mcp-auth.json", login())
    said = run("--apply")
    assert "1 login to the vault" in said.err
    assert run("--json").json["logins"][0] == {
        "server": "docs",
        "url": "https://docs.example.com/mcp?key=***",
        "outcome": "kept",
    }


def test_an_address_with_references_is_filled_in_first(
    run: Run, empty_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(empty_home, ".opencode/mcp-auth.json", login("https://example.com/mcp"))
    put(empty_home, ".config/mooring/mooring.json", '{"mcp": {"docs": {"url": "https://{env:AT}/mcp"}}}')
    assert rows(run("opencode"))[0] == ["unknown", "docs"]
    monkeypatch.setenv("AT", "elsewhere.example.com")
    assert rows(run("opencode"))[0] == ["elsewhere", "docs"]
    monkeypatch.setenv("AT", "example.com")
    assert rows(run("opencode"))[0] == ["new", "docs"]


def test_a_vault_that_cannot_be_used_is_a_problem_and_no_more(run: Run, empty_home: Path) -> None:
    put(empty_home, ".cursor/mcp.json", CURSOR)
    put(empty_home, ".opencode/mcp-auth.json", login())
    vault = Vault(empty_home / ".local/share/mooring/credentials")
    run("--apply")
    shutil.rmtree(empty_home / ".config/mooring")
    (empty_home / ".local/share/mooring/credentials").chmod(0o777)
    said = run("--apply")
    assert (said.code, "MOOR-STORAGE-001" in said.err) == (0, True)
    assert own(empty_home)["mcp"].keys() == {"notes", "docs"}
    (empty_home / ".local/share/mooring/credentials").chmod(0o700)
    assert isinstance(getattr(vault.open("docs", URL), "tokens", None), Tokens)
