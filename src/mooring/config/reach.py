"""Where the words of an entry lead on this machine: to which program, and into which files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from mooring.config.lookup import look_up_in
from mooring.core.envfile import assignments
from mooring.core.spec import LocalSpec, RemoteSpec
from mooring.core.template import expand, texts, variables
from mooring.errors import ConfigError
from mooring.system.files import read_text
from mooring.system.programs import located

__all__ = ["Reach"]


class Reach:
    """One entry at work in the folder `start`; references that nobody answers lead nowhere."""

    def __init__(self, spec: LocalSpec | RemoteSpec, env: Mapping[str, str], start: Path) -> None:
        self._look_up = look_up_in(env, {}, Path(env.get("HOME") or "/"))
        self._spec = spec
        self._start = start
        self._folder = start
        self._path = env.get("PATH", os.defpath)
        self._env_file: Path | None = None
        self.variables: tuple[str, ...] = ()
        if isinstance(spec, LocalSpec):
            self._enter(spec)

    def _enter(self, spec: LocalSpec) -> None:
        self._folder = self._start / self._filled(spec.cwd or "")
        if spec.env_file:
            self._env_file = self._folder / self._filled(spec.env_file)
            said = assignments(_text(self._env_file) or "")
            self.variables = tuple(said)
            self._path = said.get("PATH", self._path)
        if "PATH" in spec.environment:
            self._path = self._filled(spec.environment["PATH"])

    def _filled(self, text: str) -> str:
        try:
            return expand(text, self._look_up, "")[0]
        except ConfigError:
            return text

    def program(self, command: str) -> str:
        """The file that would run; one inside the project by its real path, so that no link can be turned."""
        words = self._filled(command)
        if any(variables(words)):
            return words
        found = located(words, self._path, self._folder) or words
        inside = {self._start, self._folder, *(Path(source.folder) for source in self._spec.sources)}
        is_inside = any(Path(found).is_relative_to(place) for place in inside - {Path("/")})
        return os.path.realpath(found) if is_inside else os.path.normpath(found)

    def shown(self, command: str) -> str:
        """The same for display: what a reference stands for may be a secret, unless it is a file's name."""
        found = self.program(command)
        cwd = self._spec.cwd if isinstance(self._spec, LocalSpec) else None
        is_certain = not any(variables(command + (cwd or ""))) or os.path.lexists(found)
        return found if is_certain else command

    def held(self) -> dict[str, str | None]:
        """What stands in the files it names where others write: that is a part of what the others say."""
        named = {
            variable.name
            for _, text in texts(self._spec)
            for variable in variables(text)
            if variable.kind == "file"
        }
        files = {Path(name) for name in named} | ({self._env_file} if self._env_file else set[Path]())
        strangers = (Path(source.folder) for source in self._spec.sources if not source.layer.is_the_users)
        theirs = {self._start, *strangers} - {Path("/")}
        return {
            str(file): _text(file)
            for file in sorted(files)
            if any(Path(os.path.normpath(file)).is_relative_to(place) for place in theirs)
        }


def _text(file: Path) -> str | None:
    try:
        return read_text(file)
    except ConfigError:
        return None
