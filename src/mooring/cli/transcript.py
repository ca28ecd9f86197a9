"""What was heard of a connection, line by line: when, in which direction, and what."""

from __future__ import annotations

import sys

from mooring.cli.colours import coloured
from mooring.cli.here import Here
from mooring.cli.render import document, has_signs, mark
from mooring.cli.steps import line as step_line
from mooring.cli.widths import columns, cut
from mooring.core.redact import visible
from mooring.core.transcript import Asked, Gone, Headers, Message, Note, Replied, Said, Stepped
from mooring.core.values import JSON, is_map

__all__ = ["shown"]

_SIGNS = {
    "out": ("→", ">", "cyan"),
    "in": ("←", "<", "green"),
    "asked": ("⇢", ">", "magenta"),
    "replied": ("⇠", "<", "magenta"),
    "said": ("│", "|", "bright_black"),
}
_INDENT = " " * 14
# The same in every exchange: they say nothing of this one.
_USUAL = frozenset(
    (
        *("accept", "accept-encoding", "cache-control", "connection", "content-length", "date", "host"),
        *("keep-alive", "transfer-encoding", "user-agent", "vary"),
    )
)


def shown(here: Here, note: Note, *, full: bool) -> str:
    """One line that fits the terminal; with `full` all of it, on as many as it takes."""
    match note:
        case Stepped(step=step):
            return step_line(here, step)
        case Message(way=way, value=value, size=size):
            title, rest = _read(value)
            if full:
                return _whole(_line(note.at, way, f"{title}  {size} B"), value)
            return _line(note.at, way, f"{title}  {rest}".rstrip())
        case Asked(method=method, url=url, headers=headers):
            return _exchange(note.at, "asked", f"{method} {url}", headers, full=full)
        case Replied(method=method, status=status, headers=headers):
            return _exchange(note.at, "replied", f"{status} to {method}", headers, full=full)
        case Said(text=text):
            return _line(note.at, "said", text)
        case Gone(code=code):
            end = f"ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
            return _line(note.at, "said", end)


def _line(at: float, kind: str, text: str) -> str:
    sign, ascii_sign, colour = _SIGNS[kind]
    text = visible(text)
    room = columns()
    if room is not None:
        text = cut(text, max(room - len(_INDENT), 10))
    return f"  {at:9.3f} {mark(sign if has_signs() else ascii_sign, colour)} {text}"


def _read(value: JSON) -> tuple[str, str]:
    """Which message it is, and what it carries."""
    if not is_map(value):
        return "no message:", value if isinstance(value, str) else document(value, None)
    number = f"#{value['id']} " if value.get("id") is not None else ""
    error = value.get("error")
    if "method" in value:
        return f"{number}{value['method']}", _compact(value.get("params"))
    if is_map(error):
        words = f"error {error.get('code', '')} {error.get('message', '')}"
        return f"{number}{words}", _compact(error.get("data"))
    return f"{number}result", _compact(value.get("result"))


def _compact(value: JSON) -> str:
    """What every message of the new era says of itself comes last, for a line has an end."""
    if is_map(value) and "_meta" in value:
        value = {**{key: inner for key, inner in value.items() if key != "_meta"}, "_meta": value["_meta"]}
    return "" if value is None else document(value, None)


def _whole(head: str, value: JSON) -> str:
    text = value if isinstance(value, str) else document(value)
    if sys.stdout.isatty():
        text = coloured(text)
    return "\n".join([head, *(f"{_INDENT}{each}" for each in text.split("\n"))])


def _exchange(at: float, kind: str, title: str, headers: Headers, *, full: bool) -> str:
    pairs = [f"{name}: {value}" for name, value in headers if full or name not in _USUAL]
    if not full:
        return _line(at, kind, f"{title}  {', '.join(pairs)}".rstrip())
    return "\n".join([_line(at, kind, title), *(f"{_INDENT}{visible(pair)}" for pair in pairs)])
