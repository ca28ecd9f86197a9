"""Change one value in a TOML text and leave everything else, comments above all, as it is."""

from __future__ import annotations

import re

from mooring.config.document import BOM, KeyPath, dotted, same
from mooring.config.splice import (
    Splice,
    apply,
    check_value,
    newline_of,
    value_at,
    verified,
    with_value,
    without,
)
from mooring.config.toml import parse
from mooring.config.toml_delete import delete
from mooring.config.toml_render import pair_text, refuse_null, table_lines, value_text
from mooring.config.toml_scan import Header, Pair, Place, comments_in, scan
from mooring.core.values import JSON, is_list, is_map
from mooring.errors import BadKey

__all__ = ["remove", "set_value"]

_LINE_END = re.compile(r"[^\n]*+\n?+")
_FILE = "the text"


def set_value(text: str, path: KeyPath, value: JSON) -> str:
    """The text with `value` at `path`; a missing parent is made, as a table."""
    check_value(value, path)
    refuse_null(value, path)
    tree = parse(text, _FILE).tree
    value_at(tree, path)
    wanted = with_value(tree, path, value)
    after = text
    for step in _steps(tree, path, value):
        after = _put(after, *step) if len(step) == 2 else _take(after, step[0])
    return verified(after, wanted, parse, path)


def remove(text: str, path: KeyPath) -> str:
    """The text without what `path` names; the comments in it stay."""
    tree = parse(text, _FILE).tree
    found, _ = value_at(tree, path)
    if not found:
        raise BadKey(
            f"There is no `{dotted(path)}` to remove", hint="`mooring config get` shows what there is"
        )
    return verified(_take(text, path), without(tree, path), parse, path)


_Step = tuple[KeyPath] | tuple[KeyPath, JSON]


def _steps(tree: JSON, path: KeyPath, value: JSON) -> list[_Step]:
    """What to take out and what to put in: an object that meets an object changes only where they differ."""
    found, old = value_at(tree, path)
    if found and same(old, value):
        return []
    if is_map(old) and is_map(value):
        gone: list[_Step] = [((*path, key),) for key in old if key not in value]
        return [*gone, *(step for key, one in value.items() for step in _steps(tree, (*path, key), one))]
    if is_list(old) and is_list(value) and len(old) == len(value):
        pairs = list(enumerate(zip(old, value, strict=True)))
        if all(is_map(one) == is_map(other) for _, (one, other) in pairs):
            return [step for index, (_, one) in pairs for step in _steps(tree, (*path, index), one)]
    return [(path, value)]


def _take(text: str, path: KeyPath) -> str:
    tree = parse(text, _FILE).tree
    inline = _inline(scan(text), path[:-1])
    if inline:
        return _replace(text, *inline, value_at(without(tree, path), inline[1].path)[1])
    text = delete(text, path)
    parent = path[:-1]
    if parent and not value_at(parse(text, _FILE).tree, parent)[0]:
        # Nothing else said that the parent is there.
        text = _put(text, parent, {} if isinstance(path[-1], str) else [])
    return text


def _put(text: str, path: KeyPath, value: JSON) -> str:
    statements = scan(text)
    tree = parse(text, _FILE).tree
    inline = _inline(statements, path)
    if inline:
        return _replace(text, *inline, value_at(with_value(tree, path, value), inline[1].path)[1])
    if value_at(tree, path)[0]:
        # It is written as tables, and becomes something else.
        text = delete(text, path)
        tree, statements = parse(text, _FILE).tree, scan(text)
    depth = next(
        depth for depth in range(len(path) - 1, -1, -1) if not depth or value_at(tree, path[:depth])[0]
    )
    if is_map(value):
        return _new_table(text, path, value, statements)
    if depth < len(path) - 1:
        return _new_table(text, path[:-1], {str(path[-1]): value}, statements)
    return _new_pair(text, path[:-1], str(path[-1]), value, statements)


def _inline(statements: list[Header | Pair], path: KeyPath) -> tuple[Pair, Place] | None:
    """The pair whose value holds `path`, or is it, and the smallest place in there that does."""
    for pair in statements:
        if isinstance(pair, Pair) and pair.path == path[: len(pair.path)]:
            holding = [place for place in (pair.place, *pair.inside) if place.path == path[: len(place.path)]]
            return pair, max(holding, key=lambda place: len(place.path))
    return None


def _replace(text: str, pair: Pair, place: Place, value: JSON) -> str:
    """Comments in the old value go to lines of their own, in front of the key."""
    newline, indent = newline_of(text), _indent(text, pair.start)
    old = text[place.value_start : place.value_end]
    shown = value_text(value)
    if place is pair.place and "\n" in old and is_list(value) and value and pair.inside:
        inner = _indent(text, pair.inside[0].start) or f"{indent}    "
        elements = "".join(f"{inner}{value_text(one)},{newline}" for one in value)
        shown = f"[{newline}{elements}{indent}]"
    comments = comments_in(text, place.value_start, place.value_end)
    lines = "".join(f"{comment}{newline}{indent}" for comment in comments)
    splices = [Splice(pair.start, pair.start, lines), Splice(place.value_start, place.value_end, shown)]
    return apply(text, splices)


def _indent(text: str, offset: int) -> str:
    before = text[text.rfind("\n", 0, offset) + 1 : offset].lstrip(BOM)
    return before if not before.strip() else ""


def _new_pair(text: str, base: KeyPath, key: str, value: JSON, statements: list[Header | Pair]) -> str:
    """After the last one of its table, in the way that one is written."""
    headers = [one for one in statements if isinstance(one, Header)]
    owner = next((one for one in headers if one.path == base), None)
    pairs = [one for one in statements if isinstance(one, Pair) and one.path[: len(base)] == base]
    siblings = [one for one in pairs if one.table == base] or [
        one for one in pairs if len(one.table) < len(base)
    ]
    if siblings:
        last = siblings[-1]
        full = (*last.path[len(last.table) : len(base)], key)
        return _line_after(text, last.end, f"{_indent(text, last.start)}{pair_text(full, value)}")
    if owner is not None:
        return _line_after(text, owner.end, f"{_indent(text, owner.start)}{pair_text((key,), value)}")
    if base:
        return _new_table(text, base, {key: value}, statements)
    if not headers:
        return _line_after(text, len(text), pair_text((key,), value))
    at = _above(text, headers[0].start)
    newline = newline_of(text)
    return apply(text, [Splice(at, at, f"{pair_text((key,), value)}{newline}{newline}")])


def _new_table(text: str, path: KeyPath, table: dict[str, JSON], statements: list[Header | Pair]) -> str:
    """After the last of its nearest relatives, with an empty line in between."""
    newline = newline_of(text)
    lines = newline.join(table_lines(path, table))
    following = _next_section(path, statements)
    if following is not None:
        at = _above(text, following.start)
        return f"{text[:at]}{_gap(text[:at], newline)}{lines}{newline}{newline}{text[at:]}"
    if not text.strip(f"{BOM} \t\r\n"):
        return f"{text}{lines}{newline}"
    ends = text.endswith("\n")
    return f"{text}{_gap(text, newline)}{lines}{newline if ends else ''}"


def _next_section(path: KeyPath, statements: list[Header | Pair]) -> Header | None:
    """The header that follows the nearest relatives of `path`."""
    for depth in range(len(path) - 1, 0, -1):
        relatives = [index for index, one in enumerate(statements) if one.path[:depth] == path[:depth]]
        if relatives:
            return next((one for one in statements[relatives[-1] + 1 :] if isinstance(one, Header)), None)
    return None


def _gap(before: str, newline: str) -> str:
    """What is missing to an empty line."""
    kept = before.rstrip(" \t\r\n")
    missing = 2 - before[len(kept) :].count("\n") if kept.strip(BOM) else 0
    return newline * max(missing, 0)


def _line_after(text: str, offset: int, line: str) -> str:
    """A line below the one of `offset`; a last line without a newline stays one."""
    match = _LINE_END.match(text, offset)
    at = match.end() if match else len(text)
    newline = newline_of(text)
    if not text[:at].strip(BOM) or text[:at].endswith("\n"):
        return f"{text[:at]}{line}{newline}{text[at:]}"
    return f"{text[:at]}{newline}{line}{text[at:]}"


def _above(text: str, header: int) -> int:
    """Where the comments that belong to the header begin, which are the lines right above it."""
    at = text.rfind("\n", 0, header) + 1
    while at:
        line = text.rfind("\n", 0, at - 1) + 1
        if not text[line:at].lstrip(f"{BOM} \t").startswith("#"):
            break
        at = line
    return at or (1 if text.startswith(BOM) else 0)
