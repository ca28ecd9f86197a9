"""The same servers in everybody's own configuration file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from measure import Contestant
from places import FASTMCP, MCPORTER, OPENCODE, RUNS, VENV, node, surroundings


@dataclass(frozen=True, slots=True)
class Roster:
    """A home in which each of them finds these servers, and nothing else."""

    home: Path
    count: int
    program: Sequence[str]

    def write(self) -> None:
        command, *args = self.program
        servers = {f"server-{number}": {"command": command, "args": args} for number in range(self.count)}
        local = {name: {"type": "local", "command": list(self.program)} for name in servers}
        texts: Mapping[Path, Mapping[str, object]] = {
            self.shared: {"mcpServers": servers, "imports": []},
            self.home / ".config/mooring/mooring.json": {"mcp": local},
            self.opencode / "opencode/opencode.json": {
                "mcp": local,
                "autoupdate": False,
                "share": "disabled",
            },
        }
        for file, text in texts.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(text), "utf-8")

    @property
    def shared(self) -> Path:
        return self.home / "servers.json"

    @property
    def ours(self) -> Path:
        return self.home / ".config/mooring/mooring.json"

    @property
    def opencode(self) -> Path:
        """Its own XDG folder: Mooring reads OpenCode's files too, and would have every server twice."""
        return self.home / "opencode"

    def mooring(self, verb: str) -> Contestant:
        program = [VENV / "mooring", verb]
        return Contestant(f"mooring {verb}", program, surroundings(self.home), self.last())

    def open_host(self) -> Contestant:
        program = [VENV / "python", RUNS / "fleet_ours.py", self.ours]
        return Contestant("open_host", program, surroundings(self.home), (f"{5 * self.count} tools",))

    def mcporter(self) -> Contestant:
        program = [node(), MCPORTER, "--config", self.shared, "list"]
        return Contestant(
            "mcporter list", program, surroundings(self.home), (f"{self.count} servers", "healthy")
        )

    def fastmcp(self) -> Contestant:
        program = [FASTMCP / "fastmcp", "list", self.shared]
        return Contestant("fastmcp list", program, surroundings(self.home), self.last())

    def opencode_list(self) -> Sequence[Contestant]:
        """Nobody where it cannot be installed."""
        if not OPENCODE.exists():
            return ()
        env = {**surroundings(self.home), "XDG_CONFIG_HOME": str(self.opencode)}
        said = (f"{self.count} server(s)",)
        return (Contestant("opencode mcp list", [OPENCODE, "mcp", "list"], env, said),)

    def last(self) -> tuple[str, ...]:
        return (f"server-{self.count - 1}",)
