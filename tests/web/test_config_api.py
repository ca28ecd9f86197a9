"""What is configured is shown and changed over HTTP, in the file that owns it, by whoever may."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.web.client import BEARER, HOST, Answer, Client

from mooring import Host, open_host
from mooring.core.status import NeedsApproval
from mooring.host.surroundings import Surroundings
from mooring.system.door import Keys, Places, Role
from mooring.web.app import serving
from mooring.web.parts import Site

JSON = (b"content-type", b"application/json")
TOKEN = "a-token-that-is-long-enough"
EVERYTHING = "a-token-that-may-do-everything"
EXEC = (b"authorization", f"Bearer {EVERYTHING}".encode())
REMOTE = {"type": "remote", "url": "http://127.0.0.1:9/mcp", "enabled": False}
LOCAL = {"type": "local", "command": [sys.executable, "-m", "mooring.servers.greet"], "enabled": False}
SECRET = "sk-abcdefghijklmnopqrstuvwxyz0123456789"
OWN = """{
  // what is mine
  "mcp": {
    "far": {
      "type": "remote",
      "url": "http://127.0.0.1:9/mcp", // over there
      "headers": {"Authorization": "Bearer %s"},
      "enabled": false
    }
  }
}
"""


class Api:
    def __init__(self, client: Client, host: Host, own: Path, project: Path) -> None:
        self.host = host
        self.own = own
        self.project = project
        self._client = client

    async def ask(
        self, method: str, path: str, body: Any = None, who: Any = BEARER, *, query: str = ""
    ) -> Answer:
        data = b"" if body is None else json.dumps(body).encode()
        headers = [HOST, who, *([JSON] if data else [])]
        return await self._client.ask(method, f"/api/v1{path}", headers, body=data, query=query.encode())

    def text(self) -> str:
        return self.own.read_text()


@pytest.fixture
def own(empty_home: Path) -> Path:
    file = empty_home / ".config" / "mooring" / "mooring.jsonc"
    file.parent.mkdir(parents=True)
    file.write_text(OWN % SECRET)
    return file


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    return folder


@asynccontextmanager
async def served(own: Path, project: Path) -> AsyncGenerator[Api]:
    keys = Keys()
    keys.add_token(TOKEN)
    keys.add_token(EVERYTHING, "everything", list(Role))
    place = Surroundings.of(project, None)
    async with (
        open_host(cwd=project) as host,
        serving(host, keys, Places.of("127.0.0.1", 4096), site=Site(place)) as found,
    ):
        yield Api(Client(found.app), host, own, project)


async def test_what_holds_is_told_with_where_it_stands_and_without_secrets(own: Path, project: Path) -> None:
    async with served(own, project) as api:
        told = (await api.ask("GET", "/config")).json
        (url,) = (each for each in told["values"] if each["key"] == "mcp.far.url")
        assert (url["value"], url["file"], url["line"]) == (REMOTE["url"], str(own), 6)
        assert [each["name"] for each in told["servers"]] == ["far"]
        assert told["files"] == [{"layer": "global", "file": str(own)}]
        assert told["problems"] == []
        files = (await api.ask("GET", "/config/files")).json
        assert {"layer": "global", "file": str(own), "state": "read"} in files
        entry = (await api.ask("GET", "/config/servers/far")).json
        assert entry["entry"]["url"] == REMOTE["url"]
        assert (entry["files"], entry["needs"]) == ([str(own)], "admin")
        for path in ("/config", "/config/files", "/config/servers/far"):
            assert SECRET not in (await api.ask("GET", path)).body.decode()
        assert (await api.ask("GET", "/config/servers/nobody")).status == 404


async def test_a_server_is_written_down_where_everybody_else_stands(own: Path, project: Path) -> None:
    async with served(own, project) as api:
        before = api.text()
        entry = {"entry": {**REMOTE, "headers": {"X-Key": SECRET[::-1]}}}
        told = (await api.ask("PUT", "/config/servers/near", {**entry, "preview": True})).json
        assert (told["file"], told["applied"], told["needs"]) == (str(own), False, "admin")
        assert f"--- {own}" in told["diff"]
        assert '+    "near"' in told["diff"]
        assert SECRET[::-1] not in told["diff"]
        assert SECRET not in told["diff"]
        assert api.text() == before
        assert (await api.ask("PUT", "/config/servers/near", entry)).json["applied"] is True
        assert api.text().startswith("{\n  // what is mine\n")
        assert SECRET[::-1] in api.text()
        assert api.host.server("near").word == "disabled"


async def test_an_entry_that_was_shown_can_be_sent_back_changed(own: Path, project: Path) -> None:
    async with served(own, project) as api:
        entry = (await api.ask("GET", "/config/servers/far")).json["entry"]
        assert SECRET not in json.dumps(entry)
        entry["url"] = "http://127.0.0.1:10/mcp"
        told = (await api.ask("PUT", "/config/servers/far", {"entry": entry})).json
        assert told["applied"], told
        assert told["overruledBy"] == []
        assert "http://127.0.0.1:10/mcp" in api.text()
        assert f"Bearer {SECRET}" in api.text()
        assert "// over there" in api.text()
        entry["headers"] = {"Other": "Bearer ***"}
        answer = await api.ask("PUT", "/config/servers/far", {"entry": entry})
        assert (answer.status, answer.json["code"]) == (422, "MOOR-CONFIG-011")


async def test_a_server_is_switched_and_taken_out(own: Path, project: Path) -> None:
    async with served(own, project) as api:
        told = (await api.ask("PATCH", "/config/servers/far", {"enabled": True}, query="preview=true")).json
        assert told["applied"] is False
        assert '+      "enabled": true' in told["diff"]
        assert api.text() == OWN % SECRET
        assert (await api.ask("PATCH", "/config/servers/far", {"enabled": True})).json["applied"] is True
        assert api.host.config.servers["far"].enabled  # type: ignore[union-attr]
        assert (await api.ask("DELETE", "/config/servers/far", query="preview=true")).json["applied"] is False
        told = (await api.ask("DELETE", "/config/servers/far")).json
        assert (told["applied"], told["stillIn"]) == (True, [])
        assert "// what is mine" in api.text()
        assert api.host.servers() == ()
        for method, body in (("PATCH", {"enabled": True}), ("DELETE", None)):
            assert (await api.ask(method, "/config/servers/far", body)).status == 404


@pytest.mark.parametrize(
    "entry",
    [
        LOCAL,
        {**REMOTE, "headersCommand": ["cat", "/etc/passwd"]},
        {**REMOTE, "headers": {"X-File": "{file:~/.ssh/id_rsa}"}},
        {**REMOTE, "oauth": {"grant": "jwt_bearer", "clientId": "a", "assertionFile": "/etc/passwd"}},
    ],
    ids=["local", "command", "file", "assertion"],
)
async def test_what_would_start_or_read_something_takes_exec(own: Path, project: Path, entry: Any) -> None:
    async with served(own, project) as api:
        answer = await api.ask("PUT", "/config/servers/new", {"entry": entry})
        assert (answer.status, answer.json["code"]) == (403, "MOOR-HTTP-003"), answer.json
        assert answer.json["hint"] == "mooring serve --allow-exec"
        assert api.text() == OWN % SECRET
        shown = (await api.ask("PUT", "/config/servers/new", {"entry": entry, "preview": True})).json
        assert shown["needs"] == "exec"
        assert (await api.ask("PUT", "/config/servers/new", {"entry": entry}, EXEC)).json["applied"] is True
        again = await api.ask("PUT", "/config/servers/new", {"entry": REMOTE})
        assert again.status == 403, "what it is now takes it too"


async def test_only_files_that_are_read_here_are_written(own: Path, project: Path, tmp_path: Path) -> None:
    async with served(own, project) as api:
        for file in (str(tmp_path / "other.json"), "../mooring.json", "/etc/passwd", ""):
            answer = await api.ask("PUT", "/config/servers/new", {"entry": REMOTE, "file": file})
            assert (answer.status, answer.json["code"]) == (422, "MOOR-CONFIG-012"), file
        told = (await api.ask("PUT", "/config/servers/new", {"entry": REMOTE, "file": "project"})).json
        assert told["file"] == str(project / "mooring.jsonc")
        named = str(project / ".mcp.json")
        told = (await api.ask("PUT", "/config/servers/newer", {"entry": REMOTE, "file": named})).json
        assert told["file"] == named
        assert "newer" in json.loads((project / ".mcp.json").read_text())["mcpServers"]


@pytest.mark.parametrize(
    "body", [{}, {"entry": []}, {"entry": {}}, {"entry": {"command": 5}}, {"entry": REMOTE, "more": 1}]
)
async def test_what_is_no_entry_changes_nothing(own: Path, project: Path, body: Any) -> None:
    async with served(own, project) as api:
        answer = await api.ask("PUT", "/config/servers/new", body)
        assert answer.status in (400, 422)
        assert answer.json["code"].startswith("MOOR-")
        assert api.text() == OWN % SECRET


async def test_what_a_project_wants_to_start_is_shown_and_approved(own: Path, project: Path) -> None:
    (project / "mooring.json").write_text(json.dumps({"mcp": {"greet": {**LOCAL, "enabled": True}}}))
    async with served(own, project) as api:
        await api.host.settled()
        assert isinstance(api.host.server("greet").status, NeedsApproval)
        shown = (await api.ask("GET", "/servers/greet/trust")).json
        assert shown["approved"] is False
        assert shown["launch"]["command"] == LOCAL["command"]
        assert shown["folder"] == str(project)
        answer = await api.ask("POST", "/servers/greet/trust", {"fingerprint": shown["fingerprint"]})
        assert (answer.status, answer.json["code"]) == (403, "MOOR-HTTP-003")
        answer = await api.ask("POST", "/servers/greet/trust", {"fingerprint": "0" * 64}, EXEC)
        assert (answer.status, answer.json["code"]) == (409, "MOOR-TRUST-001")
        answer = await api.ask("POST", "/servers/greet/trust", {"fingerprint": shown["fingerprint"]}, EXEC)
        assert (answer.status, answer.json["status"]) == (200, "connected")
        assert (await api.ask("GET", "/servers/greet/trust")).json["approved"] is True
        assert (await api.ask("GET", "/servers/nobody/trust")).status == 404


async def test_whoever_may_start_programs_approves_what_they_write(own: Path, project: Path) -> None:
    async with served(own, project) as api:
        entry = {"entry": {**LOCAL, "enabled": True}, "file": "project"}
        assert (await api.ask("PUT", "/config/servers/greet", entry, EXEC)).json["applied"] is True
        await api.host.settled()
        assert api.host.server("greet").word == "connected"


async def test_what_other_clients_have_is_found(own: Path, project: Path, empty_home: Path) -> None:
    theirs = empty_home / ".cursor" / "mcp.json"
    theirs.parent.mkdir()
    theirs.write_text(json.dumps({"mcpServers": {"theirs": {"command": "none", "env": {"KEY": SECRET}}}}))
    async with served(own, project) as api:
        answer = await api.ask("GET", "/config/clients")
        (found,) = answer.json
        assert (found["client"], found["files"], found["servers"]) == ("cursor", [str(theirs)], ["theirs"])
        assert SECRET not in answer.body.decode()
