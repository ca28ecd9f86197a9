"""Take statements out of a TOML text; their comments stay, and empty lines do not pile up."""

from __future__ import annotations

from mooring.config.document import BOM, KeyPath
from mooring.config.splice import Splice, apply
from mooring.config.toml_scan import Header, Pair, comments_in, scan

__all__ = ["delete"]


def delete(text: str, path: KeyPath) -> str:
    """The text without the statements that say something of `path` or of what is in it."""
    splices: list[Splice] = []
    run: list[Header | Pair] = []
    for statement in [*scan(text), None]:
        if statement is not None and statement.path[: len(path)] == path:
            run.append(statement)
        elif run:
            splices += _without(text, run)
            run = []
    return apply(text, splices)


def _without(text: str, run: list[Header | Pair]) -> list[Splice]:
    """Statements that follow each other go together."""
    splices = [_line(text, statement) for statement in run]
    if isinstance(run[0], Header) and not any(splice.text for splice in splices):
        first, last = splices[0], splices[-1]
        end = _past_blank(text, last.end)
        before = text[: first.start].strip(BOM)
        if end == len(text):
            start = len(text[: first.start].rstrip(" \t\r\n"))
            start = _line_end(text, start) if before else first.start
            splices[0] = Splice(start, first.end if len(splices) > 1 else end, "")
        if end == len(text) or not before or before.replace("\r", "").endswith("\n\n"):
            splices[-1] = Splice(splices[-1].start, end, "")
    return splices


def _line(text: str, statement: Header | Pair) -> Splice:
    start = text.rfind("\n", 0, statement.start) + 1
    start += len(BOM) if text.startswith(BOM) and not start else 0
    end = _line_end(text, statement.end)
    newline = "\r\n" if text[:end].endswith("\r\n") else "\n"
    indent = text[start : statement.start]
    kept = newline.join(f"{indent}{comment}" for comment in comments_in(text, statement.start, end))
    return Splice(start, end, f"{kept}{newline}" if kept and text[:end].endswith("\n") else kept)


def _line_end(text: str, offset: int) -> int:
    end = text.find("\n", offset)
    return len(text) if end < 0 else end + 1


def _past_blank(text: str, end: int) -> int:
    while end < len(text) and not text[end : _line_end(text, end)].strip():
        end = _line_end(text, end)
    return end
