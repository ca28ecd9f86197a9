"""A project to stand in, and the command line called in this process."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from mooring.cli import app


@dataclass(frozen=True, slots=True)
class Said:
    """How a command ended, and what it said on which stream."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run: TypeAlias = Callable[..., Said]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git work tree, and the folder that commands run in."""
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def mooring(project: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """`mooring("config", "get", "mcp")`."""

    def run(*words: str) -> Said:
        capsys.readouterr()
        code = app.run(list(words))
        heard = capsys.readouterr()
        return Said(code, heard.out, heard.err)

    return run


@pytest.fixture
def own(empty_home: Path) -> Path:
    """The user's own file; its folder is there."""
    file = empty_home / ".config" / "mooring" / "mooring.jsonc"
    file.parent.mkdir(parents=True)
    return file
