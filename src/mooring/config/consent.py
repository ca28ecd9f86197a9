"""Whether a server may be started: looked up, told, and given by whoever wrote it down."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mooring.config.edit import Change
from mooring.config.load import Loaded
from mooring.config.server import LAUNCH
from mooring.config.trust import Approvals, Launch, is_gated, launch_of
from mooring.core.merge import find, leaves
from mooring.core.spec import LocalSpec, RemoteSpec

__all__ = ["approve_own", "standing"]


def standing(approvals: Approvals, spec: LocalSpec | RemoteSpec, what: Launch) -> dict[str, Any]:
    """What an approval is about, and whether there is one; `changed` is what an earlier one did not cover."""
    earlier = None if approvals.covers(what) else approvals.earlier(what)
    return {
        "name": spec.name,
        "approved": not is_gated(spec) or approvals.covers(what),
        "files": list(what.files),
        "launch": what.shown,
        "variables": list(what.variables),
        "fingerprint": what.fingerprint,
        "changed": list(earlier.differs(what)) if earlier else [],
    }


def approve_own(
    approvals: Approvals,
    loaded: Loaded,
    name: str,
    written: Change,
    around: tuple[Mapping[str, str], Path],
    at: int,
) -> None:
    """What the user has just written needs no question, as long as nobody else has a say in it."""
    spec, node = loaded.config.servers.get(name), find(loaded.tree, ("mcp", name))
    if not isinstance(spec, (LocalSpec, RemoteSpec)) or node is None or not is_gated(spec):
        return
    says = [leaf.origin for path, leaf in leaves(node) if path[0] in LAUNCH]
    depth = len(written.path)
    is_alone = {source.name for source in spec.sources} == {written.file}
    if is_alone and all(origin.path[:depth] == written.path for origin in says):
        approvals.add(launch_of(spec, *around), at)
