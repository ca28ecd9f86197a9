"""The page of commands: names, help, usage errors."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click
import pytest

from mooring import __version__
from mooring.cli import app


def walk(
    command: click.Command, words: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield words, command
    for name, inner in command.commands.items() if isinstance(command, click.Group) else ():
        yield from walk(inner, (*words, name))


COMMANDS = dict(walk(app.program()))
VERBS = sorted(words for words in COMMANDS if words and words[0] != "mcp")


@pytest.mark.parametrize("words", sorted(COMMANDS), ids=lambda words: " ".join(("mooring", *words)))
def test_help_fits_a_terminal_and_has_an_example(mooring, words):
    said = mooring(*words, "--help")
    assert (said.code, said.err) == (0, "")
    assert [line for line in said.out.splitlines() if len(line) > 80] == []
    assert re.search(r"^  Examples?:\n    mooring ", said.out, re.MULTILINE)
    assert "..." not in re.sub(r"\.\.\.\]", "", said.out.partition("Options:")[2]), "something was cut short"


@pytest.mark.parametrize("words", VERBS, ids=" ".join)
def test_an_example_is_a_command_line_that_can_be_parsed(words):
    import shlex

    examples = re.findall(r"mooring .*", COMMANDS[words].epilog or "")
    assert examples
    for example in examples:
        typed = shlex.split(re.split(r" >>? ", example)[0])[1:]
        assert tuple(typed[: len(words)]) == words
        COMMANDS[words].make_context("mooring", typed[len(words) :], resilient_parsing=False)


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_the_version_is_data(mooring, option):
    said = mooring(option)
    assert (said.code, said.out, said.err) == (0, f"mooring {__version__}\n", "")


def test_no_command_at_all_is_wrong_usage_and_shows_help_beside_the_data(mooring):
    said = mooring()
    assert (said.code, said.out) == (2, "")
    assert "Commands:" in said.err


@pytest.mark.parametrize(("typed", "meant"), [("confg", "config"), ("ad", "add"), ("truts", "trust")])
def test_a_mistyped_command_is_answered_with_the_nearest(mooring, typed, meant):
    said = mooring(typed)
    assert (said.code, said.out) == (2, "")
    assert f"No such command `{typed}`; did you mean `{meant}`?" in said.err
    assert "mooring --help" in said.err


def test_a_word_that_is_near_nothing_gets_no_guess(mooring):
    said = mooring("qqqq")
    assert said.code == 2
    assert "did you mean" not in said.err


@pytest.mark.parametrize(
    "words",
    [
        ("config", "--nope"),
        ("config", "get"),
        ("config", "set", "mcp.a.timeout"),
        ("config", "nope"),
        ("remove",),
        ("enable",),
        ("export",),
        ("import", "nobody"),
        ("completion", "powershell"),
        ("add", "a", "--timeout", "0", "--", "x"),
        ("add", "a", "--transport", "pigeon", "--url", "https://h.example"),
        ("doctor", "--yes"),
    ],
    ids=" ".join,
)
def test_wrong_usage_ends_with_2_and_says_which_help_to_read(mooring, words):
    said = mooring(*words)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("error ")
    assert re.search(r"^  hint mooring.* --help$", said.err, re.MULTILINE)


@pytest.mark.parametrize("words", [("config", "--nope"), ("config", "get"), ("nope",)], ids=" ".join)
def test_wrong_usage_is_json_too_where_json_was_asked_for(mooring, words):
    said = mooring(*words, "--json")
    assert (said.code, said.err) == (2, "")
    assert said.json["error"]["code"] == "MOOR-USAGE-001"


def test_json_behind_two_dashes_belongs_to_the_server(mooring):
    said = mooring("add", "a", "--url", "https://h.example/mcp", "--", "x", "--json")
    assert (said.code, said.out) == (2, "")


@pytest.mark.parametrize(
    "words", [("config",), ("config", "path"), ("config", "check"), ("trust",)], ids=" ".join
)
def test_mcp_in_front_changes_nothing(mooring, words):
    assert mooring("mcp", *words) == mooring(*words)


def test_mcp_in_front_of_an_edit_edits(mooring, own):
    assert mooring("mcp", "add", "a", "--", "true").code == 0
    assert mooring("mcp", "rm", "a").code == 0
    assert mooring("config", "--json").json["servers"] == []


def test_rm_is_remove(mooring):
    mooring("add", "a", "--", "true")
    assert mooring("rm", "a", "--json").json["removed"] == "a"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_completion_script_is_for_this_program_and_nothing_else(mooring, shell):
    said = mooring("completion", shell)
    assert said.code == 0
    assert "_MOORING_COMPLETE" in said.out
    assert f"{shell}_complete" in said.out
