"""A user, his project and a machine, all in a folder of their own."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mooring.config.load import Loaded, Organisation, load
from mooring.core.spec import BadServer, LocalSpec, RemoteSpec
from mooring.system.dirs import Dirs


class World:
    """`project` is a git work tree outside of `home`; nothing of the real machine is read."""

    def __init__(self, root: Path, home: Path) -> None:
        self.home = home
        self.project = root / "project"
        (self.project / ".git").mkdir(parents=True)
        self.env: dict[str, str] = {"HOME": str(home)}
        self.dirs = replace(Dirs.of(self.env), managed=(root / "etc/opencode", root / "etc/mooring"))

    def put(self, path: str | Path, content: str | dict[str, Any]) -> Path:
        """A file in the project, or in the home folder for a path that begins with `~/`."""
        text = content if isinstance(content, str) else json.dumps(content, indent=2)
        file = self.home / str(path)[2:] if str(path).startswith("~/") else self.project / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        return file

    def load(self, cwd: Path | None = None, organisation: Organisation | None = None) -> Loaded:
        return load(cwd or self.project, self.dirs, self.env, organisation)

    def local(self, name: str, cwd: Path | None = None) -> LocalSpec:
        spec = self.load(cwd).config.servers[name]
        assert isinstance(spec, LocalSpec), spec
        return spec

    def remote(self, name: str, cwd: Path | None = None) -> RemoteSpec:
        spec = self.load(cwd).config.servers[name]
        assert isinstance(spec, RemoteSpec), spec
        return spec

    def bad(self, name: str) -> BadServer:
        spec = self.load().config.servers[name]
        assert isinstance(spec, BadServer), spec
        return spec


@pytest.fixture
def world(tmp_path: Path, empty_home: Path) -> World:
    return World(tmp_path, empty_home)
