"""Configurations of a size or kind that nobody needs: loaded soon enough, or refused in clear words."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(os.name != "posix", reason="limits and permissions of POSIX"),
]

# Ten times what a slow machine needs, and a fraction of what anything quadratic takes.
PROCESSOR_SECONDS = 30
SERVERS = 10_000
LESS_RIGHTS = ("setpriv", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs")

LOAD = """
    import json, sys
    from collections import Counter
    from pathlib import Path
    from mooring.config.load import load
    from mooring.system.dirs import Dirs
    home, cwd = sys.argv[1:]
    env = {"HOME": home}
    config = load(Path(cwd), Dirs.of(env), env).config
    print(json.dumps({
        "servers": len(config.servers),
        "problems": Counter(type(problem).__name__ for problem in config.problems),
        "first": config.problems[0].sentence if config.problems else "",
        "hints": all(problem.hint for problem in config.problems),
        "lines": sum(bool(problem.spot and problem.spot.line) for problem in config.problems),
    }))
"""


def loaded(project: Path, home: Path, before: tuple[str, ...] = ()) -> dict[str, Any]:
    """What a child with bounded processor time makes of the project."""

    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, PROCESSOR_SECONDS))

    command = [*before, sys.executable, "-c", textwrap.dedent(LOAD), str(home), str(project)]
    done = subprocess.run(command, preexec_fn=bound, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def entry(number: int) -> dict[str, Any]:
    environment = {"A": "{env:A}", "B": f"{number}"}
    return {
        "type": "local",
        "command": ["npx", "-y", f"p{number}"],
        "environment": environment,
        "timeout": 5000,
    }


def in_json(servers: dict[str, Any]) -> tuple[str, str]:
    return "mooring.json", json.dumps({"mcp": servers}, indent=1)


def in_toml(servers: dict[str, Any]) -> tuple[str, str]:
    tables = (
        "\n".join([f"[mcp.{name}]", *(f"{key} = {json.dumps(value)}" for key, value in items.items())])
        for name, items in servers.items()
    )
    return "mooring.toml", "\n".join(tables)


@pytest.mark.parametrize("write", [in_json, in_toml])
def test_ten_thousand_servers_load(tmp_path: Path, empty_home: Path, write: Callable[..., tuple[str, str]]):
    plain = {f"s{n}": {**entry(n), "environment": None} for n in range(SERVERS)}
    entries = {name: {key: value for key, value in one.items() if value} for name, one in plain.items()}
    name, text = write(entries if write is in_toml else {f"s{n}": entry(n) for n in range(SERVERS)})
    (tmp_path / name).write_text(text)
    assert loaded(tmp_path, empty_home)["servers"] == SERVERS


@pytest.mark.parametrize("write", [in_json, in_toml])
@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda _: {"command": 5}, "BadEntry"),
        (lambda _: {"enabled": False}, "IgnoredEntry"),
        (lambda _: {"command": "a", "comand": 1}, "UnknownKey"),
        (lambda n: {"command": "a", f"comand{n}": 1}, "UnknownKey"),
    ],
    ids=["bad", "only switched", "one mistake everywhere", "many mistakes"],
)
def test_ten_thousand_problems_are_found_with_their_lines(
    tmp_path: Path,
    empty_home: Path,
    write: Callable[..., tuple[str, str]],
    make: Callable[..., Any],
    kind: str,
):
    name, text = write({f"s{n}": make(n) for n in range(SERVERS)})
    (tmp_path / name).write_text(text)
    found = loaded(tmp_path, empty_home)
    assert found["problems"] == {kind: SERVERS}
    assert found["lines"] == SERVERS
    assert found["hints"]


def test_ten_thousand_keys_written_twice_are_found(tmp_path: Path, empty_home: Path):
    twice = ",\n".join(f'"s{n}": {{}},\n"s{n}": {{"command": "a"}}' for n in range(SERVERS))
    (tmp_path / "mooring.json").write_text(f'{{"mcp": {{{twice}}}}}')
    found = loaded(tmp_path, empty_home)
    assert (found["servers"], found["problems"]) == (SERVERS, {"DuplicateKey": SERVERS})


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("mooring.json", '{"a": "' + "x" * 10_000_000 + '"}', "TooLarge"),
        ("mooring.toml", "# " + "x" * 10_000_000, "TooLarge"),
        ("mooring.json", "[" * 5_000_000, "TooLarge"),
        ("mooring.json", '{"a":' * 200 + "1" + "}" * 200, "TooLarge"),
        ("mooring.toml", "a = " + "[" * 200 + "]" * 200, "TooLarge"),
        ("mooring.toml", "a" + ".a" * 200 + " = 1", "TooLarge"),
        ("mooring.json", "{" + '"a": 1 ' * 500_000, "BrokenSyntax"),
        ("mooring.toml", "a = " + "'" * 5_000_001, "BrokenSyntax"),
        ("mooring.json", '{"mcp": ' + "9" * 1_000_000 + "}", "BrokenSyntax"),
    ],
    ids=[
        "large",
        "large comment",
        "brackets",
        "deep",
        "deep list",
        "long key",
        "no commas",
        "quotes",
        "digits",
    ],
)
def test_what_is_too_much_is_refused_in_clear_words(
    tmp_path: Path, empty_home: Path, name: str, text: str, kind: str
):
    (tmp_path / name).write_text(text)
    found = loaded(tmp_path, empty_home)
    assert found["problems"] == {kind: 1}
    assert name in found["first"]
    assert found["hints"]


def without_privileges() -> tuple[str, ...]:
    """How to start a child that permissions hold for, or a skip that says why not."""
    if os.geteuid():
        return ()
    if not shutil.which("setpriv"):
        pytest.skip("runs as root, and there is no setpriv(1) to become less")
    tried = subprocess.run((*LESS_RIGHTS, "true"), capture_output=True, text=True, timeout=30, check=False)
    if tried.returncode:
        pytest.skip(f"setpriv: {tried.stderr.strip()}")
    return LESS_RIGHTS


@pytest.mark.parametrize("closed", ["mooring.json", ".opencode", ".git"])
def test_what_may_not_be_read_is_said_or_left_alone(tmp_path: Path, empty_home: Path, closed: str):
    before = without_privileges()
    project = tmp_path / "project"
    for folder in (".git", ".opencode"):
        (project / folder).mkdir(parents=True)
    for file in ("opencode.json", "mooring.json", ".opencode/opencode.json"):
        name = file.replace("/", "-").replace(".", "-")
        (project / file).write_text(json.dumps({"mcp": {name: {"command": "a"}}}))
    (project / closed).chmod(0)
    try:
        probe = subprocess.run((*before, "cat", project / "mooring.json"), capture_output=True, check=False)
        if closed == "mooring.json" and probe.returncode == 0:
            pytest.skip("this user reads what nobody may read, even without privileges")
        found = loaded(project, empty_home, before)
    finally:
        (project / closed).chmod(0o700)
    expected = {"mooring.json": (2, {"UnreadableFile": 1}), ".git": (3, {})}
    if closed in expected:
        assert (found["servers"], found["problems"]) == expected[closed]
    else:
        assert found["servers"] == 2
        assert set(found["problems"]) == {"UnreadableFile"}
    assert found["hints"]


COVERS = """
    import sys
    from pathlib import Path
    from mooring.config.trust import Approvals, Launch
    from mooring.errors import ApprovalsDamaged
    kept, launch = Approvals(Path(sys.argv[1])), Launch("x", ("f",), "/p", "mark", {}, ())
    if sys.argv[2] == "add":
        kept.add(launch, 1)
    try:
        print(kept.covers(launch))
    except ApprovalsDamaged as error:
        print(error.code)
"""


def test_approvals_that_may_not_be_read_count_for_nothing(tmp_path: Path):
    before = without_privileges()
    program = (*before, sys.executable, "-c", textwrap.dedent(COVERS), tmp_path / "data")

    def ask(word: str) -> str:
        return subprocess.run(
            (*program, word), capture_output=True, text=True, timeout=60, check=True
        ).stdout.strip()

    assert ask("add") == "True"
    (tmp_path / "data/approvals.json").chmod(0)
    assert ask("look") == "MOOR-TRUST-002"
