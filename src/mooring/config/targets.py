"""Which file a change goes to, and where in it servers stand."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from mooring.config import jsonc, toml
from mooring.config.dialects import CONTAINERS, is_second_shape
from mooring.config.document import KeyPath
from mooring.config.places import OPENCODE, OWN, Dialect, Place, dialect_of, project_root
from mooring.core.spec import Layer
from mooring.core.values import is_map
from mooring.system.dirs import Dirs

__all__ = ["at", "container", "entry_path", "file_place", "global_place", "parse", "project_place"]


def global_place(dirs: Dirs) -> Place:
    """The user's own file: the strongest that is there, else a new one with comments allowed."""
    return _strongest(Layer.GLOBAL, dirs.config, OWN) or _place(Layer.GLOBAL, dirs.config / "mooring.jsonc")


def project_place(cwd: Path) -> Place:
    """The nearest file of ours or of OpenCode's up to the project's root, else a new one there."""
    root = project_root(cwd)
    for folder in (cwd, *cwd.parents):
        found = _strongest(Layer.PROJECT, folder, (*OPENCODE, *OWN))
        if found is not None:
            return found
        if folder == root:
            break
    return _place(Layer.PROJECT, root / "mooring.jsonc")


def file_place(path: str | Path) -> Place:
    """Any file that somebody names."""
    return _place(Layer.FILE, Path(path))


def entry_path(tree: dict[str, Any], place: Place, name: str) -> KeyPath:
    """Where the server stands in this file, the strongest first, or where it would."""
    for path in _containers(tree):
        if is_map(at(tree, (*path, name))) and not (
            path == ("mcp",) and is_second_shape(name, tree["mcp"][name])
        ):
            return (*path, name)
    return (*container(tree, place.dialect), name)


def at(tree: Any, path: KeyPath) -> Any:
    """What stands at a path; None where nothing does."""
    for key in path:
        if not is_map(tree) or key not in tree:
            return None
        tree = tree[str(key)]
    return tree


def _containers(tree: dict[str, Any]) -> tuple[KeyPath, ...]:
    second = (("mcp", "servers"),) if _has_second_shape(tree.get("mcp")) else ()
    return (*second, ("mcp",), *((key,) for key in reversed(CONTAINERS)))


def container(tree: dict[str, Any], dialect: Dialect) -> KeyPath:
    """Where a new server goes: to the others, if there are any."""
    match dialect:
        case Dialect.CLAUDE | Dialect.CURSOR:
            return ("mcpServers",)
        case Dialect.VSCODE:
            return ("servers",)
        case Dialect.CODEX:
            return ("mcp_servers",)
        case Dialect.NATIVE:
            mcp = tree.get("mcp")
            if _has_second_shape(mcp):
                return "mcp", "servers"
            if mcp is None:
                return next(
                    ((key,) for key in ("mcpServers", "mcp_servers") if is_map(tree.get(key))), ("mcp",)
                )
            return ("mcp",)


def _has_second_shape(mcp: Any) -> bool:
    return is_map(mcp) and is_map(mcp.get("servers")) and is_second_shape("servers", mcp["servers"])


def parse(text: str, place: Place) -> dict[str, Any]:
    """The tree in a file's text; an empty file is an empty tree."""
    if not text.strip():
        return {}
    return (toml if place.is_toml else jsonc).parse(text, place.name).tree


def _strongest(layer: Layer, folder: Path, names: tuple[str, ...]) -> Place | None:
    there = [folder / name for name in names if os.path.lexists(folder / name)]
    return _place(layer, there[-1]) if there else None


def _place(layer: Layer, path: Path) -> Place:
    return Place(layer, str(path), str(path.parent), dialect_of(path))
