"""What loading costs beyond the mere parsing: seven layers that all have a say in two hundred servers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from goals import Beyond, Goal, Times
from measure import Contestant

ROOT = Path(__file__).parents[1]
PYTHON = ROOT / ".venv" / "bin" / "python"
LOAD, PARSE, NOTHING = "load", "parse", "imports only"

SERVERS = 200
ROUNDS = 15
GOALS: Sequence[Goal] = (Beyond(LOAD, PARSE, 0.05), Times(LOAD, PARSE))

# All import the same, so that only the work differs.
COMMON = """
import os, sys
from pathlib import Path
from mooring.config.load import load, parse
from mooring.config.places import Place
from mooring.core.spec import Layer
from mooring.system.dirs import Dirs
from mooring.system.files import read_text
home, project, named = map(Path, sys.argv[1:])
env = dict(os.environ)
"""
PROGRAMS = {
    NOTHING: COMMON,
    PARSE: COMMON
    + """
files = [home / ".config/opencode/opencode.json", home / ".config/mooring/mooring.jsonc", named]
files += [project / "opencode.jsonc", project / ".mcp.json", project / ".opencode/config.toml"]
for file in files:
    parse(read_text(file), Place(Layer.PROJECT, str(file), str(file.parent)))
parse(env["MOORING_CONFIG_CONTENT"], Place(Layer.INLINE, "inline", "/", text="inline"))
""",
    LOAD: COMMON
    + f"""
loaded = load(project, Dirs.of(env), env)
assert len(loaded.sources) == 7, loaded.sources
assert len(loaded.config.servers) == {SERVERS}
assert not loaded.config.problems
""",
}


def entry(number: int) -> Mapping[str, object]:
    return {
        "type": "local",
        "command": ["npx", "-y", f"@example/server-{number}", "--root", "."],
        "environment": {"TOKEN": "{env:TOKEN}", "NUMBER": str(number)},
        "timeout": 30_000,
    }


def layer(key: str, touch: Mapping[str, object]) -> str:
    return json.dumps({key: {f"server-{number}": touch for number in range(SERVERS)}}, indent=2)


def tables(touch: str) -> str:
    return "\n".join(f"[mcp.server-{number}]\n{touch}\n" for number in range(SERVERS))


def contestants(home: Path) -> Sequence[Contestant]:
    project, named = home / "project", home / "named.json"
    whole = json.dumps({"mcp": {f"server-{number}": entry(number) for number in range(SERVERS)}}, indent=2)
    texts = {
        home / ".config/opencode/opencode.json": whole,
        home / ".config/mooring/mooring.jsonc": "// mine\n" + layer("mcp", {"timeout": {"call": 60_000}}),
        named: layer("mcp", {"environment": {"LAYER": "file"}}),
        project / "opencode.jsonc": "// the project's\n" + layer("mcp", {"environment": {"DEBUG": "1"}}),
        project / ".mcp.json": layer("mcpServers", {"env": {"HOME_OF_IT": "${HOME}"}}),
        project / ".opencode/config.toml": tables('args = ["-y", "other"]\nenv = { LEVEL = "2" }'),
    }
    for file, text in texts.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    (project / ".git").mkdir(exist_ok=True)
    env = {
        "HOME": str(home),
        "PATH": "/usr/bin:/bin",
        "MOORING_CONFIG": str(named),
        "MOORING_CONFIG_CONTENT": layer("mcp", {"enabled": False}),
    }
    return [
        Contestant(name, [PYTHON, "-c", program, home, project, named], env)
        for name, program in PROGRAMS.items()
    ]
