"""The other clients: in which files, and where in them, each keeps its servers."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

from mooring.config.document import KeyPath
from mooring.config.places import Dialect, project_root
from mooring.core.frozen import frozen
from mooring.system.dirs import Dirs

__all__ = ["Around", "Client", "Shelf", "own_shelf", "shelves"]


class Client(StrEnum):
    """By the name that is typed."""

    CLAUDE_DESKTOP = "claude-desktop"
    CLAUDE_CODE = "claude-code"
    CURSOR = "cursor"
    VSCODE = "vscode"
    WINDSURF = "windsurf"
    CODEX = "codex"
    GEMINI = "gemini"
    ZED = "zed"
    OPENCODE = "opencode"


@frozen
class Around:
    """What decides where a client keeps its files."""

    cwd: Path
    dirs: Dirs
    env: Mapping[str, str]
    platform: str = sys.platform

    @property
    def programs(self) -> Path:
        """The folder in which desktop programs keep their settings."""
        match self.platform:
            case "darwin":
                return self.dirs.home / "Library/Application Support"
            case "win32":
                return Path(self.env.get("APPDATA") or self.dirs.home / "AppData/Roaming")
            case _:
                return self.dirs.config.parent

    def named(self, variable: str, default: Path) -> Path:
        """The folder that a variable moves."""
        return self.cwd / Path(self.env[variable]).expanduser() if self.env.get(variable) else default


@frozen
class Shelf:
    """A map of servers in a file.

    `dialect` is whose references its values hold, `folder` what its relative paths count from.
    """

    file: Path
    path: KeyPath
    dialect: Dialect
    folder: Path
    inputs: KeyPath = ()


# Three programs that differ in nothing but their folder.
_CODES = ("Code", "Code - Insiders", "VSCodium")


def shelves(client: Client, around: Around) -> tuple[Shelf, ...]:
    """Where a client's servers may stand, the strongest first.

    A user's file has no folder of its own: clients count relative paths from the project they are opened in.
    """
    project = project_root(around.cwd)
    match client:
        case Client.CLAUDE_CODE:
            return tuple(_claude_code(around, project))
        case Client.VSCODE:
            return tuple(_vscode(around, project))
        case Client.OPENCODE:
            return ()  # they are layers of ours already
        case _:
            files = _files(around)[client]
            return tuple(Shelf(file, (key,), dialect, project) for file, key, dialect in files)


def _files(around: Around) -> dict[Client, list[tuple[Path, str, Dialect]]]:
    """Claude Desktop, Codex and Zed have no references: what looks like one is meant literally."""
    home, programs = around.dirs.home, around.programs
    codex = around.named("CODEX_HOME", home / ".codex")
    zed = home / ".config/zed" if around.platform == "darwin" else programs / "zed"
    servers = "mcpServers"
    return {
        Client.CLAUDE_DESKTOP: [(programs / "Claude/claude_desktop_config.json", servers, Dialect.CODEX)],
        Client.CURSOR: [(home / ".cursor/mcp.json", servers, Dialect.CURSOR)],
        Client.WINDSURF: [
            (home / ".codeium/windsurf/mcp_config.json", servers, Dialect.CURSOR),
            (home / ".codeium/mcp_config.json", servers, Dialect.CURSOR),
        ],
        Client.CODEX: [(codex / "config.toml", "mcp_servers", Dialect.CODEX)],
        Client.GEMINI: [(home / ".gemini/settings.json", servers, Dialect.CLAUDE)],
        Client.ZED: [(zed / "settings.json", "context_servers", Dialect.CODEX)],
    }


def own_shelf(client: Client, around: Around) -> Shelf:
    """The one that the client itself would write to for the user."""
    match client:
        case Client.CLAUDE_CODE:
            return shelves(client, around)[-1]
        case Client.VSCODE:
            found = [shelf for shelf in shelves(client, around) if shelf.file.name == "mcp.json"]
            return next((shelf for shelf in found if shelf.file.parent.is_dir()), found[0])
        case Client.OPENCODE:
            names = [around.dirs.opencode_config / name for name in ("opencode.jsonc", "opencode.json")]
            file = next((name for name in names if name.exists()), names[-1])
            return Shelf(file, ("mcp",), Dialect.NATIVE, file.parent)
        case _:
            return shelves(client, around)[0]


def _claude_code(around: Around, project: Path) -> list[Shelf]:
    """What a project has for this user alone counts before what the user has everywhere."""
    file = around.named("CLAUDE_CONFIG_DIR", around.dirs.home) / ".claude.json"
    folders = dict.fromkeys((around.cwd, project))
    own = [Shelf(file, ("projects", str(at), "mcpServers"), Dialect.CLAUDE, at) for at in folders]
    return [*own, Shelf(file, ("mcpServers",), Dialect.CLAUDE, project)]


def _vscode(around: Around, project: Path) -> list[Shelf]:
    """`mcp.json`, and the key in the settings that it took the place of."""
    found: list[Shelf] = []
    for code in _CODES:
        folder = around.programs / code / "User"
        new = Shelf(folder / "mcp.json", ("servers",), Dialect.VSCODE, project, ("inputs",))
        old = Shelf(folder / "settings.json", ("mcp", "servers"), Dialect.VSCODE, project, ("mcp", "inputs"))
        found += [new, old]
    return found
