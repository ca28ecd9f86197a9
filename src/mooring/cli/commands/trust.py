"""`mooring trust`: what projects want to start, shown and approved."""

from __future__ import annotations

import shlex
import time
from typing import Any

from mooring.cli import approval, ask
from mooring.cli.here import Here
from mooring.cli.render import emit, mark, out, say, table
from mooring.cli.where import short
from mooring.config.consent import standing
from mooring.config.load import Loaded
from mooring.config.trust import Launch
from mooring.core.nearest import no_server
from mooring.core.spec import BadServer, LocalSpec, RemoteSpec
from mooring.errors import NeedsApprovalError, UsageError

__all__ = ["run"]


def run(here: Here, *, name: str | None, all_pending: bool, yes: bool, revoke: bool, as_json: bool) -> int:
    loaded = here.load()
    if revoke:
        return _revoke(here, loaded, name, as_json=as_json)
    if name and all_pending:
        raise UsageError("`--all` and a name exclude each other", hint="Keep one of them")
    if name is None and not all_pending:
        if yes:
            raise UsageError("`--yes` needs a name or `--all`", hint="mooring trust NAME --yes")
        return _list(here, loaded, as_json=as_json)
    specs = [_named(loaded, name)] if name else _pending(here, loaded)
    decided = [_decide(here, spec, yes=yes) for spec in specs]
    undecided = [spec.name for spec, word in zip(specs, decided, strict=True) if word is None]
    if undecided:
        names = ", ".join(f"`{one}`" for one in undecided)
        hint = f"mooring trust {shlex.quote(name) if name else '--all'} --yes"
        raise NeedsApprovalError(f"Not approved, and nobody to ask: {names}", hint=hint)
    if as_json:
        emit([_view(here, spec) for spec in specs])
    elif not specs:
        say("Nothing waits for an approval")
    return 0 if all(decided) else 4


def _named(loaded: Loaded, name: str) -> LocalSpec | RemoteSpec:
    match loaded.config.servers.get(name):
        case BadServer(errors=errors):
            raise errors[0]
        case None:
            raise no_server(name, loaded.config.servers)
        case spec:
            return spec


def _pending(here: Here, loaded: Loaded) -> list[LocalSpec | RemoteSpec]:
    kept = approval.approvals(here)
    gated = approval.gated(loaded.config.servers.values())
    return [spec for spec in gated if not kept.covers(approval.launch(here, spec))]


def _decide(here: Here, spec: LocalSpec | RemoteSpec, *, yes: bool) -> bool | None:
    """Whether the server may start after this; None where nobody could be asked."""
    kept = approval.approvals(here)
    what = approval.launch(here, spec)
    if not approval.gated([spec]):
        say(f"`{spec.name}` is your own and needs no approval")
        return True
    if kept.covers(what):
        say(f"`{spec.name}` is approved already")
        return True
    approval.show(here, spec, what)
    if not yes:
        if not ask.can_ask():
            return None
        if not ask.confirm("Approve exactly this?"):
            return False
    kept.add(what, int(time.time()))
    say(f"Approved `{spec.name}`; any change asks again")
    return True


def _list(here: Here, loaded: Loaded, *, as_json: bool) -> int:
    gated = approval.gated(loaded.config.servers.values())
    if as_json:
        emit([_view(here, spec) for spec in gated])
        return 0
    if not gated:
        say("No project has anything to start here")
        return 0
    kept = approval.approvals(here)
    rows: list[tuple[str, str, str]] = []
    for spec in gated:
        what = approval.launch(here, spec)
        state = mark("approved", "green") if kept.covers(what) else mark(_pending_word(here, what), "yellow")
        rows.append((spec.name, state, ", ".join(short(here, file) for file in what.files)))
    out(table(rows))
    if any("approved" not in row[1] for row in rows):
        say("  hint mooring trust NAME")
    return 0


def _pending_word(here: Here, what: Launch) -> str:
    return "changed" if approval.approvals(here).earlier(what) else "waiting"


def _view(here: Here, spec: LocalSpec | RemoteSpec) -> dict[str, Any]:
    return standing(approval.approvals(here), spec, approval.launch(here, spec))


def _revoke(here: Here, loaded: Loaded, name: str | None, *, as_json: bool) -> int:
    if name is None:
        raise UsageError("`--revoke` needs a name", hint="mooring trust NAME --revoke")
    kept = approval.approvals(here)
    spec = loaded.config.servers.get(name)
    if isinstance(spec, (LocalSpec, RemoteSpec)):
        what = approval.launch(here, spec)
        found = [one for one in kept.all() if one.is_about(what)]
    else:
        found = [one for one in kept.all() if one.name == name]
    for one in found:
        kept.remove(one)
    if as_json:
        emit({"name": name, "revoked": len(found)})
    else:
        say(f"Revoked `{name}`" if found else f"`{name}` was not approved")
    return 0 if found else 1
