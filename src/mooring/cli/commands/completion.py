"""`mooring completion`: the script that a shell needs."""

from __future__ import annotations

from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

from mooring.cli.here import Here
from mooring.cli.render import out

__all__ = ["run"]

_SHELLS: dict[str, type[ShellComplete]] = {"bash": BashComplete, "fish": FishComplete, "zsh": ZshComplete}


def run(_: Here, *, shell: str) -> int:
    from mooring.cli.app import program

    out(_SHELLS[shell](program(), {}, "mooring", "_MOORING_COMPLETE").source())
    return 0
