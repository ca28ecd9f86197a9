"""Where a host stands: a folder, an environment, the user's own folders; what may be started from there."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from mooring.auth.keyring import safe_of
from mooring.auth.vault import Vault
from mooring.config.lookup import look_up_in
from mooring.config.places import project_root
from mooring.config.trust import Approvals, is_gated, launch_of
from mooring.core.frozen import frozen
from mooring.core.spec import Config, Input, LocalSpec, RemoteSpec
from mooring.core.template import expand_spec
from mooring.errors import NeedsApprovalError
from mooring.host.journals import new_run
from mooring.host.remembered import Remembered
from mooring.host.yard import Prepared
from mooring.system.dirs import Dirs
from mooring.system.journal import Journal

if TYPE_CHECKING:
    from mooring.upstream.order import Dial

__all__ = ["Surroundings"]


@frozen
class Surroundings:
    """Nothing else of the outside world is read."""

    cwd: Path
    env: Mapping[str, str]
    dirs: Dirs

    @classmethod
    def of(cls, cwd: str | Path | None, env: Mapping[str, str] | None) -> Surroundings:
        known = dict(os.environ) if env is None else env
        return cls(Path(cwd).absolute() if cwd is not None else Path.cwd(), known, Dirs.of(known))

    @property
    def folder(self) -> Path:
        return project_root(self.cwd)

    @property
    def remembered(self) -> Remembered:
        return Remembered(self.dirs.cache / "servers")

    def vault(self, settings: Mapping[str, Any]) -> Vault:
        return Vault(self.dirs.data / "credentials", safe=safe_of(settings))

    def journal(self, server: str) -> Journal:
        """For one run of it."""
        return new_run(self.dirs.state / "logs", server)

    async def read(self, given: Mapping[str, Any] | None) -> Config:
        """Files may lie on a slow disk, and an organisation may hang, while others want to go on."""
        from mooring.config.load import given_as, load  # noqa: PLC0415 - who brings a Config needs none of it
        from mooring.config.wellknown import organisation  # noqa: PLC0415

        if given is not None:
            return given_as(given, self.cwd, self.dirs)
        defaults = organisation(self.dirs, self.env)
        return (await asyncio.to_thread(load, self.cwd, self.dirs, self.env, defaults)).config

    def prepare(self, inputs: Mapping[str, Input], spec: LocalSpec | RemoteSpec) -> Prepared:
        """Asked anew at every start: an approval may have been given meanwhile, or a variable set."""
        launch = launch_of(spec, self.env, self.folder)
        if is_gated(spec) and not Approvals(self.dirs.data).covers(launch):
            where = spec.sources[0].name if spec.sources else "a project"
            raise NeedsApprovalError(
                f"`{spec.name}` from `{where}` is not approved", hint=f"mooring trust {quote(spec.name)}"
            )
        return Prepared(expand_spec(spec, look_up_in(self.env, inputs, self.dirs.home)), launch.fingerprint)

    @contextmanager
    def dialling(self, dial: Dial | None, *, leave: bool) -> Generator[Dial]:
        if dial is not None:
            yield dial
            return
        from mooring.upstream.dial import dialer  # noqa: PLC0415 - tests bring a dial of their own
        from mooring.upstream.ground import Ground  # noqa: PLC0415
        from mooring.upstream.stdio.reaper import Reaper  # noqa: PLC0415

        reaper = Reaper()
        try:
            yield dialer(Ground(self.env, self.folder, reaper, leave))
        finally:
            reaper.close()
