"""How long the command line takes to say something, beside a bare interpreter and other MCP command lines."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from goals import Goal, Times
from measure import Contestant
from places import FASTMCP, NODE_MODULES, VENV, node, surroundings

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


def contestants(home: Path) -> Sequence[Contestant]:
    env = surroundings(home)
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
        Contestant("fastmcp version", [FASTMCP / "fastmcp", "version"], env),
    ]
