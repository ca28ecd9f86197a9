"""A secret planted wherever one can stand comes out of no command."""

from __future__ import annotations

import json
import logging
import secrets
import shlex
from pathlib import Path

import click
import pytest

from mooring.cli import app

CANARY = "Kx7" + secrets.token_hex(12)

LOCAL = {
    "command": ["server", "--api-key", CANARY, f"--token={CANARY}", f"https://user:{CANARY}@h.example/"],
    "environment": {"API_KEY": CANARY, "HARMLESS_NAME": CANARY, "REFERENCE": "{env:CANARY}"},
    "timeout": "wrong",
}
REMOTE = {
    "url": f"https://user:{CANARY}@127.0.0.1:9/{CANARY}/mcp?token={CANARY}&q={CANARY}#access_token={CANARY}",
    "headers": {"Authorization": f"Bearer {CANARY}", "X-Whatever": CANARY},
    "oauth": {"clientId": "me", "clientSecret": CANARY},
}
GATED = {"type": "stdio", "command": "server", "args": ["--api-key", CANARY], "env": {"SECRET": CANARY}}
LOGIN = {"tokens": {"accessToken": CANARY, "refreshToken": CANARY}, "serverUrl": "https://h.example/mcp"}

COMMANDS = [
    f"add new --header 'Authorization: Bearer {CANARY}' --url 'https://u:{CANARY}@h.example/?key={CANARY}'",
    f"add new --env API_KEY={CANARY} -- server --api-key {CANARY}",
    f"add remote --url https://h.example --header X-Token={CANARY}",
    f"add broken --url 'ftp://u:{CANARY}@h.example'",
    f"add new --header {CANARY} --url https://h.example",
    "remove local",
    "remove nobody",
    "enable gated",
    "disable remote",
    "trust",
    "trust gated",
    "trust gated --yes",
    "trust --all --yes",
    "trust remote",
    "trust gated --revoke",
    "import",
    "import claude-code",
    "import cursor --apply",
    "import opencode",
    "export claude-code",
    "export cursor --name remote",
    "export cursor --apply",
    "config",
    "config get mcp.remote",
    "config get mcp.remote.headers.Authorization",
    "config get mcp.inline.environment",
    "config get mcp.remote.oauth.clientSecret",
    f"config set mcp.remote.headers.X-New {CANARY}",
    f"config set mcp.remote.oauth.clientSecret {CANARY}",
    f"config set mcp.remote.timeout {CANARY}",
    "list",
    "list --check",
    "list remote",
    "tools",
    f"call remote_it token={CANARY}",
    "resources",
    f"read notes://x?token={CANARY}",
    "prompts",
    f"prompt it token={CANARY}",
    "search token",
    "logs remote",
    "logs nobody",
    "calls",
    "test remote",
    "debug remote",
    "reload remote",
    "pins",
    "pins diff",
    "pins approve remote --yes",
    "pins reset remote",
    "auth remote",
    "auth list",
    "logout remote",
    "config check",
    "config path",
    "config schema",
    "doctor",
    "doctor list-codes",
    "completion zsh",
]


@pytest.fixture
def planted(own: Path, project: Path, empty_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The canary in every place."""
    monkeypatch.setenv("CANARY", CANARY)
    monkeypatch.setenv("MOORING_TOKEN", CANARY)
    monkeypatch.setenv("PATH", str(project))
    inline = {"mcp": {"inline": {"command": "x", "environment": {"PASSWORD": CANARY}}}}
    monkeypatch.setenv("OPENCODE_CONFIG_CONTENT", json.dumps(inline))
    monkeypatch.setenv(
        "MOORING_CONFIG_CONTENT", f'{{"mcp": {{"x": {{"headers": {{"A": "{CANARY}" oops}}}}}}}}'
    )
    own.write_text(json.dumps({"mcp": {"local": LOCAL, "remote": REMOTE}}, indent=1))
    (project / ".mcp.json").write_text(
        json.dumps({"mcpServers": {"gated": GATED, "again": {**GATED, "env": 5}}})
    )
    (project / "opencode.jsonc").write_text(
        f'{{"mcp": {{"b": {{"headers": {{"X-Api-Key": "{CANARY}"\n,,}}}}}}}}'
    )
    (project / "mooring.toml").write_text(f'[mcp.toml.headers]\nAuthorization = "Bearer {CANARY}" oops\n')
    (empty_home / ".claude.json").write_text(json.dumps({"mcpServers": {"claude": GATED}}))
    cursor = empty_home / ".cursor"
    cursor.mkdir()
    (cursor / "mcp.json").write_text(json.dumps({"mcpServers": {"cursor": REMOTE, "remote": GATED}}))
    data = empty_home / ".local" / "share" / "opencode"
    data.mkdir(parents=True)
    (data / "mcp-auth.json").write_text(json.dumps({"remote": LOGIN, "broken": CANARY}))
    # nothing listens on port 9, so that the organisation is asked and does not answer
    told = {"http://127.0.0.1:9": {"type": "wellknown", "key": "CANARY", "token": CANARY}}
    (data / "auth.json").write_text(json.dumps(told))


def test_every_command_is_tried() -> None:
    def leaves(command: click.Command, words: tuple[str, ...]) -> set[str]:
        inner = command.commands if isinstance(command, click.Group) else {}
        own = {" ".join(words)} if words and command.callback else set()
        return own.union(*(leaves(each, (*words, name)) for name, each in inner.items() if name != "mcp"))

    # the demo has a home and a project of its own, and takes its time; what is served has tests of its own
    missing = {
        name
        for name in leaves(app.program(), ()) - {"demo", "serve", "gateway"}
        if not any(f"{line} ".startswith(f"{name} ") for line in COMMANDS)
    }
    assert missing == set()


@pytest.mark.parametrize("as_json", [False, True], ids=["human", "json"])
@pytest.mark.parametrize("line", COMMANDS, ids=lambda line: line.replace(CANARY, "CANARY"))
def test_no_command_shows_a_secret(mooring, planted, caplog, line, as_json):
    caplog.set_level(logging.DEBUG)
    words = shlex.split(line)
    at = words.index("--") if "--" in words else len(words)
    is_text = words[0] == "completion"
    said = mooring(*words[:at], *(["--json"] if as_json and not is_text else []), *words[at:])
    assert said.code in (0, 1, 2, 4)
    assert "mistake in Mooring" not in said.out + said.err
    assert CANARY not in said.out + said.err + caplog.text
    assert CANARY[3:15] not in said.out + said.err
    if as_json and not is_text:
        json.loads(said.out)


@pytest.mark.parametrize(
    "address", [f"http://u:{CANARY}@127.0.0.1:9", f"ftp://u:{CANARY}@h.example"], ids=["http", "ftp"]
)
@pytest.mark.parametrize("line", ["config", "config check --json", "config path", "doctor"])
def test_the_address_of_an_organisation_may_hold_a_secret(mooring, planted, monkeypatch, line, address):
    monkeypatch.setenv("MOORING_ORGANISATION", address)
    said = mooring(*line.split())
    assert CANARY not in said.out + said.err


@pytest.mark.parametrize("words", [("config",), ("config", "--json"), ("mcp", "config")], ids=" ".join)
def test_a_mistake_of_our_own_is_one_line_and_shows_no_value(mooring, monkeypatch, words):
    from mooring.cli.commands import config

    def broken(*_: object, **__: object) -> int:
        raise RuntimeError(CANARY)

    monkeypatch.setattr(config, "run", broken)
    said = mooring(*words)
    assert said.code == 1
    assert CANARY not in said.out + said.err
    if "--json" in words:
        assert said.json["error"]["code"] == "MOOR-INTERNAL-001"
        assert said.err == ""
    else:
        first, hint = said.err.splitlines()
        assert "RuntimeError at cli/run.py:" in first
        assert hint.startswith("  hint ")
