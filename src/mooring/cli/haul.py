"""What other clients have for us, gathered, judged and taken in."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from mooring.auth.keyring import safe_of
from mooring.auth.opencode import Login, State, adopt, logins, places, read
from mooring.auth.vault import Record, Vault
from mooring.cli.here import Here
from mooring.config.adopt import Step, literal_secrets, plan, write
from mooring.config.clients import Around, Client, shelves
from mooring.config.foreign import Inventory, inventory
from mooring.config.load import Loaded
from mooring.config.lookup import look_up_in
from mooring.config.places import Place
from mooring.core.redact import mask_url
from mooring.core.spec import RemoteSpec
from mooring.core.template import expand
from mooring.core.views import entry_view, error_view
from mooring.errors import ConfigError, MooringError, UnknownServer, UsageError

__all__ = ["Haul", "gather", "take", "view"]


@dataclass(slots=True)
class Haul:
    """Everything that was found, and what would happen to it, or did.

    Of what was written, the `overruled` do not count: a stronger file says otherwise, or `is_unread`.
    """

    place: Place
    clients: list[tuple[Inventory, list[Step]]]
    logins: list[Login] = field(default_factory=list[Login])
    looked_at: list[str] = field(default_factory=list[str])
    problems: list[MooringError] = field(default_factory=list[MooringError])
    overruled: list[Step] = field(default_factory=list[Step])
    is_applied: bool = False
    is_unread: bool = False

    @property
    def steps(self) -> list[Step]:
        return [step for _, steps in self.clients for step in steps]

    @property
    def written(self) -> list[Step]:
        return [step for step in self.steps if step.outcome.is_written]

    @property
    def adopted(self) -> list[Login]:
        return [login for login in self.logins if login.state is State.NEW]


def gather(
    here: Here, clients: Sequence[Client], place: Place, only: Sequence[str], *, is_replacing: bool
) -> Haul:
    """A dry run; `only` are the names that are wanted, all of them where it is empty."""
    loaded = here.load()
    around = Around(here.cwd, here.dirs, here.env)
    _refuse_others_file(place, around)
    stocks = [_only(inventory(client, around, loaded.tree), only) for client in clients]
    everything = (found for stock in stocks for found in stock.servers)
    steps = plan(everything, loaded.config.servers, replace=is_replacing)
    haul = Haul(place, [(stock, list(islice(steps, len(stock.servers)))) for stock in stocks])
    for stock in stocks:
        haul.looked_at += stock.looked_at
        haul.problems += stock.problems
    if Client.OPENCODE in clients:
        _add_logins(here, haul, loaded, only)
    _check_only(haul, only)
    return haul


def _refuse_others_file(place: Place, around: Around) -> None:
    for client in Client:
        for shelf in shelves(client, around):
            if shelf.file.resolve() == Path(place.name).resolve():
                sentence = f"`{place.name}` belongs to {client}, and is only read"
                raise UsageError(sentence, hint="Import into a file of Mooring's: --global")


def _only(stock: Inventory, only: Sequence[str]) -> Inventory:
    if not only:
        return stock
    return replace(stock, servers=tuple(found for found in stock.servers if found.name in only))


def _add_logins(here: Here, haul: Haul, loaded: Loaded, only: Sequence[str]) -> None:
    now = time.time()
    records: list[Record] = []
    for file in places(here.dirs):
        haul.looked_at.append(str(file))
        try:
            records += read(file, now)
        except MooringError as error:
            haul.problems.append(error)
    wanted = [record for record in records if not only or record.server in only]
    try:
        haul.logins = logins(wanted, _addresses(here, loaded, haul.written), _vault(here, loaded), now)
    except MooringError as error:
        haul.problems.append(error)


def _vault(here: Here, loaded: Loaded) -> Vault:
    return Vault(here.dirs.data / "credentials", safe=safe_of(loaded.config.settings))


def _addresses(here: Here, loaded: Loaded, written: Iterable[Step]) -> dict[str, str]:
    """The address of every remote server, the new ones too, as far as references can be filled in."""
    look_up = look_up_in(here.env, loaded.config.inputs, here.dirs.home)
    found: dict[str, str] = {}
    servers = dict(loaded.config.servers) | {step.found.name: step.found.spec for step in written}
    for name, spec in servers.items():
        if isinstance(spec, RemoteSpec):
            try:
                found[name] = expand(spec.url, look_up, f"mcp.{name}.url")[0]
            except ConfigError:
                continue
    return found


def _check_only(haul: Haul, only: Sequence[str]) -> None:
    found = {step.found.name for step in haul.steps} | {login.record.server for login in haul.logins}
    for name in only:
        if name not in found:
            raise UnknownServer(f"No client has a server `{name}`", hint="`mooring import` shows all of them")


def take(here: Here, haul: Haul) -> None:
    """One edit for each client, and a record for each login."""
    loaded = here.load()
    inputs = loaded.config.inputs
    for _, steps in haul.clients:
        written = [step for step in steps if step.outcome.is_written]
        if written:
            write(haul.place, written, inputs)
    for login in haul.adopted:
        adopt(login, _vault(here, loaded))
    haul.is_applied = True
    if haul.written:
        now = here.load()
        haul.is_unread = haul.place.name not in {source.name for source in now.sources}
        servers = now.config.servers
        haul.overruled = [step for step in haul.written if servers.get(step.found.name) != step.found.spec]


def view(haul: Haul) -> dict[str, Any]:
    """The same as one JSON document."""
    return {
        "applied": haul.is_applied,
        "target": haul.place.name,
        "clients": [
            {
                "client": stock.client.value,
                "files": list(stock.files),
                "servers": [_step_view(step, step in haul.overruled) for step in steps],
            }
            for stock, steps in haul.clients
            if stock.files
        ],
        "logins": [
            {"server": login.record.server, "url": mask_url(login.record.url), "outcome": login.state.value}
            for login in haul.logins
        ],
        "problems": [error_view(error) for error in haul.problems],
        "lookedAt": haul.looked_at,
    }


def _step_view(step: Step, is_overruled: bool) -> dict[str, Any]:
    found = step.found
    return {
        "name": found.name,
        "outcome": step.outcome.value,
        "from": found.file,
        "other": step.other or None,
        "server": entry_view(found.spec),
        "literalSecrets": list(literal_secrets(found.spec)),
        "leftOut": list(found.left_out),
        "pinned": found.is_pinned,
        "wasLiteral": found.was_literal,
        "overruled": is_overruled,
    }
