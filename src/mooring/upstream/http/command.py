"""Headers that a program prints, for keys that no file should hold."""

from __future__ import annotations

import asyncio
import os
import signal
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Mapping, Sequence
from contextlib import suppress

from mooring.core.redact import clean, mask_shapes
from mooring.core.values import is_map
from mooring.errors import BadMessage, CommandNotFound, ServerFailure
from mooring.system.programs import located
from mooring.upstream.wire import decode

__all__ = ["printed_headers"]

WITHIN = 10.0
LONGEST = 64 * 1024


async def printed_headers(
    server: str, command: Sequence[str], environment: Mapping[str, str], folder: str
) -> Mapping[str, str]:
    """What it prints is one JSON object of texts; nothing of it is ever shown."""
    process = await _started(server, command, environment, folder)
    try:
        async with asyncio.timeout(WITHIN):
            out, said = await asyncio.gather(_head(process.stdout), _head(process.stderr))
            code = await process.wait()
    except TimeoutError as error:
        raise ServerFailure(
            f"the `headersCommand` of `{server}` did not end within {WITHIN:g} s", hint=_by_hand(server)
        ) from error
    finally:
        # It is the leader of a group of its own, so that what it has started ends too.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
    if code != 0:
        raise ServerFailure(
            f"the `headersCommand` of `{server}` ended with exit code {code}",
            hint=_by_hand(server),
            exit_code=code,
            stderr=tuple(
                mask_shapes(clean(line)) for line in said.decode("utf-8", "replace").splitlines()[-20:]
            ),
        )
    return _headers(server, out)


async def _started(
    server: str, command: Sequence[str], environment: Mapping[str, str], folder: str
) -> Process:
    found = located(command[0], environment.get("PATH", os.defpath), folder)
    if found is None:
        raise CommandNotFound(
            f"command not found: `{command[0]}`, the `headersCommand` of `{server}`",
            hint="Is it installed, and on PATH?",
        )
    try:
        return await asyncio.create_subprocess_exec(
            found,
            *command[1:],
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=PIPE,
            env=environment,
            cwd=folder,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise CommandNotFound(
            f"the `headersCommand` of `{server}` cannot be started: `{found}`", hint="Does it run by hand?"
        ) from error


async def _head(pipe: asyncio.StreamReader | None) -> bytes:
    """All of it is taken, so that nobody waits for us; what is kept has its bounds."""
    kept = b""
    while pipe is not None and (piece := await pipe.read(LONGEST)):
        kept = (kept + piece)[: LONGEST + 1]
    return kept


def _headers(server: str, out: bytes) -> Mapping[str, str]:
    try:
        value = decode(out.strip()) if len(out) <= LONGEST else None
    except BadMessage:
        value = None
    if not is_map(value):
        raise ServerFailure(
            f"the `headersCommand` of `{server}` does not print a JSON object", hint=_by_hand(server)
        )
    headers = {name: text for name, text in value.items() if isinstance(text, str)}
    if len(headers) < len(value):
        raise ServerFailure(
            f"the `headersCommand` of `{server}` prints headers that are no texts", hint=_by_hand(server)
        )
    return headers


def _by_hand(server: str) -> str:
    return f"Run it by hand; `mcp.{server}.headersCommand` says what is run"
