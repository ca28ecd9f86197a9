"""Which file the name of a command stands for, where a program is about to start."""

from __future__ import annotations

import os
import shutil

__all__ = ["located"]


def located(command: str, path: str, folder: str | os.PathLike[str]) -> str | None:
    """Along `path`, the program's own, from the `folder` that it works in; None where nothing is found."""
    if os.sep in command:
        return os.path.join(folder, command)  # noqa: PTH118 - an absolute one stays as it is
    along = os.pathsep.join(os.path.join(folder, entry) for entry in path.split(os.pathsep))  # noqa: PTH118
    return shutil.which(command, path=along)
