"""Where a command runs: its folder, its environment, and the user's own folders."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mooring.cli.guest import visiting
from mooring.errors import FolderGone
from mooring.system.dirs import Dirs

if TYPE_CHECKING:
    from mooring.config.load import Loaded

__all__ = ["Here"]


@dataclass(frozen=True, slots=True)
class Here:
    """Given to every command, which reads nothing else of the outside world."""

    cwd: Path
    env: Mapping[str, str]
    dirs: Dirs

    @classmethod
    def now(cls) -> Here:
        guest = visiting()
        if guest is not None:
            return cls(*guest.place)
        env = dict(os.environ)
        try:
            cwd = Path.cwd()
        except FileNotFoundError as error:
            raise FolderGone("The folder you are in is not there any more", hint="cd ~") from error
        return cls(cwd, env, Dirs.of(env))

    def load(self, *, anew: bool = False) -> Loaded:
        """The configuration that holds here; `anew` asks the organisation again for its defaults."""
        guest = visiting()
        if guest is not None and guest.loaded is not None and not anew:
            return guest.loaded
        from mooring.config.load import load
        from mooring.config.wellknown import organisation

        return load(self.cwd, self.dirs, self.env, organisation(self.dirs, self.env, anew=anew))
