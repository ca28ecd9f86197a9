"""`mooring config` and what stands below it."""

from __future__ import annotations

import json

import jsonschema
import pytest

PROJECT = """\
{
  // the project's
  "mcp": {
    "notes": {"command": ["notes-server", "--quiet"], "timeout": 5000},
    "a.b": {"url": "https://h.example/mcp"}
  }
}
"""


@pytest.fixture
def layers(own, project):
    """Two files that both say something of `notes`."""
    own.write_text('{"mcp": {"notes": {"timeout": 9000}, "mine": {"command": "mine"}}}')
    (project / "opencode.jsonc").write_text(PROJECT)
    return own, project / "opencode.jsonc"


def test_config_says_for_every_value_what_it_is_and_where_it_was_written(mooring, layers):
    own, theirs = layers
    said = mooring("config", "--json")
    assert (said.code, said.err) == (0, "")
    values = {value["key"]: value for value in said.json["values"]}
    assert values["mcp.notes.timeout.start"]["value"] == 5000
    assert (
        values["mcp.notes.timeout.start"] | {"layer": "project", "file": str(theirs), "line": 4}
        == values["mcp.notes.timeout.start"]
    )
    assert values["mcp.mine.command"]["file"] == str(own)
    assert [entry["name"] for entry in said.json["servers"]] == ["notes", "mine", "a.b"]
    assert said.json["files"] == [
        {"layer": "global", "file": str(own)},
        {"layer": "project", "file": str(theirs)},
    ]
    assert said.json["problems"] == []


def test_config_on_a_terminal_has_one_line_for_each_value(mooring, layers):
    lines = mooring("config").out.splitlines()
    assert any(
        line.split() == ["mcp.mine.command", "~/.config/mooring/mooring.jsonc:1", '"mine"'] for line in lines
    )
    assert any(line.startswith("mcp.notes.command ") and "./opencode.jsonc:4" in line for line in lines)


def test_nothing_configured_is_fine_and_says_what_to_do(mooring):
    said = mooring("config")
    assert (said.code, said.out) == (0, "")
    assert "mooring add" in said.err
    assert mooring("config", "--json").json == {"values": [], "servers": [], "files": [], "problems": []}


def test_path_lists_the_weakest_first_and_says_what_was_read(mooring, layers):
    own, theirs = layers
    rows = mooring("config", "path", "--json").json
    read = [row["file"] for row in rows if row["state"] == "read"]
    assert read == [str(own), str(theirs)]
    order = ["global", "project", "folder", "managed"]
    assert sorted(rows, key=lambda row: order.index(row["layer"])) == rows


def test_a_broken_file_is_marked_in_the_list_of_paths(mooring, project):
    (project / "opencode.json").write_text("{")
    rows = {row["file"]: row["state"] for row in mooring("config", "path", "--json").json}
    assert rows[str(project / "opencode.json")] == "broken"


def test_the_schema_is_one_and_accepts_a_file_of_ours(mooring):
    said = mooring("config", "schema")
    schema = json.loads(said.out)
    jsonschema.Draft202012Validator.check_schema(schema)
    file = {"mcp": {"a": {"command": ["x"], "timeout": 5}, "b": {"url": "https://h.example", "oauth": False}}}
    jsonschema.validate(file, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"mcp": {"a": {"command": 5}}}, schema)


def test_check_of_a_good_configuration_ends_with_0(mooring, layers):
    said = mooring("config", "check")
    assert (said.code, said.out) == (0, "")
    assert "2 files read: 0 errors, 0 notes" in said.err


def test_check_shows_every_mistake_with_its_line_and_ends_with_2(mooring, own, project):
    own.write_text('{"mcp": {"a": {"command": 5}},\n "mcpp": {}}')
    (project / "opencode.json").write_text('{"mcp": {\n  "b": {"command": "x",,}\n}}')
    said = mooring("config", "check")
    assert said.code == 2
    assert "MOOR-CONFIG-005" in said.err
    assert "MOOR-CONFIG-015" in said.err
    assert "MOOR-CONFIG-002" in said.err
    assert f"{project / 'opencode.json'}:2:" in said.err
    assert "2 errors, 1 note" in said.err
    problems = mooring("config", "check", "--json").json
    assert not problems["ok"]
    assert sorted(each["severity"] for each in problems["problems"]) == ["error", "error", "notice"]
    assert all({"code", "message", "hint", "file", "line"} <= each.keys() for each in problems["problems"])


def test_a_notice_alone_is_no_failure(mooring, own):
    own.write_text('{"mcpp": {}}')
    said = mooring("config", "check")
    assert said.code == 0
    assert "Did you mean `mcp`?" in said.err


def test_get_gives_the_value_as_data_and_its_place_as_talk(mooring, layers):
    said = mooring("config", "get", "mcp.notes.command")
    assert (said.code, said.out) == (0, "notes-server\n")
    assert said.err == "from ./opencode.jsonc:4 (project)\n"
    view = mooring("config", "get", "mcp.notes.args", "--json").json
    assert (view["value"], view["layer"], view["line"]) == (["--quiet"], "project", 4)


def test_get_of_a_part_gives_the_part(mooring, layers):
    assert json.loads(mooring("config", "get", "mcp.mine").out)["command"] == "mine"


def test_a_name_with_a_dot_is_found_with_and_without_quotes(mooring, layers):
    bare, quoted = mooring("config", "get", "mcp.a.b.url"), mooring("config", "get", 'mcp."a.b".url')
    assert bare.out == quoted.out == "https://h.example/mcp\n"


def test_get_of_what_is_not_set_names_the_nearest(mooring, layers):
    said = mooring("config", "get", "mcp.notes.comand")
    assert (said.code, said.out) == (2, "")
    assert "Did you mean `mcp.notes.command`?" in said.err


@pytest.mark.parametrize("key", ["", ".", "mcp.", 'mcp."a', "mcp..a", 'mcp."a"b'])
def test_a_key_that_is_none_is_wrong_usage(mooring, key):
    assert mooring("config", "get", key).code == 2
    assert mooring("config", "set", key, "1").code == 2


def test_set_goes_to_the_file_that_owns_the_server_and_keeps_its_comments(mooring, layers):
    own, theirs = layers
    before = own.read_text()
    said = mooring("config", "set", "mcp.notes.timeout", "60000")
    assert (said.code, said.out) == (0, "")
    assert theirs.read_text() == PROJECT.replace("5000", "60000")
    assert own.read_text() == before


def test_set_with_a_scope_goes_there_and_says_who_is_stronger(mooring, layers):
    own, theirs = layers
    said = mooring("config", "set", "mcp.notes.timeout", "7", "--global")
    assert said.code == 0
    assert '"timeout": 7' in own.read_text()
    assert theirs.read_text() == PROJECT
    assert "is stronger" in said.err


def test_set_says_in_json_whether_the_value_holds(mooring, layers):
    view = mooring("config", "set", "model", "anthropic/x", "--json").json
    assert view["effective"] == "anthropic/x"
    assert view["overruled"] is False
    assert view["file"] == str(layers[0])


@pytest.mark.parametrize(
    ("key", "value"),
    [("mcp.notes.timeout", "soon"), ("mcp.notes.enabled", '"yes"'), ("mcp.notes", "5"), ("tools", "true")],
)
def test_a_value_of_the_wrong_type_is_refused_before_anything_is_written(mooring, layers, key, value):
    said = mooring("config", "set", key, value)
    assert said.code == 2
    assert "MOOR-CONFIG-011" in said.err
    assert layers[1].read_text() == PROJECT


def test_scopes_exclude_each_other(mooring, layers):
    said = mooring("config", "set", "model", "x", "--global", "--project")
    assert said.code == 2
    assert "exclude each other" in said.err


def test_what_an_inline_variable_says_cannot_be_set(mooring, monkeypatch):
    monkeypatch.setenv("MOORING_CONFIG_CONTENT", '{"mcp": {"a": {"command": "x"}}}')
    said = mooring("config", "set", "mcp.a.timeout", "5")
    assert said.code == 2
    assert "MOOR-CONFIG-012" in said.err


def test_setting_a_key_that_nobody_reads_is_told(mooring, layers):
    said = mooring("config", "set", "mcp.notes.timeuot", "5")
    assert (said.code, "`mcp.notes.timeuot`" in said.err, "`timeout`" in said.err) == (0, True, True)
    problems = mooring("config", "set", "mcp.notes.enabeld", "true", "--json").json["problems"]
    assert [(problem["code"], problem["severity"]) for problem in problems] == [("MOOR-CONFIG-015", "notice")]
    assert mooring("config", "set", "mcp.notes.timeout", "5", "--json").json["problems"] == []


def test_a_type_with_limits_has_a_plural(mooring, layers):
    said = mooring("config", "set", "mcp.notes.timeout", "soon")
    assert said.code == 2
    assert "or a map of whole numbers from 1 to 2147483647 (" in said.err
