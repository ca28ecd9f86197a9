"""`mooring add`, `remove`, `enable` and `disable`."""

from __future__ import annotations

import json

import pytest


def entry(file, name):
    return json.loads(file.read_text())["mcp"][name]


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["--", "npx", "-y", "pkg"], {"type": "local", "command": ["npx", "-y", "pkg"]}),
        (["--command", "npx", "--args", "-y 'a b'"], {"type": "local", "command": ["npx", "-y", "a b"]}),
        (
            ["--env", "A=1=2", "--env", "B=", "--cwd", "/srv", "--", "x", "--url", "y"],
            {
                "type": "local",
                "command": ["x", "--url", "y"],
                "cwd": "/srv",
                "environment": {"A": "1=2", "B": ""},
            },
        ),
        (["--timeout", "5", "--", "x"], {"type": "local", "command": ["x"], "timeout": 5}),
        (["--url", "https://h.example/mcp"], {"type": "remote", "url": "https://h.example/mcp"}),
        (
            ["--url", "https://h.example", "--header", "X-A: b=c", "--header", "X-B={env:B}", "--oauth"],
            {
                "type": "remote",
                "url": "https://h.example",
                "headers": {"X-A": "b=c", "X-B": "{env:B}"},
                "oauth": {},
            },
        ),
        (
            ["--url", "https://h.example", "--no-oauth", "--transport", "sse"],
            {"type": "remote", "url": "https://h.example", "transport": "sse", "oauth": False},
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_each_form_writes_the_entry_it_says(mooring, own, words, wanted):
    said = mooring("add", "it", *words)
    assert (said.code, said.out) == (0, ""), said.err
    assert entry(own, "it") == wanted
    assert "Undo: mooring remove it" in said.err
    assert mooring("config", "check").code == 0


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--url", "https://h.example", "--", "x"],
        ["--command", "x", "--", "y"],
        ["--args", "x"],
        ["--args", "'x", "--command", "y"],
        ["--url", "https://h.example", "--env", "A=1"],
        ["--url", "https://h.example", "--cwd", "/"],
        ["--header", "A=1", "--", "x"],
        ["--oauth", "--", "x"],
        ["--no-oauth", "--", "x"],
        ["--transport", "sse", "--", "x"],
        ["--env", "A", "--", "x"],
        ["--env", "=1", "--", "x"],
        ["--url", "https://h.example", "--header", "A"],
        ["--url", "ftp://h.example"],
        ["--url", "no address"],
        ["--global", "--project", "--", "x"],
    ],
    ids=" ".join,
)
def test_a_wrong_combination_writes_nothing_and_ends_with_2(mooring, own, words):
    said = mooring("add", "it", *words)
    assert (said.code, said.out) == (2, "")
    assert "  hint " in said.err
    assert not own.exists()
    assert mooring("add", "it", "--json", *words).json["error"]["hint"]


@pytest.mark.parametrize("name", ["", "a\nb", "x" * 129])
def test_a_name_that_no_server_can_have_is_refused(mooring, own, name):
    assert mooring("add", name, "--", "x").code == 2
    assert not own.exists()


def test_bare_and_without_a_terminal_there_is_nobody_to_ask(mooring):
    said = mooring("add")
    assert (said.code, said.out) == (2, "")
    assert "MOOR-USAGE-002" in said.err
    assert "mooring add NAME -- COMMAND" in said.err


def test_a_taken_name_is_refused_until_replace_is_said(mooring, own):
    mooring("add", "it", "--", "one")
    said = mooring("add", "it", "--", "two")
    assert said.code == 2
    assert "--replace" in said.err
    assert entry(own, "it")["command"] == ["one"]
    assert mooring("add", "it", "--replace", "--", "two").code == 0
    assert entry(own, "it")["command"] == ["two"]


def test_a_literal_secret_is_written_and_warned_of_without_being_shown(mooring, own):
    said = mooring("add", "it", "--url", "https://h.example", "--header", "X-Api-Key: hunter2hunter2")
    assert said.code == 0
    assert "MOOR-CONFIG-019" in said.err
    assert "{env:X_API_KEY}" in said.err
    assert "hunter2" not in said.err


def test_project_writes_there_and_approves_by_that_act(mooring, project, own):
    assert mooring("add", "it", "--project", "--", "python3").code == 0
    assert entry(project / "mooring.jsonc", "it")["command"] == ["python3"]
    assert not own.exists()
    assert [(each["name"], each["approved"]) for each in mooring("trust", "--json").json] == [("it", True)]


def test_somebody_elses_words_under_the_same_name_are_not_approved_by_adding(mooring, project):
    (project / ".mcp.json").write_text('{"mcpServers": {"it": {"command": "x", "env": {"A": "1"}}}}')
    assert mooring("add", "it", "--project", "--", "python3").code == 0
    assert [each["approved"] for each in mooring("trust", "--json").json] == [False]


def test_adding_where_a_stronger_file_says_more_is_said(mooring, project, own):
    (project / ".mcp.json").write_text('{"mcpServers": {"it": {"command": "x"}}}')
    said = mooring("add", "it", "--", "python3")
    assert said.code == 0
    assert "is stronger" in said.err
    assert mooring("add", "it", "--replace", "--json", "--", "y").json["overruledBy"] == [
        str(project / ".mcp.json")
    ]


def test_file_names_any_file_and_its_dialect_is_kept(mooring, project):
    mooring("add", "it", "--file", ".mcp.json", "--env", "A=1", "--", "x", "y")
    assert json.loads((project / ".mcp.json").read_text()) == {
        "mcpServers": {"it": {"type": "stdio", "command": "x", "args": ["y"], "env": {"A": "1"}}}
    }


def test_remove_takes_out_the_strongest_and_says_what_is_left(mooring, project, own):
    mooring("add", "it", "--", "one")
    mooring("add", "it", "--project", "--", "two")
    said = mooring("remove", "it", "--json")
    assert said.json == {"removed": "it", "file": str(project / "mooring.jsonc"), "stillIn": [str(own)]}
    assert mooring("remove", "it").code == 0
    assert mooring("config", "--json").json["servers"] == []


def test_remove_leaves_the_comments_of_the_others(mooring, own):
    own.write_text(
        '{\n  // keep\n  "mcp": {\n    "a": {"command": "x"}, // mine\n    "b": {"command": "y"}\n  }\n}\n'
    )
    assert mooring("remove", "b").code == 0
    assert "// keep" in own.read_text()
    assert "// mine" in own.read_text()


@pytest.mark.parametrize("verb", ["remove", "enable", "disable"])
def test_a_name_that_nobody_has_is_answered_with_the_nearest(mooring, verb):
    mooring("add", "memory", "--", "x")
    said = mooring(verb, "memmory")
    assert (said.code, said.out) == (2, "")
    assert "Did you mean `memory`?" in said.err
    assert mooring(verb, "memmory", "--json").json["error"]["code"] == "MOOR-CONFIG-008"


def test_disable_and_enable_turn_one_switch(mooring, own):
    mooring("add", "it", "--", "x")
    assert mooring("disable", "it", "--json").json == {"name": "it", "enabled": False, "file": str(own)}
    assert mooring("config", "--json").json["servers"][0]["enabled"] is False
    assert mooring("enable", "it").code == 0
    assert mooring("config", "--json").json["servers"][0]["enabled"] is True


def test_a_switch_that_a_stronger_file_turns_back_ends_with_1(mooring, own, project):
    mooring("add", "it", "--", "x")
    (project / "opencode.json").write_text('{"mcp": {"it": {"enabled": false}}}')
    said = mooring("enable", "it", "--global")
    assert said.code == 1
    assert "is stronger" in said.err
    assert mooring("enable", "it", "--global", "--json").json["enabled"] is False


def test_a_switch_of_a_projects_server_in_my_own_file_leaves_the_project_alone(mooring, own, project):
    file = project / ".mcp.json"
    file.write_text('{"mcpServers": {"it": {"command": "x"}}}')
    before = file.read_text()
    assert mooring("disable", "it", "--global").code == 0
    assert file.read_text() == before
    assert mooring("config", "--json").json["servers"][0]["enabled"] is False


def test_a_file_that_is_not_read_here_is_written_and_said(mooring, project):
    said = mooring("add", "it", "--file", "other.toml", "--", "x")
    assert said.code == 0
    assert "./other.toml is not read here; MOORING_CONFIG=./other.toml reads it" in said.err
    assert "[mcp.it]" in (project / "other.toml").read_text()
    assert (
        mooring("add", "it", "--file", "other.toml", "--replace", "--json", "--", "x").json["read"] is False
    )
    assert mooring("add", "it", "--json", "--", "x").json["read"] is True


@pytest.mark.parametrize(
    ("file", "env", "inputs"),
    [
        (".mcp.json", "${T}", "{input:K}"),
        (".cursor/mcp.json", "${env:T}", "${input:K}"),
        (".vscode/mcp.json", "${env:T}", "${input:K}"),
        ("mooring.json", "{env:T}", "{input:K}"),
    ],
)
def test_references_are_written_as_the_files_own_client_reads_them(mooring, project, file, env, inputs):
    mooring("add", "it", "--file", file, "--header", "A: Bearer {env:T}", "--url", "https://h.example")
    mooring("config", "set", "mcp.it.headers.B", "{input:K} {file:~/x}")
    text = (project / file).read_text()
    assert f'"A": "Bearer {env}"' in text
    assert f'"B": "{inputs} {{file:~/x}}"' in text
    assert mooring("config", "get", "mcp.it.headers.A").out == "Bearer {env:T}\n"


def test_a_default_is_written_where_the_client_knows_defaults(mooring, project):
    for file in (".mcp.json", ".vscode/mcp.json"):
        mooring("add", "it", "--file", file, "--replace", "--", "x", "{env:T:-a b}")
    assert '"${T:-a b}"' in (project / ".mcp.json").read_text()
    assert '"{env:T:-a b}"' in (project / ".vscode/mcp.json").read_text()
