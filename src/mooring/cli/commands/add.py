"""`mooring add`: a new server written down, and approved by that act."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from mooring.cli import approval, ask
from mooring.cli.here import Here
from mooring.cli.render import complain, emit, say
from mooring.cli.where import chosen, short
from mooring.config.edit import add, sources_of
from mooring.config.proof import proven
from mooring.config.targets import global_place
from mooring.core.merge import find
from mooring.core.redact import mask_value
from mooring.core.views import entry_view
from mooring.errors import LiteralSecret, UsageError

__all__ = ["run"]

Given = Mapping[str, Any]


def run(here: Here, *, as_json: bool, **given: Any) -> int:
    name, entry = (given["name"], _entry(given)) if given["name"] else _asked(given)
    spec = proven(name, entry, here.dirs)
    scope = {key: given[key] for key in ("is_global", "is_project", "file")}
    place = chosen(here, **scope) or global_place(here.dirs)
    change = add(place, name, entry, replace=given["replace"])
    loaded = here.load()
    approval.by_this_act(here, loaded, name, change)
    is_read = change.file in {source.name for source in loaded.sources}
    saying = sources_of(loaded, name) if find(loaded.tree, ("mcp", name)) else ()
    stronger = [source for source in saying[-1:] if source.name != change.file]
    if as_json:
        emit(
            {
                "added": entry_view(spec),
                "file": change.file,
                "read": is_read,
                "overruledBy": [str(source) for source in stronger],
            }
        )
        return 0
    say(f"Added `{name}` to {short(here, change.file)}. Undo: mooring remove {shlex.quote(name)}")
    if not is_read:
        file = short(here, change.file)
        say(f"  note {file} is not read here; MOORING_CONFIG={shlex.quote(file)} reads it")
    for source in stronger:
        say(f"  note {short(here, source.name)} ({source.layer}) says more about `{name}`, and is stronger")
    _warn_of_literals(given)
    return 0


def _entry(given: Given) -> dict[str, Any]:
    """The entry that the words of the command line ask for, in OpenCode's shape."""
    command = _command(given)
    if bool(command) == bool(given["url"]):
        hint = "mooring add NAME -- COMMAND ARGS, or mooring add NAME --url URL"
        raise UsageError("A server has either a command or a `--url`", hint=hint)
    entry: dict[str, Any] = _local(given, command) if command else _remote(given)
    if given["timeout"]:
        entry["timeout"] = given["timeout"]
    return entry


def _command(given: Given) -> list[str]:
    words = list(given["words"])
    if given["command"]:
        if words:
            raise UsageError("`--command` and `-- COMMAND` exclude each other", hint="Keep one of them")
        words = [given["command"], *(part for text in given["args"] for part in _split(text))]
    elif given["args"]:
        raise UsageError("`--args` needs `--command`", hint="Or write it all after `--`")
    return words


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise UsageError(
            f"`--args` has a quote that does not end: {text!r}", hint="Or write it after `--`"
        ) from error


def _local(given: Given, command: list[str]) -> dict[str, Any]:
    for option in ("header", "transport"):
        if given[option]:
            raise UsageError(f"`--{option}` is for remote servers", hint="Local ones get `--env`")
    if given["oauth"] is not None:
        raise UsageError("`--oauth` is for remote servers", hint="Local ones get `--env`")
    entry: dict[str, Any] = {"type": "local", "command": command}
    if given["cwd"]:
        entry["cwd"] = given["cwd"]
    if given["env"]:
        entry["environment"] = dict(_pair(text, "=", "--env") for text in given["env"])
    return entry


def _remote(given: Given) -> dict[str, Any]:
    for option in ("env", "cwd"):
        if given[option]:
            raise UsageError(f"`--{option}` is for local servers", hint="Remote ones get `--header`")
    entry: dict[str, Any] = {"type": "remote", "url": given["url"]}
    if given["header"]:
        entry["headers"] = dict(_pair(text, ":=", "--header") for text in given["header"])
    if given["transport"]:
        entry["transport"] = given["transport"]
    if given["oauth"] is not None:
        entry["oauth"] = {} if given["oauth"] else False
    return entry


def _pair(text: str, marks: str, option: str) -> tuple[str, str]:
    """NAME=VALUE, for headers also `NAME: VALUE`: whichever mark comes first."""
    at = min((text.index(mark) for mark in marks if mark in text), default=-1)
    name = text[:at].strip()
    if at < 1 or not name:
        raise UsageError(f"`{option}` wants NAME=VALUE", hint=f"{option} NAME=VALUE")
    return name, text[at + 1 :].strip() if ":" in marks else text[at + 1 :]


def _asked(given: Given) -> tuple[str, dict[str, Any]]:
    ask.need(
        "`mooring add` without a name asks, and there is no terminal", "mooring add NAME -- COMMAND ARGS"
    )
    name = ask.text("Name")
    if ask.choose("Where does it run?", ["local", "remote"]) == "local":
        words = _split(ask.text("Command, as in a shell"))
        return name, _entry({**given, "words": words})
    return name, _entry({**given, "url": ask.text("URL")})


def _warn_of_literals(given: Given) -> None:
    pairs: Sequence[tuple[str, str]] = [
        *(_pair(text, "=", "--env") for text in given["env"]),
        *(_pair(text, ":=", "--header") for text in given["header"]),
    ]
    for name, value in pairs:
        if mask_value(name, value) != value:
            hint = f"Keep it out of the file: {name}={{env:{name.upper().replace('-', '_')}}}"
            complain(LiteralSecret(f"The value of `{name}` stands in the file as it is", hint=hint))
