"""What one call costs the process that makes it, one call after the other, in both eras of the protocol."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from goals import Goal, Times
from measure import Contestant
from places import RUNS, VENV, echo, echo_over_http, surroundings

ROUNDS = 7
CALLS = "3000"
FEWER = "1000"
ERAS = {"2025-11-25": (), "2026-07-28": ("--modern",)}
GOALS: Sequence[Goal] = tuple(
    goal
    for era in ERAS
    for goal in (
        Times(f"typed call, stdio, {era}", f"SDK Client, stdio, {era}", 1 / 4, "told"),
        Times(f"raw call, stdio, {era}", f"SDK Client, stdio, {era}", 1 / 8, "told"),
        Times(f"Host.call, stdio, {era}", f"SDK Client, stdio, {era}", None, "told"),
        Times(f"typed call, HTTP, {era}", f"SDK Client, HTTP, {era}", 1 / 3, "told"),
    )
)


def contestants(home: Path) -> Sequence[Contestant]:
    env = surroundings(home)
    found: list[Contestant] = []
    for era, option in ERAS.items():
        over_stdio, over_http = (*echo(), *option), (*echo_over_http(), *option)
        for name, words, server in (
            ("typed call, stdio", ("call_ours.py", "typed", CALLS), over_stdio),
            ("raw call, stdio", ("call_ours.py", "raw", CALLS), over_stdio),
            ("Host.call, stdio", ("call_ours.py", "host", CALLS), over_stdio),
            ("SDK Client, stdio", ("call_sdk.py", "stdio", FEWER), over_stdio),
            ("typed call, HTTP", ("call_ours.py", "http", FEWER), over_http),
            ("SDK Client, HTTP", ("call_sdk.py", "http", FEWER), over_http),
        ):
            program = [VENV / "python", RUNS / words[0], *words[1:], *server]
            found.append(Contestant(f"{name}, {era}", program, env, tells=True))
    return found
