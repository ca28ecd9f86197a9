"""`mooring serve --background`: started, waited for, and left to itself."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import IO, Any

from mooring.cli.here import Here
from mooring.cli.render import emit, mark, out, say
from mooring.cli.where import short
from mooring.errors import MooringError, NotStarted, UsageError, codes
from mooring.system.files import private_dir
from mooring.system.rendezvous import socket_path

__all__ = ["begin", "log_of", "start"]

_LONGEST_LOG = 1024 * 1024


def start(here: Here, *, as_json: bool, **how: Any) -> int:
    told = begin(here, **how)
    if as_json:
        emit(told)
    else:
        out(f"mooring is listening on {told['url']}")
        say(f"  {mark('page', 'cyan')}  {told['link']}")
        say(f"  {mark('token', 'cyan')} {short(here, told['token'])}")
        say(f"  {mark('log', 'cyan')}   {short(here, told['log'])}")
        say(f"  {mark('stop', 'cyan')}  mooring serve --stop")
    return 0


def begin(here: Here, *, address: str, port: int, names: tuple[str, ...], allow_exec: bool) -> dict[str, Any]:
    """What it prints when it listens is read here; all that it says later stands in its log."""
    file = log_of(here)
    if file is None:
        raise UsageError("`--background` needs a POSIX system", hint="Leave it out, and the window open")
    log = _opened(file)
    words = ["--host", address, "--port", str(port), "--json", *(f"--name={name}" for name in names)]
    words += ["--allow-exec"] if allow_exec else []
    child = subprocess.Popen(
        [sys.executable, "-m", "mooring", "serve", *words],
        cwd=here.cwd,
        env=dict(here.env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=log,
        start_new_session=True,
    )
    os.close(log)
    told = _told(child.stdout)
    if "url" not in told:
        child.wait()
        raise _error(told, file)
    child.returncode = 0
    return told | {"process": child.pid, "log": str(file)}


def log_of(here: Here) -> Path | None:
    """Where a `serve` of this project writes to that nobody looks at; None where there can be none."""
    path = socket_path(str(here.cwd), here.env)
    return None if path is None else here.dirs.state / "serve" / f"{Path(path).stem}.log"


def _opened(file: Path) -> int:
    private_dir(file.parent)
    log = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600)
    if os.fstat(log).st_size > _LONGEST_LOG:
        os.ftruncate(log, 0)
    return log


def _told(stdout: IO[bytes] | None) -> dict[str, Any]:
    """Its one document on stdout; empty where it ended without a word."""
    lines: list[bytes] = []
    with stdout or nullcontext(()) as said:
        for line in said:
            lines.append(line)
            if line == b"}\n":
                break
    return json.loads(b"".join(lines)) if lines else {}


def _error(told: dict[str, Any], file: Path) -> MooringError:
    if "error" not in told:
        return NotStarted("`mooring serve` ended before it listened", hint=f"tail {file}")
    known = told["error"]
    return codes().get(known["code"], NotStarted)(known["message"], hint=known["hint"])
