"""`mooring demo`: the servers that come with Mooring, used once from beginning to end."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from mooring.cli.here import Here
from mooring.cli.render import emit, mark, out
from mooring.cli.throwaway import Throwaway, throwaway

__all__ = ["run"]

TOUR = (
    ("Three servers come with Mooring. Each is written down once:", "add greet -- {greet}"),
    ("", "add todo -- {todo}"),
    ("", "add weather -- {weather}"),
    ("All of them are connected at once:", "list"),
    ("What can be called:", "tools"),
    ("A tool, and what it wants to know:", "call todo_add_todo text='Set the sails'"),
    ("It is another process by now, and the list is still there:", "call todo_list_todos"),
    ("Resources are read by their address:", "read greet://languages"),
    ("Prompts are texts that a server writes for you:", "prompt greet:introduce name=Ada language=fr"),
)

END = "The home of this demo is gone. In yours the same lines do the same; `{} remove NAME` undoes `add`."


def run(here: Here, *, as_json: bool) -> int:
    name = _called(here.env)
    with throwaway(here.env) as home:
        code = _record(home) if as_json else _show(home, name)
    if not (code or as_json):
        out(f"\n{END.format(name)}")
    return code


def _show(home: Throwaway, name: str) -> int:
    """Each line as it can be typed, and below it what the command says, on its own stdout and stderr."""
    code = 0
    for why, words in _steps():
        if why:
            out(f"\n{mark(why, 'cyan')}\n")
        out(f"$ {name} {shlex.join(words)}")
        sys.stdout.flush()
        code, _ = home.mooring(words)
        if code:
            break
    return code


def _record(home: Throwaway) -> int:
    code = 0
    steps: list[dict[str, Any]] = []
    for why, words in _steps():
        code, said = home.mooring([words[0], "--json", *words[1:]], quiet=True)
        result = json.loads(said) if said else None
        steps.append({"about": why, "command": ["mooring", *words], "exitCode": code, "result": result})
        if code:
            break
    emit({"ok": code == 0, "steps": steps})
    return code


def _steps() -> Iterator[tuple[str, list[str]]]:
    python = shlex.quote(sys.executable)
    servers = {name: f"{python} -m mooring.servers.{name}" for name in ("greet", "todo", "weather")}
    for why, line in TOUR:
        yield why, shlex.split(line.format(**servers))


def _called(env: Mapping[str, str]) -> str:
    """What to type here for `mooring`: from a checkout it is on no PATH."""
    if shutil.which("mooring", path=env.get("PATH")):
        return "mooring"
    program = Path(sys.argv[0])
    return shlex.join([str(program)] if program.stem == "mooring" else [sys.executable, "-m", "mooring"])
