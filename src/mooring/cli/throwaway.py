"""A home for one command: nothing of the user's own is seen in it, and it is gone however that ends."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from mooring.cli.signals import handling

__all__ = ["Throwaway", "throwaway"]

FOREIGN = ("MOORING_", "OPENCODE_", "XDG_")
PATIENCE = 10.0


@dataclass(frozen=True, slots=True)
class Throwaway:
    """`project` is a folder in it to stand in, below which no other project is looked for."""

    project: Path
    env: Mapping[str, str]

    def mooring(self, words: Sequence[str], *, quiet: bool = False) -> tuple[int, bytes]:
        """How this command line ends in there, and with `quiet` what it says on stdout."""
        child = subprocess.Popen(
            [sys.executable, "-m", "mooring", *words],
            cwd=self.project,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if quiet else None,
        )
        try:
            said, _ = child.communicate()
        finally:
            _see_off(child)
        return child.returncode, said or b""


@contextmanager
def throwaway(env: Mapping[str, str]) -> Generator[Throwaway]:
    """Whoever asks this process to end (SIGTERM, SIGHUP) is obeyed after it was tidied up."""
    with _polite():
        folder = Path(tempfile.mkdtemp(prefix="mooring-"))
        try:
            project = folder / "project"
            (project / ".git").mkdir(parents=True)
            own = {name: value for name, value in env.items() if not name.startswith(FOREIGN)}
            yield Throwaway(project, own | {"HOME": str(folder), "USERPROFILE": str(folder)})
        finally:
            with _unmoved():
                shutil.rmtree(folder)


def _see_off(child: subprocess.Popen[bytes]) -> None:
    """It ends its own servers, if it is given the time."""
    with _unmoved():
        # a Ctrl-C on a terminal has reached it already, and a second one would only disturb it
        if not _ends(child, 1.0):
            child.send_signal(signal.SIGTERM if sys.platform == "win32" else signal.SIGINT)
        if not _ends(child, PATIENCE):
            child.kill()
            child.wait()


def _ends(child: subprocess.Popen[bytes], within: float) -> bool:
    try:
        child.wait(within)
    except subprocess.TimeoutExpired:
        return False
    return True


@contextmanager
def _polite() -> Generator[None]:
    def leave(number: int, _: object) -> None:
        sys.exit(128 + number)

    with handling(("SIGTERM", "SIGHUP"), leave):
        yield


@contextmanager
def _unmoved() -> Generator[None]:
    with handling(("SIGINT", "SIGTERM", "SIGHUP"), signal.SIG_IGN):
        yield
