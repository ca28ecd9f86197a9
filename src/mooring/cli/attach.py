"""A command handed to the `serve` of its project, where one runs and nothing there is different."""

from __future__ import annotations

import os
import select
import socket
import sys
from time import monotonic

from mooring import __version__
from mooring.cli.frames import ATTACH, frame, frames, packed
from mooring.system.peer import connect, user_of
from mooring.system.rendezvous import socket_path

TYPE_CHECKING = False  # as in `mooring/__init__.py`: every attached command waits for this import
if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import ExitStack

__all__ = ["ATTACHED", "OPT_OUT", "attached"]

ATTACHED = frozenset(
    (
        *("list", "tools", "call", "resources", "read", "prompts", "prompt", "search"),
        *("reload", "auth", "logout", "pins diff", "pins approve"),
    )
)
OPT_OUT = "--no-attach"
ALIASES = {"ls": "list", "status": "list"}
INTERRUPTED = 130

# Seconds: until it says that it lives, until it has looked at what differs, and between two signs of life.
LIVES, DECIDES, SILENT, LETS_GO = 5.0, 20.0, 20.0, 10.0


# Only what that takes is imported: the servers are warm over there, and so is all that is dear.


class _Lost(Exception):
    """It says nothing any more."""


def attached(words: Sequence[str]) -> int | None:
    """The exit code; None where the command has to run by itself, and has said why if that is odd."""
    if not _wants(words) or (path := socket_path(_folder(), os.environ)) is None:
        return None
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as end:
        try:
            connect(end, path, LIVES)
        except OSError:
            # Nobody is there, or somebody was who is not any more.
            return None
        if user_of(end) != os.geteuid():
            return _alone("it is another user's")
        visit = _Visit(end)
        try:
            visit.hello(words)
            why = visit.verdict()
        except (_Lost, OSError, ValueError):
            why = "it does not answer"
        except KeyboardInterrupt:
            # It may run over there already; it ends when nobody listens any more.
            _write(2, b"\n\n")
            return INTERRUPTED
        return visit.whole(words) if why is None else _alone(why)


def _wants(words: Sequence[str]) -> bool:
    if sys.platform == "win32" or None in (sys.stdin, sys.stdout, sys.stderr):
        return False
    ours = list(words[: words.index("--")] if "--" in words else words)
    if ours[:1] == ["mcp"]:
        del ours[0]
    verb = " ".join(ours[:2]) if ours[:1] == ["pins"] else "".join(ours[:1])
    return ALIASES.get(verb, verb) in ATTACHED and not {OPT_OUT, "--help"} & set(ours)


def _folder() -> str:
    try:
        return os.getcwd()  # noqa: PTH109
    except OSError:
        return "/"


def _alone(why: str) -> None:
    from mooring.cli.render import mark, say

    say(f"{mark('note', 'yellow')} This runs by itself, not in the running `mooring serve`: {why}")


class _Visit:
    """One command at work over there, and its terminal here."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._buffer = bytearray()
        self._waits_for_line = False
        self._unseen: ExitStack | None = None

    def hello(self, words: Sequence[str]) -> None:
        streams = (sys.stdin, sys.stdout, sys.stderr)
        about = [
            __version__.encode(),
            os.fsencode(_folder()),
            b"".join(b"1" if stream.isatty() else b"0" for stream in streams),
            *((stream.encoding or "utf-8").encode() for stream in streams[1:]),
            *(_size(stream.fileno()) for stream in streams[1:]),
            packed([os.fsencode(word) for word in words]),
            packed([b"%b=%b" % pair for pair in os.environb.items()]),
        ]
        self._end.sendall(ATTACH + frame(b"h", packed(about)))

    def verdict(self) -> str | None:
        """None where it takes the command, else why not."""
        kind, said = self._next(LIVES)
        if kind == b"a":
            kind, said = self._next(DECIDES)
        if kind == b"k":
            return None
        return said.decode(errors="replace") or "it does not want to"

    def whole(self, words: Sequence[str]) -> int:
        """Until it ends, there or here."""
        try:
            while True:
                try:
                    code = self._step(*self._next(SILENT))
                except KeyboardInterrupt:
                    code = self._interrupted()
                if code is not None:
                    return code
        except (_Lost, ValueError):
            return _lost("--json" in words)
        except OSError as error:
            return _refused(error)
        finally:
            self._seen()

    def _step(self, kind: bytes, said: bytes) -> int | None:
        match kind:
            case b"o":
                _write(1, said)
            case b"e":
                _write(2, said)
            case b"q":
                self._waits_for_line = True
            case b"n":
                self._waits_for_line = False
            case b"s":
                self._send(b"d", _piped(int(said)))
            case b"u":
                self._hide()
            case b"v":
                self._seen()
            case b"x":
                return said[0]
            case _:
                pass
        return None

    def _next(self, within: float) -> tuple[bytes, bytes]:
        until = monotonic() + within
        while True:
            for found in frames(self._buffer):
                return found
            waiting = [self._end, 0] if self._waits_for_line else [self._end]
            ready = select.select(waiting, (), (), max(until - monotonic(), 0))[0]
            if not ready:
                raise _Lost
            if 0 in ready:
                self._waits_for_line = False
                self._send(b"l", os.read(0, 65_536))
            if self._end in ready:
                try:
                    more = self._end.recv(262_144)
                except OSError as error:
                    raise _Lost from error
                if not more:
                    raise _Lost
                self._buffer += more

    def _send(self, kind: bytes, content: bytes = b"") -> None:
        self._end.settimeout(None)
        try:
            self._end.sendall(frame(kind, content))
        except OSError as error:
            raise _Lost from error

    def _interrupted(self) -> int | None:
        """A question is given up, and nothing else; a command is, unless it does not let go."""
        if self._waits_for_line:
            self._waits_for_line = False
            self._send(b"g")
            return None
        self._send(b"i")
        try:
            until = monotonic() + LETS_GO
            while monotonic() < until:
                if (code := self._step(*self._next(LETS_GO))) is not None:
                    return code
        except (KeyboardInterrupt, _Lost):
            pass
        return INTERRUPTED

    def _hide(self) -> None:
        from contextlib import ExitStack

        from mooring.cli.unseen import unseen

        self._seen()
        self._unseen = ExitStack()
        self._unseen.enter_context(unseen())

    def _seen(self) -> None:
        if self._unseen is not None:
            self._unseen.close()
            self._unseen = None


def _size(descriptor: int) -> bytes:
    try:
        return b"%d %d" % tuple(os.get_terminal_size(descriptor))
    except OSError:
        return b""


def _write(descriptor: int, content: bytes) -> None:
    """What nobody hears on stderr changes nothing."""
    try:
        while content:
            content = content[os.write(descriptor, content) :]
    except OSError:
        if descriptor == 1:
            raise


def _piped(most: int) -> bytes:
    """Everything on stdin, up to so much."""
    found = bytearray()
    while len(found) < most and (more := os.read(0, min(most - len(found), 1024 * 1024))):
        found += more
    return bytes(found)


def _refused(error: OSError) -> int:
    """stdout takes no more: that is fine where somebody has seen enough."""
    from mooring.cli.render import complain, forget, refused

    forget(sys.stdout)
    if isinstance(error, BrokenPipeError):
        return 0
    complain(refused(error))
    return 1


def _lost(is_json: bool) -> int:
    from mooring.cli.render import complain, emit
    from mooring.core.views import error_view
    from mooring.errors import ServeLost

    error = ServeLost(
        "The running `mooring serve` ended, or hangs, before this command was done",
        hint="mooring serve --status",
    )
    if is_json:
        emit({"error": error_view(error)})
    else:
        complain(error)
    return 1
