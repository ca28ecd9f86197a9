"""`mooring import`: servers of other clients, and OpenCode's logins, copied into Mooring's own files."""

from __future__ import annotations

from typing import Any

from mooring.auth.opencode import State
from mooring.cli.haul import Haul, gather, take, view
from mooring.cli.here import Here
from mooring.cli.render import complain, emit, mark, out, say, table
from mooring.cli.where import chosen, short
from mooring.config.adopt import Outcome, Step, literal_secrets
from mooring.config.clients import Client
from mooring.config.targets import global_place
from mooring.core.redact import clean, mask_arguments, mask_url, visible
from mooring.core.spec import BadServer, Entry, LocalSpec, RemoteSpec
from mooring.errors import MooringError

__all__ = ["run"]

_LOGINS = {
    State.NEW: "to be copied",
    State.KEPT: "the vault has one that is as new",
    State.EXPIRED: "has expired",
    State.ELSEWHERE: "is for another address than the server has now",
    State.UNKNOWN: "no server of that name is configured",
}


def run(here: Here, *, client: str | None, only: tuple[str, ...], as_json: bool, **given: Any) -> int:
    is_applied, is_replacing = bool(given.pop("apply")), bool(given.pop("replace"))
    clients = [Client(client)] if client else list(Client)
    place = chosen(here, **given) or global_place(here.dirs)
    haul = gather(here, clients, place, only, is_replacing=is_replacing)
    if is_applied:
        take(here, haul)
    if as_json:
        emit(view(haul))
    else:
        _show(here, haul, client)
        _sum_up(here, haul, client)
    return 2 if client and haul.problems else 0


def _show(here: Here, haul: Haul, client: str | None) -> None:
    for stock, steps in haul.clients:
        if stock.files:
            out(f"{mark(stock.client, 'cyan')}  {', '.join(short(here, file) for file in stock.files)}")
            rows = [(str(step.outcome), visible(step.found.name), _describe(here, step)) for step in steps]
            out(table(rows, indent=2) or "  no servers")
    if client == Client.OPENCODE:
        say("OpenCode's files are layers of Mooring already; only its logins are copied")
    if haul.logins:
        out(f"{mark('opencode', 'cyan')}  logins")
        logins = [(login.state, login.record.server) for login in haul.logins]
        out(table([(str(state), visible(name), _LOGINS[state]) for state, name in logins], indent=2))
    for error in haul.problems:
        complain(error)


def _describe(here: Here, step: Step) -> str:
    launch, other = _launch(here, step.found.spec), short(here, step.other) or "the configuration"
    match step.outcome:
        case Outcome.NEW | Outcome.BAD:
            return launch
        case Outcome.OURS:
            return "is Mooring itself"
        case Outcome.SAME:
            return f"is in {other}"
        case Outcome.TAKEN:
            return f"{launch}  (skipped: {other} has another one of that name)"
        case Outcome.REPLACE:
            return f"{launch}  (in place of the one in {other})"


def _launch(here: Here, spec: Entry) -> str:
    match spec:
        case LocalSpec():
            return visible(" ".join((spec.command, *mask_arguments(spec.args))))
        case RemoteSpec():
            return visible(mask_url(spec.url))
        case BadServer():
            return "; ".join(_reason(here, error) for error in spec.errors)


def _reason(here: Here, error: MooringError) -> str:
    return clean(error.sentence) + (f" ({short(here, str(error.spot))})" if error.spot else "")


def _sum_up(here: Here, haul: Haul, client: str | None) -> None:
    if not haul.steps and not haul.logins and not haul.problems:
        say("Nothing to import; looked at")
        for file in haul.looked_at:
            say(f"  {short(here, file)}")
        return
    for step in haul.written:
        _note(step)
    target = short(here, haul.place.name)
    counts = [(len(haul.written), "server", target), (len(haul.adopted), "login", "the vault")]
    parts = [f"{count} {word}{'s' * (count > 1)} to {where}" for count, word, where in counts if count]
    if not parts:
        say("Nothing to do")
    elif haul.is_applied:
        say(f"Wrote {' and '.join(parts)}")
        _say_overruled(haul, target)
    else:
        say(f"Nothing is written yet: mooring import{f' {client}' if client else ''} --apply")
        say(f"  writes {' and '.join(parts)}")


def _say_overruled(haul: Haul, target: str) -> None:
    if haul.is_unread:
        say(f"{mark('note', 'yellow')} `{target}` is not read here; MOORING_CONFIG={target} reads it")
        return
    for step in haul.overruled:
        name = visible(step.found.name)
        say(f"{mark('note', 'yellow')} `{name}` is overruled: another file says something else of it")


def _note(step: Step) -> None:
    name, note = visible(step.found.name), mark("note", "yellow")
    secrets = literal_secrets(step.found.spec)
    if secrets:
        say(f"{note} `{name}` has secrets written out: {', '.join(map(visible, secrets))}")
        say(f"  {mark('hint', 'cyan')} Put them into variables, and {{env:NAME}} in their place")
    if step.found.left_out:
        keys = ", ".join(map(visible, step.found.left_out))
        say(f"{note} `{name}` loses keys that Mooring does not have: {keys}")
    if step.found.is_pinned:
        say(f"{note} `{name}` has paths that count from the open project; they are those of this one now")
    if step.found.was_literal:
        say(f"{note} `{name}` has a `${{NAME}}` that was meant literally; here it is a variable")
