"""`mooring doctor`: whether everything Mooring needs is in order."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from mooring import __version__
from mooring.cli import approval
from mooring.cli.here import Here
from mooring.cli.render import emit, mark, out, table
from mooring.cli.where import program, short
from mooring.core.redact import clean, visible
from mooring.errors import MooringError

__all__ = ["run"]

_SIGNS = {"good": ("ok", "green"), "note": ("note", "yellow"), "bad": ("bad", "red")}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at."""

    what: str
    state: Literal["good", "note", "bad"]
    says: str
    hint: str = ""


def run(here: Here, *, as_json: bool) -> int:
    """Ends with 2 where the configuration is broken, with 1 where anything else is."""
    configuration = list(_configuration(here))
    findings = [*_environment(), *configuration, *_folders(here), *_programs(here)]
    is_bad = any(finding.state == "bad" for finding in findings)
    if as_json:
        emit({"ok": not is_bad, "findings": [asdict(finding) for finding in findings]})
    else:
        rows: list[tuple[str, str, str]] = []
        for finding in findings:
            word, colour = _SIGNS[finding.state]
            rows.append((mark(word, colour), finding.what, finding.says))
            if finding.hint:
                rows.append(("", "", f"hint {finding.hint}"))
        out(table(rows))
    if any(finding.state == "bad" for finding in configuration):
        return 2
    return 1 if is_bad else 0


def _environment() -> Iterator[Finding]:
    yield Finding("mooring", "good", __version__)
    yield Finding(
        "python", "good", f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    )


def _configuration(here: Here) -> Iterator[Finding]:
    try:
        loaded = here.load()
    except MooringError as error:
        yield Finding("config", "bad", error.sentence, error.hint)
        return
    for source in loaded.sources:
        yield Finding("config", "good", f"{short(here, source.name)} ({source.layer})")
    for problem in loaded.config.problems:
        state = "bad" if problem.severity == "error" else "note"
        place = short(here, str(problem.spot)) if problem.spot else problem.code
        yield Finding("config", state, f"{clean(problem.sentence)} ({place})", clean(problem.hint))
    try:
        kept = approval.approvals(here)
        waiting = [
            s
            for s in approval.gated(loaded.config.servers.values())
            if not kept.covers(approval.launch(here, s))
        ]
    except MooringError as error:
        yield Finding("approvals", "bad", error.sentence, error.hint)
        return
    if waiting:
        names = ", ".join(spec.name for spec in waiting)
        yield Finding("approvals", "note", f"{names}: waiting", "mooring trust")


def _folders(here: Here) -> Iterator[Finding]:
    dirs = here.dirs
    for what, folder in (
        ("config", dirs.config),
        ("data", dirs.data),
        ("state", dirs.state),
        ("cache", dirs.cache),
    ):
        there = next((parent for parent in (folder, *folder.parents) if parent.exists()), Path("/"))
        is_writable = there.is_dir() and os.access(there, os.W_OK | os.X_OK)
        says = (
            short(here, str(folder)) if folder.exists() else f"{short(here, str(folder))} (made when needed)"
        )
        hint = "" if is_writable else f"Make {short(here, str(there))} writable for you"
        yield Finding(f"{what} folder", "good" if is_writable else "bad", says, hint)


def _programs(here: Here) -> Iterator[Finding]:
    """What local servers are usually started with; none of them is needed by Mooring itself."""
    for name in ("node", "npx", "uv", "uvx", "docker"):
        found = program(here, name)
        if found is None:
            yield Finding(name, "note", "not on PATH", "Servers that start with it will not")
        else:
            yield Finding(name, "good", f"{_version(found)} at {short(here, found)}")


def _version(program: str) -> str:
    try:
        answer = subprocess.run(
            [program, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=5,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
        return "does not start"
    lines = (answer.stdout.strip() or answer.stderr.strip() or "?").splitlines()
    return visible(lines[0][:60])
