"""Files, programs and keys as they are typed and shown."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from mooring.cli.here import Here
from mooring.config.places import Place
from mooring.config.targets import file_place, global_place, project_place
from mooring.core.redact import visible
from mooring.errors import BadKey, UsageError

__all__ = ["chosen", "key_path", "line_of", "program", "short"]

_PART = re.compile(r'"((?:[^"\\]|\\.)*)"|([^."]+)')


def chosen(here: Here, *, is_global: bool, is_project: bool, file: str | None) -> Place | None:
    """The file that `--global`, `--project` or `--file` name; None without any."""
    if sum((is_global, is_project, file is not None)) > 1:
        raise UsageError("`--global`, `--project` and `--file` exclude each other", hint="Keep one of them")
    if is_global:
        return global_place(here.dirs)
    if is_project:
        return project_place(here.cwd)
    return file_place(here.cwd / Path(file).expanduser()) if file else None


def key_path(text: str, servers: Iterable[str] = ()) -> tuple[str, ...]:
    """`mcp.notes.timeout`; a server's name may hold dots, and quotes help where that is not enough."""
    parts: list[str] = []
    at = 0
    while at < len(text):
        match = _PART.match(text, at)
        if match is None or text[match.end() : match.end() + 1] not in ("", "."):
            raise BadKey(
                f"`{text}` is not a key", hint='mcp.NAME.KEY, with quotes around odd names: mcp."a.b".timeout'
            )
        parts.append(match[2] if match[2] is not None else re.sub(r"\\(.)", r"\1", match[1]))
        at = match.end() + 1
    if not parts or text.endswith("."):
        raise BadKey(f"`{text}` is not a key", hint="For example mcp.NAME.timeout")
    return _joined(parts, frozenset(servers)) if parts[0] == "mcp" else tuple(parts)


def _joined(parts: list[str], servers: frozenset[str]) -> tuple[str, ...]:
    """The longest name that a server has."""
    for end in range(len(parts), 1, -1):
        name = ".".join(parts[1:end])
        if name in servers:
            return ("mcp", name, *parts[end:])
    return tuple(parts)


def short(here: Here, path: str) -> str:
    """A path as one would type it: from here, or from home."""
    for base, sign in ((here.cwd, "."), (here.dirs.home, "~")):
        if path.startswith(f"{base}{os.sep}"):
            return visible(f"{sign}{os.sep}{os.path.relpath(path, base)}")
    return visible(path)


def line_of(here: Here, view: Mapping[str, Any]) -> str:
    """The file and line of a view."""
    line = f":{view['line']}" if "line" in view else ""
    return f"{short(here, view['file'])}{line}" if "file" in view else ""


def program(here: Here, name: str) -> str | None:
    """A program on PATH; what a relative entry finds belongs to the folder one happens to stand in."""
    entries = here.env.get("PATH", os.defpath).split(os.pathsep)
    return shutil.which(name, path=os.pathsep.join(filter(os.path.isabs, entries)))
