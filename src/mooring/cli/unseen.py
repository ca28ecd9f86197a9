"""Keys pressed while something is drawn in its place: they do not show, and are there for who reads next."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Generator
from contextlib import contextmanager

from mooring.cli.guest import visiting
from mooring.cli.signals import handling

__all__ = ["unseen"]

# whoever is ended or stopped by one of these runs no `finally`
_SUDDEN = ("SIGTERM", "SIGHUP", "SIGQUIT", "SIGTSTP")


@contextmanager
def unseen() -> Generator[None]:
    """The terminal that stderr is shows nothing that is typed, and shows it again however this ends."""
    guest = visiting()
    if guest is not None:
        guest.send(b"u", b"")
        try:
            yield
        finally:
            guest.send(b"v", b"")
        return
    if sys.platform == "win32":
        yield
        return
    echo = _Echo(sys.stderr.fileno())

    def suddenly(number: int, _: object) -> None:
        echo.on()
        with handling((signal.Signals(number).name,), signal.SIG_DFL):
            os.kill(os.getpid(), number)
        # only a process that was stopped, and told to go on, comes here
        echo.off()

    with handling(_SUDDEN, suddenly):
        echo.off()
        try:
            yield
        finally:
            echo.on()


if sys.platform != "win32":
    import termios

    class _Echo:
        def __init__(self, terminal: int) -> None:
            self._terminal = terminal
            self._is_off = False

        def off(self) -> None:
            if not self._is_off:
                self._is_off = self._switched(on=False)

        def on(self) -> None:
            if self._is_off:
                self._is_off = False
                self._switched(on=True)

        def _switched(self, *, on: bool) -> bool:
            """Whether it was the other way before. In the background the terminal is somebody else's."""
            try:
                if not self._is_in_front():
                    return False
                mode = termios.tcgetattr(self._terminal)
                if bool(mode[3] & termios.ECHO) is on:
                    return False
                mode[3] ^= termios.ECHO
                termios.tcsetattr(self._terminal, termios.TCSANOW, mode)
            except (OSError, termios.error):
                return False
            return True

        def _is_in_front(self) -> bool:
            try:
                return os.tcgetpgrp(self._terminal) == os.getpgrp()
            except OSError:
                # not the terminal that controls us: nobody's job is in front there
                return True
