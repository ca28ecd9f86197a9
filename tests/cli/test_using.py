"""Servers used from the command line: listed, searched, called and read."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mooring.cli.commands.list import verdict
from mooring.core.server_view import ServerView
from mooring.core.status import Connected, Failed, NeedsApproval, NeedsAuth
from mooring.errors import BadEntry, ServerExited

SERVER = Path(__file__).parents[1] / "servers" / "notes.py"
NOTES = {"command": [sys.executable, str(SERVER)]}
BROKEN = {"command": [sys.executable, "-c", "raise SystemExit(3)"]}
DEAR = ("mcp", "mcp_types", "pydantic", "rich", "httpx2", "watchfiles", "tomlkit")


@pytest.fixture
def servers(own: Path):
    """`servers(notes=NOTES)` writes the user's own file."""

    def write(**found: Any) -> None:
        own.write_text(json.dumps({"mcp": found}))

    write(notes=NOTES)
    return write


def test_the_list_says_what_each_server_is_and_always_ends_well(mooring, servers):
    servers(notes=NOTES, broken=BROKEN, off={**NOTES, "enabled": False})
    said = mooring("list")
    assert said.code == 0
    rows = [line.split() for line in said.out.splitlines()]
    assert rows[0][:7] == ["notes", "connected", "stdio", "2025-11-25", "6", "2", "1"]
    assert rows[1][:2] == ["broken", "failed"]
    assert "exit code 3" in " ".join(rows[1])
    assert rows[2][:2] == ["off", "disabled"]
    views = mooring("status", "--json").json
    assert [view["status"] for view in views] == ["connected", "failed", "disabled"]
    assert views[0]["counts"] == {"tools": 6, "resources": 1, "templates": 1, "prompts": 1}
    assert (views[1]["exitCode"], views[1]["error"]["code"]) == (3, "MOOR-SERVER-003")


def test_who_asks_for_a_check_or_for_one_server_hears_how_it_is(mooring, servers):
    servers(notes=NOTES, broken=BROKEN)
    assert mooring("ls", "--check").code == 1
    assert mooring("list", "notes").code == 0
    assert mooring("list", "broken").code == 1
    said = mooring("list", "nots")
    assert (said.code, said.out) == (2, "")
    assert "Did you mean `notes`?" in said.err


def test_the_worst_server_decides():
    views = [
        ServerView(name="a", status=status)
        for status in (
            Connected("2025-11-25"),
            Failed(ServerExited("x")),
            NeedsAuth(),
            NeedsApproval(),
            Failed(BadEntry("x")),
        )
    ]
    assert [verdict(views[:count]) for count in range(6)] == [0, 0, 1, 3, 4, 2]


def test_without_servers_every_list_says_how_to_add_one(mooring):
    for verb in ("list", "tools", "resources", "prompts"):
        said = mooring(verb)
        assert (said.code, said.out) == (0, "")
        assert "mooring add" in said.err
    assert mooring("list", "--json").json == []
    assert mooring("tools", "--json").json == []


@pytest.mark.parametrize("pattern", ["notes", "note*", "*_draw", "DRAW", "draw"])
def test_tools_are_found_by_server_by_pattern_and_by_a_part_of_their_name(mooring, servers, pattern: str):
    rows = [line.split() for line in mooring("tools", pattern).out.splitlines()]
    assert ["notes_draw", "reads", "A", "picture."] in rows


def test_a_list_that_lacks_a_server_says_which_and_why(mooring, servers):
    servers(broken=BROKEN)
    said = mooring("tools")
    assert (said.code, said.out) == (0, "")
    assert "`broken` is not in this: `broken` ended with exit code 3" in said.err


def test_a_server_that_waits_for_a_yes_is_an_error_that_says_so(mooring, project: Path):
    (project / ".mcp.json").write_text(json.dumps({"mcpServers": {"notes": {"command": "x"}}}))
    for words in (["call", "notes_add"], ["read", "notes:notes://today"], ["prompt", "notes:summary"]):
        said = mooring(*words)
        assert (said.code, said.out) == (4, "")
        assert "mooring trust notes" in said.err
    assert mooring("list", "--check").code == 4
    assert mooring("tools", "notes").err.startswith("`notes` offers no tool\n")


def test_a_file_that_cannot_be_understood_is_told_beside_every_list(mooring, servers, project: Path):
    (project / "mooring.json").write_text('{"mcp": {')
    said = mooring("tools", "draw")
    assert said.code == 0
    assert "notes_draw" in said.out
    assert "mooring.json` is not valid JSON" in said.err
    assert mooring("list", "--check").code == 2


def test_a_tool_in_full_is_all_that_one_needs_to_call_it(mooring, servers):
    assert mooring("tools", "add", "--full").out.splitlines() == [
        "notes_add  writes",
        "  Keep a note.",
        "  It gets a number.",
        "  title (text)  What it is called",
        "  tags (list of text, may be left out)",
        "  stars (whole number, may be left out)",
        "  → mooring call notes_add title=…",
    ]
    assert mooring("tools", "add", "--json").json[0]["inputSchema"]["required"] == ["title"]


def test_a_call_has_the_types_of_the_schema(mooring, servers):
    said = mooring("call", "notes_add", "title=5", "stars=5", "tags=a", "tags=b")
    assert json.loads(said.out) == {"title": "5", "stars": 5, "tags": ["a", "b"]}
    said = mooring("call", "notes_add", "--json", '{"title": "Milk"}', "stars=1")
    assert said.json == {
        "content": [{"type": "text", "text": '{"stars": 1, "title": "Milk"}'}],
        "structured": {"title": "Milk", "stars": 1},
        "isError": False,
    }


@pytest.mark.parametrize(
    "words",
    [
        ("call", "notes_add", "title=a", "--json"),
        ("call", "notes_add", "--json", "title=a"),
        ("call", "--json", "notes_add", "title=a"),
        ("mcp", "call", "--json", "--json", '{"title": "a"}', "notes_add"),
    ],
)
def test_json_may_stand_anywhere_on_the_line(mooring, servers, words: tuple[str, ...]):
    assert mooring(*words).json["structured"] == {"title": "a"}


@pytest.mark.parametrize(
    ("words", "code", "wanted"),
    [
        (("notes_add",), 2, "`notes_add` needs `title` (text)"),
        (("notes_add", "titel=a"), 2, "Did you mean `title`?"),
        (("notes_ad", "title=a"), 1, "Did you mean `notes_add`?"),
        (("notes_refuse",), 1, "The tool reported an error:\nno more paper"),
        (("notes_ask",), 0, ""),
        ((), 2, "Which tool?"),
    ],
)
def test_what_went_wrong_is_talk_and_an_exit_code(mooring, servers, words, code: int, wanted: str):
    said = mooring("call", *words)
    assert said.code == code
    assert wanted in said.err
    assert code == 0 or said.out == ""


def test_without_a_terminal_a_server_that_asks_gets_no_yes(mooring, servers):
    assert mooring("call", "notes_ask").out.strip() in ("none", "decline", "cancel")


def test_a_picture_is_named_or_saved(mooring, servers, project: Path):
    assert mooring("call", "notes_draw").out == "[image png 8 B: --save DIR keeps it]\n"
    assert "saved as" in mooring("call", "notes_draw", "--save", "out").out
    assert (project / "out" / "notes_draw-1.png").read_bytes() == b"\x89PNG\r\n\x1a\n"


def test_resources_are_listed_and_read(mooring, servers):
    assert [line.split()[:2] for line in mooring("resources").out.splitlines()] == [
        ["notes", "notes://today"],
        ["notes", "notes://{day}"],
    ]
    assert list(mooring("resources", "--json").json) == ["resources", "templates"]
    assert mooring("read", "notes://today").out == "the text of notes://today\n"
    assert mooring("read", "notes:notes://monday").out == "the text of notes://monday\n"
    assert mooring("read", "x://y", "--server", "notes", "--json").json["contents"][0]["uri"] == "x://y"


def test_prompts_are_listed_and_filled_in(mooring, servers):
    assert mooring("prompts").out.split() == ["notes:summary", "tone=…", "Sum", "up."]
    assert mooring("prompt", "notes:summary", "tone=kind").out == "Be kind\n"
    assert mooring("prompt", "notes:summary").code == 2
    assert mooring("prompt", "notes:summary", "tone=5", "--json").json["messages"][0]["role"] == "user"
    assert mooring("prompt", "notes:sumary", "tone=5").code == 1


def test_a_search_finds_the_tool_that_answers(mooring, servers):
    assert mooring("search", "keep", "a", "note").out.split()[0] == "notes_add"
    assert mooring("search", "pictrue", "--kind", "tool", "--json").json[0]["name"] == "notes_draw"
    assert mooring("search", "xyzzy").err.startswith("Nothing answers `xyzzy`")


@pytest.mark.parametrize(
    "words", [["list"], ["tools"], ["call", "notes_add", "title=a"], ["read", "notes://today"]]
)
def test_the_hot_paths_import_nothing_dear(servers, project, words: list[str]):
    program = (
        "import sys; from mooring.cli import app; code = app.run(sys.argv[1:]);"
        f"print([name for name in {DEAR!r} if name in sys.modules], code, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *words], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stderr == "[] 0\n"


def heard(descriptor: int) -> str:
    assert select.select([descriptor], [], [], 30)[0], "the server never said how far it is"
    return os.read(descriptor, 100).decode().strip()


def test_an_interrupt_ends_a_call_here_and_at_the_server(servers, project, tmp_path: Path):
    marks = tmp_path / "marks"
    os.mkfifo(marks)
    descriptor = os.open(marks, os.O_RDWR)
    servers(notes={**NOTES, "environment": {"NOTES_MARKS": str(marks)}})
    program = [sys.executable, "-m", "mooring", "call", "notes_hang"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert heard(descriptor) == "hanging"
        os.kill(child.pid, signal.SIGINT)
        assert heard(descriptor) == "cancelled"
        out, err = child.communicate(timeout=60)
    os.close(descriptor)
    assert (child.returncode, out, err.strip()) == (130, b"", b"")


def test_calls_are_remembered_with_who_made_them_and_how_they_went(mooring, servers):
    assert mooring("calls").err.startswith("No call was made yet")
    mooring("call", "notes_add", "title=Milk")
    assert mooring("call", "notes_nothing").code != 0
    rows = mooring("calls").out.splitlines()
    assert "notes_nothing" in rows[0]
    assert "MOOR-CALL-002" in rows[0]
    assert "notes_add" in rows[1]
    newest, oldest = mooring("calls", "--json").json
    assert (oldest["caller"], oldest["server"], oldest["tool"]) == ("mooring call", "notes", "notes_add")
    assert oldest["arguments"]["title"] == "Milk"
    assert (newest["server"], newest["outcome"], newest["code"]) == (None, "failed", "MOOR-CALL-002")
    assert [each["tool"] for each in mooring("calls", "notes", "--json").json] == ["notes_add"]
    assert [each["tool"] for each in mooring("calls", "--failed", "--json").json] == ["notes_nothing"]
    assert mooring("calls", "nobody").err.startswith("No call of `nobody` is known")


def test_a_data_folder_that_refuses_is_said_and_the_call_goes_on(mooring, servers, empty_home):
    (empty_home / ".local").mkdir(exist_ok=True)
    (empty_home / ".local" / "share").write_text("in the way")
    said = mooring("call", "notes_add", "title=Milk")
    assert said.code == 0
    assert "this is not kept" in said.err
