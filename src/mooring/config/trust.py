"""What a project wants to start, and whether the user has said yes to exactly that."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mooring.config.places import project_root
from mooring.config.reach import Reach
from mooring.core.frozen import frozen
from mooring.core.redact import mask_url, mask_value, show_launch, show_variable
from mooring.core.spec import LocalSpec, OAuth, RemoteSpec, ServerSpec
from mooring.core.template import texts, variables
from mooring.core.values import is_list, is_map
from mooring.errors import ApprovalsDamaged, ConfigError
from mooring.system.files import edit_text, private_dir, read_text

__all__ = ["Approval", "Approvals", "Launch", "is_gated", "launch_of"]

_SECRET = ("assertion", "client_secret", "idp_client_secret", "private_key")


def is_gated(spec: ServerSpec) -> bool:
    """Whether somebody other than the user has a say in what is started, or in where secrets go.

    That is any local server that a project or organisation describes, and a remote one that takes values from
    the user's machine, that says where logins are sent, that the user calls trusted, that lays its own
    address under what the user has written, or that takes the name of a server of the user's.
    """
    strangers = [source for source in spec.sources if not source.layer.is_the_users]
    if not strangers:
        return False
    match spec:
        case RemoteSpec():
            oauth = spec.oauth or OAuth()
            takes_values = bool(spec.headers_command) or any(any(variables(text)) for _, text in texts(spec))
            sends_logins = bool(
                oauth.authorization_url
                or oauth.token_url
                or oauth.redirect_uri
                or oauth.allow_hosts
                or oauth.assertion_file
                or oauth.idp_token_url
            )
            has_secrets = bool(spec.headers or oauth.client_id or oauth.client_secret)
            is_theirs_alone = len(strangers) == len(spec.sources)
            is_between = spec.displaces or (has_secrets and not is_theirs_alone)
            return takes_values or sends_logins or spec.trusted or is_between
        case _:
            return True


@frozen
class Launch:
    """All that an approval is bound to; `shown` is the same with literal secrets masked.

    `folder` is where the server would work: an organisation's `./build` is another program in each project.
    """

    name: str
    files: tuple[str, ...]
    folder: str
    fingerprint: str
    shown: dict[str, Any]
    variables: tuple[str, ...]


def launch_of(
    spec: LocalSpec | RemoteSpec, env: Mapping[str, str], folder: str | Path | None = None
) -> Launch:
    """What starting `spec` in `folder` means on this machine, programs and references looked up in `env`.

    Without `folder` it is the project that the process stands in.
    """
    files = tuple(source.name for source in spec.sources)
    start = Path(folder or project_root(Path.cwd()))
    reach = Reach(spec, env, start)
    match spec:
        case LocalSpec():
            command = spec.command
            exact: dict[str, Any] = {
                "program": "",
                "command": [spec.command, *spec.args],
                "cwd": spec.cwd,
                "environment": dict(spec.environment),
                "envFile": spec.env_file,
                "envFileSets": list(reach.variables),
                "inherit": spec.inherit if spec.inherit is True else list(spec.inherit),
            }
        case RemoteSpec():
            command = spec.headers_command[0] if spec.headers_command else ""
            exact = {
                **({"program": ""} if command else {}),
                "url": spec.url,
                "headers": dict(spec.headers),
                "headersCommand": list(spec.headers_command),
                "transport": spec.transport,
                "oauth": None if spec.oauth is None else asdict(spec.oauth),
            }
    where, program = (str(start), reach.program(command)) if command else ("", "")
    used = dict.fromkeys(str(variable) for _, text in texts(spec) for variable in variables(text))
    exact_text = json.dumps([spec.name, files, where, program, exact, reach.held()], sort_keys=True)
    fingerprint = hashlib.sha256(exact_text.encode()).hexdigest()
    shown = _shown(exact) | ({"program": reach.shown(command)} if command else {})
    return Launch(spec.name, files, where, fingerprint, shown, tuple(used))


def _shown(exact: Mapping[str, Any]) -> dict[str, Any]:
    hide: dict[str, Callable[[Any], Any]] = {
        "command": lambda value: list(show_launch(value)),
        "headersCommand": lambda value: list(show_launch(value)),
        "environment": lambda value: {key: show_variable(key, text) for key, text in value.items()},
        "headers": lambda value: {key: mask_value(key, text) for key, text in value.items()},
        "oauth": lambda value: (
            value and {k: mask_value("secret", str(v)) if k in _SECRET and v else v for k, v in value.items()}
        ),
        "url": mask_url,
    }
    return {key: hide[key](value) if key in hide else value for key, value in exact.items()}


@frozen
class Approval:
    """A yes to one launch; when, in seconds since 1970."""

    name: str
    files: tuple[str, ...]
    folder: str
    fingerprint: str
    shown: dict[str, Any]
    at: int

    def is_about(self, launch: Launch) -> bool:
        """The same server of the same files at work in the same folder, whatever it would do there."""
        return (self.name, self.files, self.folder) == (launch.name, launch.files, launch.folder)

    def differs(self, launch: Launch) -> tuple[str, ...]:
        """Which parts are not what was approved; a hidden value's change shows in no part."""
        keys = dict.fromkeys((*self.shown, *launch.shown))
        changed = tuple(key for key in keys if self.shown.get(key) != launch.shown.get(key))
        return changed or ("a hidden value",)


class Approvals:
    """The file of approvals in the user's own data folder; a repository cannot reach it."""

    def __init__(self, data: Path) -> None:
        self._folder = data
        self.file = data / "approvals.json"

    def all(self) -> tuple[Approval, ...]:
        return self._parse(self._text())

    def covers(self, launch: Launch) -> bool:
        return any(approval.fingerprint == launch.fingerprint for approval in self.all())

    def earlier(self, launch: Launch) -> Approval | None:
        """The approval of the same server, for something that has changed since."""
        found = (a for a in self.all() if a.is_about(launch))
        return next((a for a in found if a.fingerprint != launch.fingerprint), None)

    def add(self, launch: Launch, at: int) -> None:
        """Takes the place of an earlier approval of the same server."""
        new = Approval(launch.name, launch.files, launch.folder, launch.fingerprint, launch.shown, at)
        self._change(lambda old: [*(a for a in old if not a.is_about(launch)), new])

    def remove(self, approval: Approval) -> None:
        """Takes back this one; the same server in another folder stays approved."""
        self._change(lambda old: [a for a in old if a.fingerprint != approval.fingerprint])

    def _change(self, change: Callable[[tuple[Approval, ...]], list[Approval]]) -> None:
        private_dir(self._folder)
        self._text()

        def edit(text: str | None) -> str:
            records = [asdict(approval) for approval in change(self._parse(text))]
            return json.dumps({"version": 1, "approvals": records}, indent=2) + "\n"

        edit_text(self.file, edit, mode=0o600)

    def _text(self) -> str | None:
        """None where there is no file; one that somebody else could have written is no word of the user's."""
        try:
            for place in (self._folder, self.file):
                found = place.lstat()
                if stat.S_ISLNK(found.st_mode):
                    raise self._unsafe(place, "is a link", "Remove it, and approve again: mooring trust")
                if hasattr(os, "geteuid") and found.st_uid != os.geteuid():
                    raise self._unsafe(place, "belongs to another user", f"`ls -ld {place}` shows to whom")
                if os.name == "posix" and found.st_mode & 0o022:
                    raise self._unsafe(place, "can be written to by other users", f"chmod go-w {place}")
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise self._damaged() from error
        try:
            return read_text(self.file)
        except ConfigError as error:
            raise self._damaged() from error

    def _unsafe(self, place: Path, what: str, hint: str) -> ApprovalsDamaged:
        return ApprovalsDamaged(f"`{place}` {what}, so nothing counts as approved", hint=hint)

    def _parse(self, text: str | None) -> tuple[Approval, ...]:
        if text is None:
            return ()
        try:
            tree = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise self._damaged() from error
        records = tree.get("approvals") if is_map(tree) else None
        if not is_list(records):
            raise self._damaged()
        return tuple(self._approval(record) for record in records)

    def _approval(self, record: Any) -> Approval:
        match record:
            case {
                "name": str(name),
                "files": [*files],
                "folder": str(folder),
                "fingerprint": str(mark),
                "shown": {**shown},
                "at": int(at),
            }:
                return Approval(name, tuple(map(str, files)), folder, mark, shown, at)
            case _:
                raise self._damaged()

    def _damaged(self) -> ApprovalsDamaged:
        sentence = f"`{self.file}` cannot be read, so nothing counts as approved"
        return ApprovalsDamaged(sentence, hint="Remove the file and approve again: mooring trust")
