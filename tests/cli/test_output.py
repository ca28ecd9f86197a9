"""Data and talk apart, colours only where they are wanted, JSON that any terminal can take."""

from __future__ import annotations

import json

import pytest

from mooring import errors
from mooring.cli.render import table
from mooring.cli.run import exit_code

ALL = [
    ("config",),
    ("config", "path"),
    ("config", "schema"),
    ("config", "check"),
    ("config", "get", "mcp.a.command"),
    ("config", "set", "mcp.a.timeout", "5"),
    ("add", "b", "--url", "https://h.example/mcp"),
    ("remove", "a"),
    ("enable", "a"),
    ("disable", "a"),
    ("trust",),
    ("trust", "a"),
    ("import",),
    ("export", "cursor"),
    ("doctor",),
    ("doctor", "list-codes"),
]


@pytest.fixture
def configured(own, monkeypatch, project):
    monkeypatch.setenv("PATH", str(project))
    own.write_text('{"mcp": {"a": {"command": "a-server"}}}')


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_with_json_stdout_is_one_document(mooring, configured, words):
    said = mooring(*words, "--json")
    assert said.code == 0, said.err
    json.loads(said.out)


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_a_pipe_gets_no_escape_sequence(mooring, configured, words):
    said = mooring(*words)
    assert "\x1b" not in said.out + said.err


@pytest.mark.parametrize(
    "words",
    [("config", "get", "nope"), ("remove", "nope"), ("enable", "nope"), ("trust", "nope"), ("add", "x")],
    ids=" ".join,
)
def test_an_error_leaves_stdout_empty_or_is_the_document_itself(mooring, words):
    said = mooring(*words)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("error ")
    as_json = mooring(*words, "--json")
    assert as_json.code == 2
    assert set(as_json.json) == {"error"}
    assert {"code", "message", "hint"} <= as_json.json["error"].keys()


def test_what_a_file_says_is_escaped_in_json_and_still_the_same_value(mooring, own):
    odd = "a\u009b31m\u202eb\u00e9\U000e0041"
    own.write_text(json.dumps({"model": odd}))
    said = mooring("config", "get", "model", "--json")
    assert not set("\u009b\u202e\U000e0041") & set(said.out)
    assert "\u00e9" in said.out
    assert said.json["value"] == odd
    assert not set("\u009b\u202e\U000e0041") & set(mooring("config", "get", "model").out)
    assert not set("\u009b\u202e\U000e0041") & set(mooring("config").out)


def test_a_folder_with_an_odd_name_cannot_act_on_the_terminal(mooring, project, monkeypatch):
    folder = project / "a\x1b[2Jb"
    folder.mkdir()
    (folder / "mooring.json").write_text('{"mcp": {"a": {"command": "x"}}, "mcpp": 1}')
    monkeypatch.chdir(folder)
    for words in (
        ("config",),
        ("config", "path"),
        ("config", "check"),
        ("trust",),
        ("trust", "a"),
        ("doctor",),
    ):
        said = mooring(*words)
        assert "\x1b" not in said.out + said.err


def test_a_table_is_aligned_and_whole_in_a_pipe():
    assert table([("a", "b" * 300), ("long", "c")], indent=2) == f"  a     {'b' * 300}\n  long  c"
    assert table([]) == ""


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (errors.ConfigError, 2),
        (errors.BadEntry, 2),
        (errors.UsageError, 2),
        (errors.NoTerminal, 2),
        (errors.NeedsApprovalError, 4),
        (errors.MooringError, 1),
        (errors.StorageError, 1),
        (errors.Unreachable, 1),
    ],
)
def test_each_family_of_errors_has_its_exit_code(kind, code):
    assert exit_code(kind("it is so")) == code


@pytest.mark.parametrize("words", [("export",), ("export", "nope"), ("completion",), ("completion", "csh")])
def test_a_choice_that_is_missing_or_wrong_is_one_line_that_names_them(mooring, words):
    said = mooring(*words)
    what, hint = said.err.splitlines()
    assert said.code == 2
    assert what.startswith("error ")
    assert "`zed`" in what or "`zsh`" in what
    assert "{" not in what
    assert hint.startswith("  hint mooring ")


@pytest.mark.parametrize(
    "words",
    [
        ("list",),
        ("test",),
        ("debug",),
        ("reload",),
        ("logs",),
        ("auth",),
        ("logout",),
        ("trust",),
        ("enable",),
        ("disable",),
        ("remove",),
        ("pins", "diff"),
    ],
    ids=" ".join,
)
def test_every_command_says_the_same_of_a_server_that_is_not_there(mooring, own, words: tuple[str, ...]):
    own.write_text(json.dumps({"mcp": {"notes": {"command": "notes", "enabled": False}}}))
    found = mooring(*words, "NOTE")
    assert (found.code, found.out) == (2, "")
    assert found.err.splitlines()[-2:] == [
        "error There is no server `NOTE` (MOOR-CONFIG-008)",
        "  hint Did you mean `notes`?",
    ]
    assert mooring(*words, "xyzzy").err.splitlines()[-1] == "  hint mooring list"
