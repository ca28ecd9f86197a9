"""Servers of other clients taken into our own files: what would happen to each, and the edit that does it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum

from mooring.config import jsonc_edit, toml_edit
from mooring.config.foreign import Found
from mooring.config.ourselves import is_ours
from mooring.config.places import Place
from mooring.config.spell import spelled
from mooring.config.targets import container, parse
from mooring.core.frozen import frozen
from mooring.core.redact import mask_arguments, mask_shapes, mask_url, mask_value, names_secret
from mooring.core.spec import BadServer, Entry, Input, LocalSpec, RemoteSpec
from mooring.core.values import JSON, is_list, is_map
from mooring.system.files import edit_text, read_text, write_atomic
from mooring.system.locks import locked

__all__ = ["Outcome", "Step", "literal_secrets", "plan", "write"]


class Outcome(StrEnum):
    """What would happen to a server."""

    NEW = "new"
    REPLACE = "replace"
    SAME = "same"
    TAKEN = "taken"
    OURS = "ours"
    BAD = "bad"

    @property
    def is_written(self) -> bool:
        return self in (Outcome.NEW, Outcome.REPLACE)


@frozen
class Step:
    """One server, what would happen to it, and who stands in its way."""

    found: Found
    outcome: Outcome
    other: str = ""


def plan(found: Iterable[Found], servers: Mapping[str, Entry], *, replace: bool) -> Iterator[Step]:
    """Of several clients the first gives a name its meaning; `replace` is about `servers` only."""
    given: dict[str, Found] = {}
    for one in found:
        if isinstance(one.spec, BadServer):
            yield Step(one, Outcome.BAD)
        elif is_ours(one.entry):
            yield Step(one, Outcome.OURS)
        elif earlier := given.get(one.name):
            yield Step(one, Outcome.SAME if one.spec == earlier.spec else Outcome.TAKEN, earlier.file)
        else:
            outcome = _beside(one.spec, servers.get(one.name), replace=replace)
            if outcome is not Outcome.TAKEN:
                given[one.name] = one
            yield Step(one, outcome, _place_of(servers.get(one.name)))


def _beside(spec: Entry, there: Entry | None, *, replace: bool) -> Outcome:
    if there is None:
        return Outcome.NEW
    if spec == there:
        return Outcome.SAME
    return Outcome.REPLACE if replace else Outcome.TAKEN


def _place_of(entry: Entry | None) -> str:
    return entry.sources[-1].name if entry and entry.sources else ""


def literal_secrets(spec: Entry) -> tuple[str, ...]:
    """The keys whose values look like secrets and are no references."""
    match spec:
        case LocalSpec():
            found = [
                f"environment.{key}" for key, value in spec.environment.items() if _is_secret(key, value)
            ]
            return (*found, *(["command"] if mask_arguments(spec.args) != spec.args else []))
        case RemoteSpec():
            found = [f"headers.{key}" for key, value in spec.headers.items() if _is_secret(key, value)]
            found += ["url"] if mask_url(spec.url) != spec.url else []
            secret = spec.oauth.client_secret if spec.oauth else None
            return (*found, *(["oauth.clientSecret"] if secret and _is_secret("secret", secret) else []))
        case BadServer():
            return ()


def _is_secret(key: str, value: str) -> bool:
    if mask_value(key, value) == value:
        return False
    return names_secret(key) or mask_shapes(value) != value or ("://" in value and mask_url(value) != value)


def write(place: Place, steps: Sequence[Step], known: Mapping[str, Input]) -> None:
    """All of them in one edit; a new file is for its owner alone, as there may be secrets in it."""

    def change(text: str | None) -> str:
        return _with_all(text or "", place, steps, known)

    with locked(place.name):
        if read_text(place.name) is None:
            write_atomic(place.name, change(None), 0o600)
            return
    edit_text(place.name, change)


def _with_all(text: str, place: Place, steps: Sequence[Step], known: Mapping[str, Input]) -> str:
    editor = toml_edit if place.is_toml else jsonc_edit
    tree = parse(text, place)
    asked = {str(item["id"]): item for step in steps for item in step.found.inputs}
    listed = tree.get("inputs")
    items = listed if is_list(listed) else []
    there = [item.get("id") for item in items if is_map(item)]
    fresh = [item for name, item in asked.items() if name not in known and name not in there]
    if fresh:
        text = editor.set_value(text, ("inputs",), [*items, *fresh])
    for step in steps:
        path = (*container(tree, place.dialect), step.found.name)
        entry = spelled(step.found.entry, place.dialect)
        old = _at(tree, path)
        # A new server's name may stand here already, where it is only switched on or off.
        is_switch = step.outcome is Outcome.NEW and is_map(old)
        text = editor.set_value(text, path, {**old, **entry} if is_switch else entry)
    return text


def _at(tree: JSON, path: Sequence[str | int]) -> JSON:
    for key in path:
        tree = tree.get(str(key)) if is_map(tree) else None
    return tree
