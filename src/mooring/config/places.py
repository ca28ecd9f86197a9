"""Where configuration may be written, from the weakest place to the strongest."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path

from mooring.core.frozen import frozen
from mooring.core.spec import Layer
from mooring.system.dirs import Dirs
from mooring.system.rendezvous import root_of

__all__ = ["Dialect", "Place", "dialect_of", "global_places", "managed_places", "project_root", "user_places"]


class Dialect(StrEnum):
    """Whose shape a file has."""

    NATIVE = "native"
    CLAUDE = "claude"
    CURSOR = "cursor"
    VSCODE = "vscode"
    CODEX = "codex"


@frozen
class Place:
    """One file that may exist, and the variable that names it; `text` where the variable holds it all."""

    layer: Layer
    name: str
    folder: str
    dialect: Dialect = Dialect.NATIVE
    text: str | None = None
    variable: str | None = None

    @property
    def is_toml(self) -> bool:
        return self.text is None and (self.name.endswith((".toml", "/config")))


OWN = ("mooring.toml", "mooring.json", "mooring.jsonc")
OPENCODE = ("opencode.json", "opencode.jsonc")
CONFIG = ("config.toml", "config.json")
CLIENTS = (
    (".vscode/mcp.json", Dialect.VSCODE),
    (".cursor/mcp.json", Dialect.CURSOR),
    (".codex/config.toml", Dialect.CODEX),
    (".mcp.json", Dialect.CLAUDE),
)


def global_places(dirs: Dirs) -> Iterator[Place]:
    """The user's own files. OpenCode once kept a TOML file called `config`, with no ending."""
    for folder in (dirs.opencode_config, dirs.home / ".opencode"):
        names = (*CONFIG, *OPENCODE)
        legacy = ("config",) if folder == dirs.opencode_config else ()
        yield from _files(Layer.GLOBAL, folder, (*legacy, *names))
    yield from _files(Layer.GLOBAL, dirs.config, (*CONFIG, *OWN))


def user_places(cwd: Path, dirs: Dirs, env: Mapping[str, str]) -> Iterator[Place]:
    """Everything between the user's global files and the machine owner's."""
    for name in ("OPENCODE_CONFIG", "MOORING_CONFIG"):
        if env.get(name):
            path = _named(env[name], cwd, dirs)
            yield Place(Layer.FILE, str(path), str(path.parent), dialect_of(path), variable=name)
    if not any(_is_on(env, f"{program}_DISABLE_PROJECT_CONFIG") for program in ("OPENCODE", "MOORING")):
        # Who stands in a folder of his own is not in a project, and his files are read already.
        own = {place.name for place in (*global_places(dirs), *managed_places(dirs))}
        yield from (place for place in _project_places(cwd, dirs) if place.name not in own)
    if env.get("OPENCODE_CONFIG_DIR"):
        folder = _named(env["OPENCODE_CONFIG_DIR"], cwd, dirs)
        yield from _files(Layer.FILE, folder, (*CONFIG, *OPENCODE, *OWN))
    for name in ("OPENCODE_CONFIG_CONTENT", "MOORING_CONFIG_CONTENT"):
        if env.get(name):
            yield Place(Layer.INLINE, name, str(cwd), text=env[name])
    if env.get("OPENCODE_PERMISSION"):  # holds the value of one key
        text = f'{{"permission": {env["OPENCODE_PERMISSION"]}}}'
        yield Place(Layer.INLINE, "OPENCODE_PERMISSION", str(cwd), text=text)


def managed_places(dirs: Dirs) -> Iterator[Place]:
    """The machine owner's files, which nobody overrides."""
    opencode, mooring = dirs.managed
    yield from _files(Layer.MANAGED, opencode, (*CONFIG, *OPENCODE))
    yield from _files(Layer.MANAGED, mooring, (*CONFIG, *OWN))


def project_root(cwd: Path) -> Path:
    """The git work tree that holds `cwd`, else `cwd` itself."""
    return Path(root_of(str(cwd)))


def dialect_of(path: Path) -> Dialect:
    """Whose file it is, by its name."""
    for name, dialect in CLIENTS:
        if path.parts[-name.count("/") - 1 :] == tuple(name.split("/")):
            return dialect
    return Dialect.NATIVE


def _project_places(cwd: Path, dirs: Dirs) -> Iterator[Place]:
    root = project_root(cwd)
    folders = [folder for folder in (cwd, *cwd.parents) if folder == root or root in folder.parents]
    folders.reverse()
    home = os.path.realpath(dirs.home)
    # In the home folder `.opencode` is global, and other clients' files are theirs, never a layer of ours.
    outside = [folder for folder in folders if os.path.realpath(folder) != home]
    for folder in folders:
        if folder in outside:
            for name, dialect in CLIENTS:
                yield Place(Layer.PROJECT, str(folder / name), str(folder), dialect)
        yield from _files(Layer.PROJECT, folder, (*OPENCODE, *OWN))
    for folder in outside:
        yield from _files(Layer.FOLDER, folder / ".opencode", (*CONFIG, *OPENCODE))
        yield from _files(Layer.FOLDER, folder / ".mooring", (*CONFIG, *OWN))


def _files(layer: Layer, folder: Path, names: tuple[str, ...]) -> Iterator[Place]:
    for name in names:
        yield Place(layer, str(folder / name), str(folder))


def _named(path: str, cwd: Path, dirs: Dirs) -> Path:
    """A path as the user writes it into a variable."""
    return dirs.home / path[2:] if path.startswith("~/") else cwd / path


def _is_on(env: Mapping[str, str], name: str) -> bool:
    return env.get(name, "").lower() in ("1", "true", "yes", "on")
