"""What the documents say is true: commands run, links lead somewhere, nothing is left out."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest

from mooring.cli import app
from mooring.config import keys
from mooring.config.keys import OAUTH, SERVER, TIMEOUTS, TOOLS, TOP
from mooring.config.load import load
from mooring.config.places import CLIENTS, CONFIG, OPENCODE, OWN
from mooring.core.spec import Layer, LocalSpec
from mooring.system.dirs import Dirs

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def page(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def command_lines(name: str) -> list[list[str]]:
    """The words of every `mooring` line in a shell block, without where its output goes."""
    blocks = re.findall(r"^```sh\n(.*?)^```", page(name), re.MULTILINE | re.DOTALL)
    split = [
        shlex.split(line, comments=True) for block in blocks for line in block.splitlines() if line.strip()
    ]
    lines = [[os.path.expanduser(word) for word in line] for line in split]  # noqa: PTH111 - as a shell does
    for line in lines:
        for sign in (">", ">>"):
            if sign in line:
                del line[line.index(sign) :]
    return lines


def verbs(command: click.Command, words: tuple[str, ...] = ()) -> list[str]:
    inner = command.commands if isinstance(command, click.Group) else {}
    own = [" ".join(words)] if words and command.callback else []
    return [
        *own,
        *(each for name, it in inner.items() if name != "mcp" for each in verbs(it, (*words, name))),
    ]


@pytest.fixture
def project(tmp_path, empty_home, monkeypatch):
    """Mooring installed, a project that describes one server, and no program for `doctor` on the PATH."""
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    (folder / ".mcp.json").write_text('{"mcpServers": {"github": {"command": "github-server"}}}')
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PATH", str(folder))
    installed = empty_home / ".local" / "share" / "mooring-venv"
    installed.parent.mkdir(parents=True)
    installed.symlink_to(sys.prefix)
    return folder


@pytest.mark.process
@pytest.mark.parametrize("name", ["README.md", "docs/commands.md"])
def test_the_commands_of_a_page_run_one_after_the_other_in_an_empty_home(name, project, empty_home, capsys):
    # what the page imports from and what it approves has to be there
    (empty_home / ".claude.json").write_text('{"mcpServers": {"github": {"command": "github-server"}}}')
    lines = command_lines(name)
    assert len(lines) >= 10
    for line in lines:
        assert line[0] == "mooring"
        if line[1:] == ["demo"] or line[1] in ("serve", "gateway"):
            continue  # tests/process sees more of them; the others end only when they are told to
        code = app.run(line[1:])
        heard = capsys.readouterr()
        assert (code, line) == (0, line), heard.err
        if line[1:] == ["remove", "memory"]:
            # the part about trust is about a project's server of that name
            assert app.run(["add", "memory", "--project", "--", "memory-server"]) == 0


@pytest.mark.process
def test_the_python_of_the_front_page_runs(project, empty_home, capsys, monkeypatch):
    greet = {"command": [sys.executable, "-m", "mooring.servers.greet"]}
    (project / "greet.json").write_text(json.dumps({"mcp": {"greet": greet, "gone": {"command": "gone"}}}))
    monkeypatch.setenv("MOORING_CONFIG", str(project / "greet.json"))
    program, example = re.findall(r"^```python\n(.*?)^```", page("README.md"), re.MULTILINE | re.DOTALL)
    assert len([line for line in program.splitlines() if line]) <= 10
    exec(program, {})
    assert capsys.readouterr().out.splitlines() == ["['greet_greet']", "Hello, Ada!"]
    names: dict[str, Any] = {}
    exec(example, names)
    asyncio.run(names["test_words_are_counted"]())


def test_the_readme_names_every_command_and_no_other():
    group = app.program()
    assert isinstance(group, click.Group)
    named = set(re.findall(r"^mooring ([a-z]+)|`mooring ([a-z]+)", page("README.md"), re.MULTILINE))
    assert {one or other for one, other in named} == {name for name in group.commands if name != "mcp"}


@pytest.mark.parametrize("file", PAGES, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_link_leads_to_a_file_or_a_heading(file):
    for target in re.findall(r"\]\(([^)\s]+)\)", file.read_text("utf-8")):
        if target.startswith("https://"):
            continue
        path, _, heading = target.partition("#")
        there = (file.parent / path).resolve() if path else file
        assert there.exists(), target
        if heading:
            headings = re.findall(r"^#+ (.*)$", there.read_text("utf-8"), re.MULTILINE)
            assert heading in [re.sub(r"[^\w -]", "", each).lower().replace(" ", "-") for each in headings]


def test_every_key_and_every_other_spelling_of_it_is_in_the_reference():
    reference = page("docs/configuration.md")
    for key in (*TOP, *keys.OWN, *SERVER, *TIMEOUTS, *TOOLS, *OAUTH):
        [row] = [
            row
            for row in re.findall(r"^\| .*$", reference, re.MULTILINE)
            if row.startswith(f"| `{key.name}` | ") and key.means.replace("|", r"\|") in row
        ]
        assert [alias for alias in key.aliases if f"`{alias}`" not in row] == []


def test_the_reference_names_every_layer_and_every_file_in_the_order_that_counts():
    reference = page("docs/configuration.md")
    assert [layer for layer in Layer if f"| `{layer.value}` |" not in reference] == []
    listed = reference[reference.index("Inside one folder") :]
    names = [name for name, _ in CLIENTS] + [*CONFIG, *OPENCODE, *OWN]
    assert [listed.index(f"`{name}`") for name in names] == sorted(
        listed.index(f"`{name}`") for name in names
    )


def test_every_command_has_its_part_in_the_reference_with_a_line_to_type():
    reference = page("docs/commands.md")
    headings = re.findall(r"^### mooring (.*)$", reference, re.MULTILINE)
    assert sorted(headings) == sorted(verbs(app.program()))
    for part in re.split(r"^### mooring ", reference, flags=re.MULTILINE)[1:]:
        assert f"```sh\nmooring {part.splitlines()[0]}" in part


def test_every_option_of_every_command_is_in_the_reference():
    reference = page("docs/commands.md")
    group = app.program()
    assert isinstance(group, click.Group)
    options = {
        spelling
        for command in group.commands.values()
        for parameter in command.params
        if isinstance(parameter, click.Option)
        for spelling in (*parameter.opts, *parameter.secondary_opts)
    }
    assert sorted(option for option in options if option not in reference) == []


def test_decisions_are_numbered_without_a_gap_and_say_context_decision_and_consequences():
    files = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    assert [int(file.name[:4]) for file in files] == list(range(1, len(files) + 1))
    for file in files:
        text = file.read_text("utf-8")
        assert re.match(rf"# {int(file.name[:4])}\. ", text)
        assert all(f"**{part}.**" in text for part in ("Context", "Decision", "Consequences"))


def test_no_example_is_valid_by_accident(project, capsys):
    blocks = re.findall(
        r"^```(jsonc|toml)\n(.*?)^```", page("docs/configuration.md"), re.MULTILINE | re.DOTALL
    )
    blocks += re.findall(r"^```(jsonc)\n(.*?)^```", page("docs/permissions.md"), re.MULTILINE | re.DOTALL)
    assert len(blocks) == 3
    for kind, text in blocks:
        (project / f"mooring.{kind}").write_text(text)
        assert app.run(["config", "check"]) == 0
        assert "0 errors, 0 notes" in capsys.readouterr().err
        (project / f"mooring.{kind}").unlink()


def test_what_the_example_says_of_itself_is_noticed(monkeypatch, capsys):
    monkeypatch.chdir(ROOT / "examples" / "project")
    assert app.run(["config", "get", "mcp.hello.timeout"]) == 0
    assert json.loads(capsys.readouterr().out) == {"start": 20000, "list": 20000, "call": 60000}
    assert app.run(["config", "check"]) == 0
    assert "MOOR-CONFIG-015" in capsys.readouterr().err
    assert app.run(["trust"]) == 0
    assert "hello" in capsys.readouterr().out


@pytest.mark.process
def test_the_server_of_the_example_answers():
    requests = '{"id": 1, "method": "initialize"}\n{"method": "notifications/initialized"}\n'
    requests += (
        '{"id": 2, "method": "tools/call", "params": {"name": "greet"}}\n{"id": 3, "method": "nope"}\n'
    )
    said = subprocess.run(
        [sys.executable, ROOT / "examples" / "project" / "servers" / "hello.py"],
        input=requests,
        env={"GREETING": "Ahoy", "GUEST": "captain"},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    first, second, third = said.stdout.splitlines()
    assert '"serverInfo"' in first
    assert "Ahoy, captain!" in second
    assert "-32601" in third


def test_the_example_works_from_wherever_it_lies():
    """Its git root is that of the checkout, which is not where its servers are."""
    project = ROOT / "examples" / "project"
    here = Dirs.of({"HOME": str(project.parent)})
    servers = load(project, here, {}).config.servers
    folders = {name: spec.cwd for name, spec in servers.items() if isinstance(spec, LocalSpec)}
    assert folders["hello"] == folders["clock"] == str(project)


def test_the_example_starts_the_servers_that_come_with_mooring():
    project = ROOT / "examples" / "project"
    servers = load(project, Dirs.of({"HOME": str(project.parent)}), {}).config.servers
    started = [spec.args for spec in servers.values() if isinstance(spec, LocalSpec) and "-m" in spec.args]
    bundled = sorted(file.stem for file in (ROOT / "src/mooring/servers").glob("[!_]*.py"))
    assert sorted(started) == [("-m", f"mooring.servers.{name}") for name in bundled]


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "docs/house.md"])
def test_a_path_that_a_page_names_is_there(name):
    named = re.findall(r"`((?:tests|src|docs|examples|benchmarks|locks)/[\w./-]+)`", page(name))
    assert [path for path in named if not (ROOT / path).exists()] == []
