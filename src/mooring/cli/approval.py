"""Approvals as the terminal sees them: the question, the answer, and the act of adding."""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Iterable

from mooring.cli.here import Here
from mooring.cli.render import mark, say, table
from mooring.cli.where import short
from mooring.config.consent import approve_own
from mooring.config.edit import Change
from mooring.config.load import Loaded
from mooring.config.places import project_root
from mooring.config.trust import Approvals, Launch, is_gated, launch_of
from mooring.core.redact import HIDDEN, steers, visible
from mooring.core.spec import LocalSpec, RemoteSpec
from mooring.core.template import Variable, texts, variables
from mooring.core.values import is_list, is_map

__all__ = ["approvals", "by_this_act", "gated", "launch", "show"]


def approvals(here: Here) -> Approvals:
    return Approvals(here.dirs.data)


def gated(servers: Iterable[object]) -> list[LocalSpec | RemoteSpec]:
    """Those that need an approval, given or not."""
    return [spec for spec in servers if isinstance(spec, (LocalSpec, RemoteSpec)) and is_gated(spec)]


def launch(here: Here, spec: LocalSpec | RemoteSpec) -> Launch:
    return launch_of(spec, here.env, project_root(here.cwd))


def by_this_act(here: Here, loaded: Loaded, name: str, written: Change) -> None:
    """What the user has just written needs no question, as long as nobody else has a say in it."""
    around = here.env, project_root(here.cwd)
    approve_own(approvals(here), loaded, name, written, around, int(time.time()))


def show(here: Here, spec: LocalSpec | RemoteSpec, what: Launch) -> None:
    """Everything that would happen, nothing cut short, nothing left to act on the terminal."""
    verb = (
        "start a program on this computer, with your rights" if isinstance(spec, LocalSpec) else "be called"
    )
    say(f"{mark(visible(spec.name), 'yellow')} wants to {verb}")
    rows = [("from", ", ".join(short(here, file) for file in what.files))]
    for key, value in what.shown.items():
        if is_map(value):
            rows += [
                (key, f"{visible(name)}={visible(str(item))}")
                for name, item in value.items()
                if item is not None
            ]
        elif is_list(value):
            rows += [(key, shlex.join(visible(word) for word in value))] if value else []
        elif value and value != "auto":
            rows.append((key, visible(str(value))))
    if what.folder and not (isinstance(spec, LocalSpec) and spec.cwd):
        rows.append(("folder", short(here, what.folder)))
    rows += [("reads", f"{variable} ({_state(here, variable)})") for variable in _used(spec)]
    rows += [("note", warning) for warning in _warnings(spec)]
    if any(HIDDEN in text for _, text in rows):
        rows.append(("note", f"parts that may be secrets are hidden; read them in {rows[0][1]}"))
    earlier = approvals(here).earlier(what)
    if earlier is not None:
        rows.append(("changed", ", ".join(earlier.differs(what)) + " since you approved it"))
    say(table(rows, indent=2, whole=True))


def _used(spec: LocalSpec | RemoteSpec) -> list[Variable]:
    return list(dict.fromkeys(variable for _, text in texts(spec) for variable in variables(text)))


def _state(here: Here, variable: Variable) -> str:
    if variable.kind == "env":
        return "set" if variable.name in here.env else "not set"
    if variable.kind == "credential":
        return "handed over by the service or the container"
    if variable.kind != "file":
        return "asked for"
    # A link in a repository may lead to a file of the user's.
    leads_to = os.path.realpath(variable.name)
    return "a file" if leads_to == variable.name else f"which is {visible(short(here, leads_to))}"


def _warnings(spec: LocalSpec | RemoteSpec) -> list[str]:
    """What a careful person would want to know."""
    if not isinstance(spec, LocalSpec):
        return ["is not the server that you call by this name, and takes its place"] if spec.displaces else []
    program = spec.command.rpartition("/")[2]
    found: list[str] = []
    if program in ("sh", "bash", "zsh", "fish", "dash", "cmd", "powershell") and any(
        word in ("-c", "/c", "-Command") for word in spec.args
    ):
        found.append("runs a shell script that stands in its arguments")
    if program in ("npx", "bunx", "pnpx", "uvx", "pipx"):
        package = next((word for word in spec.args if not word.startswith("-")), "")
        if not any(mark in package[1:] for mark in ("@", "==")):
            found.append("runs whatever version the package index holds today")
    steering = [name for name in spec.environment if steers(name)]
    if steering:
        found.append(f"sets what steers programs: {', '.join(map(visible, steering))}")
    if spec.inherit is True:
        found.append("gets every environment variable that you have")
    return found
