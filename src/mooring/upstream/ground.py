"""What dials stand on: the environment, the project's folder, and what is shared by a host's connections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path

from mooring.core.frozen import frozen
from mooring.system.certificates import Certificates
from mooring.upstream.stdio.reaper import Reaper

__all__ = ["Ground"]


@frozen
class Ground:
    """One for each host; `leave` lets the reaper end what does not end at once by itself."""

    env: Mapping[str, str]
    folder: Path
    reaper: Reaper
    leave: bool = False
    certificates: Certificates = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "certificates", Certificates(self.env))
