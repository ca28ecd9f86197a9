"""Change one value in a JSONC text and leave everything else, comments above all, as it is."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from mooring.config.document import BOM, KeyPath, dotted, same
from mooring.config.jsonc import parse
from mooring.config.jsonc_delete import Removal, delete
from mooring.config.jsonc_render import Style, begins_line, indent_at, render, render_inline, style_of
from mooring.config.jsonc_scan import Member, Value, scan, tokens
from mooring.config.splice import Splice, apply, check_value, value_at, verified, with_value, without
from mooring.core.values import JSON, is_list, is_map
from mooring.errors import BadKey

__all__ = ["remove", "set_value"]

_SAME_LINE = re.compile(r"(?>(?:[ \t]*+(?:/\*(?:[^*]++|\*++[^*/])*+\*++/|//[^\r\n]*+))*)")


def set_value(text: str, path: KeyPath, value: JSON) -> str:
    """The text with `value` at `path`; missing parents are made, and an empty text is an empty object."""
    if not text.strip(f"{BOM} \t\r\n"):
        text = f"{BOM}{{}}\n" if text.startswith(BOM) else "{}\n"
    check_value(value, path)
    tree = parse(text, "the text").tree
    value_at(tree, path)
    wanted = with_value(tree, path, value)
    root = scan(text)
    gone = _leftovers(root, tree, wanted)
    if gone:
        text = delete(text, gone)
        tree, root = parse(text, "the text").tree, scan(text)
    edit = _Edit(text, style_of(text, root))
    edit.change(Member("", root.start, root), tree, wanted, is_open=True)
    return verified(apply(text, edit.splices), wanted, parse, path)


def remove(text: str, path: KeyPath) -> str:
    """The text without the member at `path`, all of them where it stands twice; its comments stay."""
    tree = parse(text, "the text").tree
    found, _ = value_at(tree, path)
    if not found:
        raise BadKey(
            f"There is no `{dotted(path)}` to remove", hint="`mooring config get` shows what there is"
        )
    place = scan(text)
    for name in path[:-1]:
        place = _last(place, name).value
    return verified(delete(text, [Removal(place, {path[-1]})]), without(tree, path), parse, path)


def _last(place: Value, name: str | int) -> Member:
    return next(member for member in reversed(place.members or ()) if member.name == name)


def _leftovers(root: Value, tree: JSON, wanted: JSON) -> list[Removal]:
    """What stands in the old objects and lists, and not in those that take their place."""
    found: list[Removal] = []
    waiting: list[tuple[Value, JSON, JSON]] = [(root, tree, wanted)]
    while waiting:
        place, old, new = waiting.pop()
        if old is new:
            continue
        if not _alike(old, new):
            continue
        before, after = _children(old), _children(new)
        if gone := before.keys() - after.keys():
            found.append(Removal(place, gone))
        latest = {member.name: member.value for member in place.members or ()}
        waiting.extend((latest[name], before[name], after[name]) for name in before.keys() & after.keys())
    return found


def _alike(old: JSON, new: JSON) -> bool:
    return (is_map(old) and is_map(new)) or (is_list(old) and is_list(new))


def _children(value: JSON) -> dict[str | int, JSON]:
    if is_map(value):
        return {**value}
    elements: list[JSON] = value
    return dict(enumerate(elements))


@dataclass(slots=True)
class _Edit:
    """The pieces that turn one tree into another which lacks nothing of the first."""

    text: str
    style: Style
    splices: list[Splice] = field(default_factory=list[Splice])

    def change(self, member: Member, old: JSON, new: JSON, *, is_open: bool) -> None:
        """`is_open`: the container of this member is written over several lines."""
        if old is new or same(old, new):
            return
        place = member.value
        inside = self.text[place.start + 1 : place.end - 1]
        if not ((is_map(old) and is_map(new)) or (is_list(old) and is_list(new))) or not (
            old or inside.strip(" \t")
        ):
            self._replace(member, new, is_open=is_open)
            return
        open_inside = "\n" in inside or "\r" in inside
        latest = {inner.name: inner for inner in place.members or ()}
        before = _children(old)
        fresh: list[tuple[str | int, JSON]] = []
        for name, value in _children(new).items():
            if name in latest:
                self.change(latest[name], before[name], value, is_open=open_inside)
            else:
                fresh.append((name, value))
        if fresh and place.members:
            self._append(place.members[-1], fresh)
        elif fresh:
            self._fill(place, fresh, is_open=open_inside)

    def _replace(self, member: Member, new: JSON, *, is_open: bool) -> None:
        place = member.value
        indent = indent_at(self.text, member.start)
        for token in tokens(self.text, place.start, place.end) if place.members is not None else ():
            if token.kind == "comment":
                comment = self.text[token.start : token.end]
                on_own_line = is_open or comment.startswith("//")
                space = f"{self.style.newline}{indent}" if on_own_line else " "
                self.splices.append(Splice(member.start, member.start, f"{comment}{space}"))
        shown = render(new, self.style, indent) if is_open else render_inline(new, self.style)
        self.splices.append(Splice(place.start, place.end, shown))

    def _append(self, last: Member, fresh: list[tuple[str | int, JSON]]) -> None:
        end = last.value.end if last.comma is None else last.comma + 1
        own_line = begins_line(self.text, last.start)
        indent = indent_at(self.text, last.start)
        lead = f"{self.style.newline}{indent}" if own_line else self._space()
        if own_line:
            same_line = _SAME_LINE.match(self.text, end)
            after = same_line.end() if same_line else end
        else:
            after = end
        if last.comma is None:
            self.splices.append(Splice(end, end, ","))
        members = ",".join(f"{lead}{self._member(*one, indent if own_line else None)}" for one in fresh)
        self.splices.append(Splice(after, after, members if last.comma is None else f"{members},"))

    def _fill(self, place: Value, fresh: list[tuple[str | int, JSON]], *, is_open: bool) -> None:
        """Nothing is in there but white space and comments, which stay in front."""
        comments = [
            token.end for token in tokens(self.text, place.start, place.end) if token.kind == "comment"
        ]
        at = comments[-1] if comments else place.start + 1
        rest = self.text[at : place.end - 1]
        outer = indent_at(self.text, place.start)
        indent = outer + self.style.unit if is_open else None
        lead = " " if indent is None else f"{self.style.newline}{indent}"
        members = ",".join(f"{lead}{self._member(*one, indent)}" for one in fresh)
        if indent is None:
            self.splices.append(Splice(at, place.end - 1, f"{members} "))
        elif "\n" in rest or "\r" in rest:
            self.splices.append(Splice(at, at, members))
        else:
            self.splices.append(Splice(at, place.end - 1, f"{members}{self.style.newline}{outer}"))

    def _member(self, name: str | int, value: JSON, indent: str | None) -> str:
        shown = render_inline(value, self.style) if indent is None else render(value, self.style, indent)
        return (
            shown if isinstance(name, int) else f"{render_inline(name, self.style)}{self.style.colon}{shown}"
        )

    def _space(self) -> str:
        return " " if self.style.colon == ": " else ""
