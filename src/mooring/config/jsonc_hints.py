"""What is most likely wrong where a JSON parser stopped, in plain words."""

from __future__ import annotations

import re
import unicodedata

from mooring.config.document import line_column
from mooring.config.hints import PROSE_QUOTES, Reason, of_the_whole
from mooring.config.jsonc_scan import brackets

__all__ = ["explain"]

_STRING = re.compile(r'"(?:[^"\\\r\n]++|\\[^\r\n])*+"?+')
_WORD = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")
_CLOSES = {"{": "}", "[": "]"}
_INSTEAD = {"True": "true", "TRUE": "true", "False": "false", "FALSE": "false", "None": "null", "nil": "null"}
_NOTHING = {"undefined", "NaN", "Infinity"}
_NEVER = {
    "'": ("single quotes are not JSON", "Write `\"` instead of `'`"),
    "#": ("a comment cannot begin with `#`", "Begin it with `//`"),
    "/": ("a single `/` is not a comment", "Begin a comment with `//`"),
    "=": ("`=` stands where `:` belongs", "Write `:` instead of `=`"),
    **dict.fromkeys(PROSE_QUOTES, ("a quotation mark of prose is not JSON", 'Write `"` instead of it')),
}


def explain(text: str, complaint: str, offset: int) -> Reason:
    """`text` is free of comments; `complaint` and `offset` are what `json` said of it."""
    return (
        of_the_whole(text)
        or _of_the_outside(text)
        or _of_a_string(text, complaint, offset)
        or _of_a_place(text, complaint, offset)
    )


def _of_the_outside(text: str) -> Reason | None:
    """What needs no place, or makes the place meaningless."""
    if not text.strip():
        return Reason("it is empty", "Write `{}` into it, or delete it", 0)
    if (comment := _STRING.sub(lambda found: " " * len(found.group()), text).find("/*")) >= 0:
        return Reason("a comment is not closed", "End it with `*/`", comment)
    return None


def _of_a_string(text: str, complaint: str, offset: int) -> Reason | None:
    found = text[offset : offset + 1]
    if complaint.startswith("Unterminated string"):
        return Reason("a string is not closed", 'Add `"` where the text that begins here ends', offset)
    if complaint.startswith("Invalid control character"):
        if found in "\r\n":
            return Reason("a string is not closed", 'Add `"` at the end of this line', offset)
        return Reason(
            f"{_named(found)} stands in a string", f"Write it as `\\u{ord(found):04x}`, or delete it", offset
        )
    if complaint.startswith("Invalid \\u"):
        return Reason("`\\u` needs four digits after it", "Write it like `\\u00e9`", offset)
    if complaint.startswith("Invalid \\"):
        return Reason("a `\\` in a string that escapes nothing", "Write `\\\\` for one backslash", offset)
    return None


def _of_a_place(text: str, complaint: str, offset: int) -> Reason:
    found = text[offset : offset + 1]
    stack, wrong = _open_brackets(text)
    if wrong is not None and wrong <= offset:
        return _wrong_bracket(text, stack, wrong)
    if not found:
        return _unclosed(text, stack, offset)
    if complaint.startswith("Extra data"):
        return _after_the_end(text, found, offset)
    if strange := _strange(found):
        return Reason(strange, "Delete it, or write a plain one from the keyboard", offset)
    if found in _NEVER:
        return Reason(*_NEVER[found], offset)
    if complaint.startswith("Expecting ':'"):
        return Reason("a key has no `:` and value", 'Write it as `"key": value`', offset)
    if complaint.startswith("Expecting property name"):
        return _no_key(text, found, offset)
    if complaint.startswith("Expecting value"):
        return _no_value(text, found, offset)
    return _no_comma(text, found, offset)


def _open_brackets(text: str) -> tuple[list[int], int | None]:
    """What is open at the end, or at the first bracket that closes something else."""
    stack: list[int] = []
    for place in brackets(text):
        if text[place] in _CLOSES:
            stack.append(place)
        elif stack and _CLOSES[text[stack[-1]]] == text[place]:
            stack.pop()
        else:
            return stack, place
    return stack, None


def _wrong_bracket(text: str, stack: list[int], wrong: int) -> Reason:
    if not stack:
        return Reason(f"there is one `{text[wrong]}` too many", "Delete it", wrong)
    opened, line = text[stack[-1]], line_column(text, stack[-1])[0]
    what = f"the `{opened}` of line {line} is closed by `{text[wrong]}`"
    return Reason(what, f"Write `{_CLOSES[opened]}` before it", wrong)


def _unclosed(text: str, stack: list[int], offset: int) -> Reason:
    if not stack:
        return Reason("it ends too early", "Is the last line missing?", offset)
    opened, line = text[stack[-1]], line_column(text, stack[-1])[0]
    return Reason(
        f"the `{opened}` of line {line} is never closed", f"Add `{_CLOSES[opened]}` where it ends", stack[-1]
    )


def _after_the_end(text: str, found: str, offset: int) -> Reason:
    if text.lstrip()[0] not in "{[":
        return Reason("it does not begin with `{`", "Put everything between `{` and `}`", 0)
    if found in "#/":
        return Reason("a comment begins with `//`", "Write `//` in front of it", offset)
    return Reason(
        "there is more after the end", "Delete what follows the last `}`, or move it inside", offset
    )


def _strange(found: str) -> str | None:
    printable = found.isprintable() and not found.isspace()
    return None if printable else f"{_named(found)} stands between the values"


def _named(found: str) -> str:
    name = unicodedata.name(found, "a control character").lower()
    return f"U+{ord(found):04X} ({name})"


def _no_key(text: str, found: str, offset: int) -> Reason:
    if found == ",":
        return Reason("there is a comma too many", "Delete it", offset)
    if _WORD.match(text, offset):
        return Reason("a key has no quotes", 'Put `"` before and after it', offset)
    return Reason("a key must be a string", 'Write it as `"key": value`', offset)


def _no_value(text: str, found: str, offset: int) -> Reason:
    if found in "}]":
        return Reason("a value is missing", f"Write one before the `{found}`", offset)
    if found == ",":
        return Reason(
            "a value is missing, or there is a comma too many", "Write a value, or delete the comma", offset
        )
    word = _WORD.match(text, offset)
    name = word.group() if word else ""
    if name in _INSTEAD:
        return Reason(f"`{name}` is not JSON", f"Write `{_INSTEAD[name]}`", offset)
    if name in _NOTHING:
        return Reason(f"`{name}` is not JSON", "Write `null`, or delete the key", offset)
    if found in "+-.0123456789":
        return Reason("a number is not written the way of JSON", "Write it like `0.5`, `5` or `-5`", offset)
    return Reason("a value is neither a string nor a number", 'Put it between `"` and `"`', offset)


def _no_comma(text: str, found: str, offset: int) -> Reason:
    before = text[offset - 1 : offset]
    if (found.isalnum() or found == ".") and before.isalnum():
        return Reason(
            "a number is not written the way of JSON", "Write it like `0.5`, or put quotes around it", offset
        )
    if found == ":":
        return Reason(
            "a `:` stands after a value", "Is a comma, or an opening `{`, missing before it?", offset
        )
    end = len(text[:offset].rstrip())
    line = line_column(text, end)[0]
    return Reason("a comma is missing", f"Add `,` at the end of line {line}", end)
