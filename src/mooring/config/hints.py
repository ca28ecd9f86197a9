"""What can be wrong with a whole file, in whatever format it should be."""

from __future__ import annotations

import re

from mooring.core.frozen import frozen

__all__ = ["PROSE_QUOTES", "Reason", "of_the_whole"]

PROSE_QUOTES = "“”„‟«»‘’"

_CONFLICT = re.compile(r"^(?:<{7}|={7}|>{7})(?= |\r?$)", re.MULTILINE)
_PAGE = re.compile(r"\s*<(?:!doctype|html|head|body|\?xml)", re.IGNORECASE)


@frozen
class Reason:
    """What is wrong, what to do, and where to look, which may be before where the parser stopped."""

    what: str
    hint: str
    offset: int


def of_the_whole(text: str) -> Reason | None:
    """What makes the place where a parser stopped meaningless."""
    if _PAGE.match(text):
        return Reason("it is a web page", "Fetch the file itself instead of the page that shows it", 0)
    if conflict := _CONFLICT.search(text):
        hint = "Keep one of the two versions and delete the lines with `<<<<<<<`, `=======` and `>>>>>>>`"
        return Reason("a merge conflict was left in it", hint, conflict.start())
    return None
