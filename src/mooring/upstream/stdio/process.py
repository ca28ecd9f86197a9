"""One program that we started: its exit heard at once, its whole group ended with it."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO, cast

from mooring.errors import CommandNotFound

__all__ = ["LocalProcess", "let_go"]

PATIENCE_LEAVE = 0.05
PATIENCE_EOF = 1.0
PATIENCE_TERM = 1.5
PATIENCE_KILL = 1.0


def let_go(process: subprocess.Popen[bytes]) -> None:
    """It may outlive us; if we outlive it, its end is taken note of, or it would stay in the table."""
    threading.Thread(target=process.wait, daemon=True).start()


class LocalProcess:
    """Leader of a session of its own, so that its children can be reached through its number."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], folder: str) -> None:
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=dict(environment),
                cwd=folder,
                start_new_session=True,
                bufsize=0,
            )
        except (OSError, ValueError) as error:
            raise _not_started(command[0], folder, error) from error
        self.pid = self._process.pid
        self._loop = asyncio.get_running_loop()
        self.exited: asyncio.Future[int] = self._loop.create_future()
        self._pidfd = -1
        self._watch()

    def pipes(self) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
        """Input, output and errors; they now belong to the caller."""
        pipes = self._process.stdin, self._process.stdout, self._process.stderr
        return cast("tuple[IO[bytes], IO[bytes], IO[bytes]]", pipes)

    def _watch(self) -> None:
        if sys.platform == "linux":
            try:
                self._pidfd = os.pidfd_open(self.pid)
            except OSError:
                pass
            else:
                self._loop.add_reader(self._pidfd, self._ended_by_itself)
                return
        thread = threading.Thread(target=self._wait, daemon=True)
        thread.start()

    def _ended_by_itself(self) -> None:
        """It is left in the table for now: its number has to be its own until its whole group is ended."""
        self._unwatch()
        found = None
        # Where our host wants to hear nothing of children, nobody knows how one ended.
        with suppress(ChildProcessError):
            found = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
        by_itself = found is None or found.si_code == os.CLD_EXITED
        status = 0 if found is None else found.si_status
        self._ended(status if by_itself else -status)

    def _wait(self) -> None:
        code = self._process.wait()
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._ended, code)

    def _ended(self, code: int) -> None:
        if not self.exited.done():
            self.exited.set_result(code)

    def signal(self, number: int) -> None:
        """To the whole group; one that was stopped is woken, for it could not act on anything else."""
        for each in (number, getattr(signal, "SIGCONT", 0)):
            with suppress(ProcessLookupError, PermissionError):
                if hasattr(os, "killpg"):
                    os.killpg(self.pid, each)
                elif each:
                    self._process.terminate()

    async def has_left(self) -> bool:
        """Whether it went by itself, without being asked twice; then its children go too."""
        if await self._has_ended(PATIENCE_LEAVE):
            self._finish()
            return True
        if self._pidfd >= 0:
            self._unwatch()
            let_go(self._process)
        return False

    def _finish(self) -> None:
        """Children that a leader has left in its group go, and then its number is free."""
        self.signal(getattr(signal, "SIGKILL", signal.SIGTERM))
        if self.exited.done():
            self._process.wait()
            return
        # Nothing ends it. Its number stays its own, because the reaper still knows it.
        self._process.returncode = 0
        if self._pidfd >= 0:
            self._unwatch()

    def _unwatch(self) -> None:
        self._loop.remove_reader(self._pidfd)
        os.close(self._pidfd)
        self._pidfd = -1

    async def stop(self) -> bool:
        """The protocol's own sequence, after its stdin was closed: wait, ask, force. Children go too.

        Whoever is in a hurry skips to the last of it.
        """
        kill = getattr(signal, "SIGKILL", signal.SIGTERM)
        try:
            for seconds, number in ((PATIENCE_EOF, signal.SIGTERM), (PATIENCE_TERM, kill)):
                if await self._has_ended(seconds):
                    break
                self.signal(number)
            await self._has_ended(PATIENCE_KILL)
        except asyncio.CancelledError:
            self.signal(kill)
            await self._has_ended(PATIENCE_KILL)
            raise
        finally:
            self._finish()
        return self.exited.done()

    async def _has_ended(self, seconds: float) -> bool:
        await asyncio.wait([self.exited], timeout=seconds)
        return self.exited.done()


def _not_started(program: str, folder: str, error: OSError | ValueError) -> CommandNotFound:
    match error:
        case FileNotFoundError() if not os.path.isdir(folder):  # noqa: PTH112
            return CommandNotFound(
                f"the working folder `{folder}` is not there", hint="Create it, or change `cwd`"
            )
        case FileNotFoundError():
            return CommandNotFound(f"command not found: `{program}`", hint="Is it on PATH?")
        case PermissionError():
            return CommandNotFound(f"`{program}` may not be run by you", hint=f"chmod +x {program}")
        case OSError():
            reason = (error.strerror or "unknown error").lower()
            return CommandNotFound(f"`{program}` cannot be started: {reason}", hint="Does it run by hand?")
        case _:
            return CommandNotFound(
                f"`{program}` cannot be started: a null character in its command or variables",
                hint="Delete that character from the entry",
            )
