"""What is most likely wrong where a TOML parser stopped, in plain words."""

from __future__ import annotations

import re

from mooring.config.hints import PROSE_QUOTES, Reason, of_the_whole

__all__ = ["explain"]

_WORD = re.compile(r"[A-Za-z]+")
_INSTEAD = {"True": "true", "TRUE": "true", "False": "false", "FALSE": "false"}
_NOTHING = {"null", "None", "nil", "undefined"}

_BY_COMPLAINT = (
    ("Cannot declare", "a table is there twice", "Merge the two, or rename one"),
    ("Cannot overwrite", "a key is there twice", "Delete one of the two"),
    ("Cannot mutate", "a table is extended that was complete", "Put all of its keys into one place"),
    ("Duplicate inline", "a key is there twice", "Delete one of the two"),
    (
        "Unescaped '\\'",
        "a `\\` in a string that escapes nothing",
        "Write `\\\\`, or put the text between `'` and `'`",
    ),
    ("Invalid hex", "`\\u` needs four digits after it", "Write `\\\\`, or put the text between `'` and `'`"),
    ("Unterminated string", "a string is not closed", "Add the quotation mark where it ends"),
    ("Unclosed array", "an array is not closed", "Add `]` where it ends, and a comma after each element"),
    (
        "Unclosed inline",
        "an inline table is not closed",
        "Add `}` on the same line, and a comma after each value",
    ),
    ("Expected '='", "a key has no `=` and value", 'Write it as `key = "value"`'),
    ("Expected ']", "the name of a table is not closed", "Write it as `[name]`"),
    (
        "Expected newline",
        "there is more after a value",
        "Begin a new line, or put quotes around the whole value",
    ),
    ("Expected", "a string is not closed", "Add the quotation mark where it ends"),
    ("Invalid initial", "a key is missing or has an odd character", 'Write it as `"key" = "value"`'),
    ("Invalid value", "a value is neither text nor a number", "Put quotes around it"),
    ("Invalid statement", "a line is neither a table nor a key", 'Write it as `key = "value"`'),
)


def explain(text: str, complaint: str, offset: int) -> Reason:
    """`complaint` and `offset` are what `tomllib` said."""
    return (
        of_the_whole(text)
        or _of_the_outside(text)
        or _of_a_place(text, complaint, offset)
        or _of_words(complaint, offset)
    )


def _of_the_outside(text: str) -> Reason | None:
    if text.lstrip().startswith("{"):
        return Reason(
            "it looks like JSON", "Give the file a name that ends in `.json`", len(text) - len(text.lstrip())
        )
    return None


def _of_a_place(text: str, complaint: str, offset: int) -> Reason | None:
    found = text[offset : offset + 1]
    if complaint.startswith(("Illegal character", "Found invalid character")):
        if found in "\r\n":
            return Reason("a string is not closed", "Add the quotation mark at the end of this line", offset)
        return Reason(f"U+{ord(found or ' '):04X} stands where no such character may be", "Delete it", offset)
    if text.startswith("//", offset):
        return Reason("a comment cannot begin with `//`", "Begin it with `#`", offset)
    if found == ":":
        return Reason("`:` stands where `=` belongs", "Write `=` instead of `:`", offset)
    if found and found in PROSE_QUOTES:
        return Reason("a quotation mark of prose is not TOML", 'Write `"` instead of it', offset)
    if complaint.startswith("Invalid value") and (word := _WORD.match(text, offset)):
        if word.group() in _INSTEAD:
            return Reason(f"`{word.group()}` is not TOML", f"Write `{_INSTEAD[word.group()]}`", offset)
        if word.group() in _NOTHING:
            return Reason(f"`{word.group()}` is not TOML", "Delete the key", offset)
    return None


def _of_words(complaint: str, offset: int) -> Reason:
    for beginning, what, hint in _BY_COMPLAINT:
        if complaint.startswith(beginning):
            return Reason(what, hint, offset)
    return Reason(
        "it breaks off, or a character is out of place", "Look at this line and the one before it", offset
    )
