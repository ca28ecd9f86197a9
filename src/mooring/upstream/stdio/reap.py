"""A program of its own that outlives its host for a moment and ends what the host has started."""

# It is run by path and imports little: its start has to cost next to nothing. On stdin it hears `+ N` and
# `- N` for groups that come and go; the end of stdin is the end of the host, however that died.

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress

PATIENCE = 0.5
STEP = 0.02
MARK = b"MOORING_TAG="


def tagged(tag: bytes) -> Iterator[int]:
    """Every process that has the tag in its environment, in whatever group or session it is by now."""
    wanted = MARK + tag
    try:
        names = os.listdir("/proc")  # noqa: PTH208 - pathlib would double the start
    except OSError:
        return
    for name in names:
        if name.isdigit() and int(name) != os.getpid():
            with suppress(OSError), open(f"/proc/{name}/environ", "rb") as file:  # noqa: PTH123
                if any(entry.startswith(wanted) for entry in file.read().split(b"\0")):
                    yield int(name)


def end(groups: Iterable[int], tag: bytes, number: int) -> bool:
    """Whether there was anybody left to hear it."""
    heard = False
    for each in (number, signal.SIGCONT):
        for group in groups:
            with suppress(OSError):
                os.killpg(group, each)
                heard = True
        for process in tagged(tag):
            with suppress(OSError):
                os.kill(process, each)
                heard = True
    return heard


def is_alone(groups: Iterable[int], tag: bytes) -> bool:
    for group in groups:
        with suppress(OSError):
            os.killpg(group, 0)
            return False
    return next(tagged(tag), None) is None


def main() -> None:
    tag = sys.argv[1].encode()
    groups: set[int] = set()
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)
    for line in sys.stdin.buffer:
        word, _, number = line.strip().partition(b" ")
        if number.isdigit():
            groups.add(int(number)) if word == b"+" else groups.discard(int(number))
    for then in (signal.SIGTERM, signal.SIGKILL, None):
        until = time.monotonic() + PATIENCE
        while not is_alone(groups, tag):
            if time.monotonic() > until:
                break
            time.sleep(STEP)
        else:
            return
        if then is not None:
            end(groups, tag, then)


if __name__ == "__main__":
    main()
