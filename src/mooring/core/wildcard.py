"""The wildcard of permission rules: `*` is any text, `?` any one character, everything else itself."""

from __future__ import annotations

__all__ = ["matches"]


def matches(pattern: str, text: str) -> bool:
    """Whether all of `text` fits; a trailing ` *` may also be absent, so that `git *` covers a bare `git`.

    The parts between stars are looked for one after the other, each at its first place. That never has to
    go back, so stars, however many, do not multiply the work.
    """
    if "\\" in pattern or "\\" in text:
        pattern, text = pattern.replace("\\", "/"), text.replace("\\", "/")
    return _fits(pattern, text) or (pattern.endswith(" *") and _fits(pattern[:-2], text))


def _fits(pattern: str, text: str) -> bool:
    first, star, rest = pattern.partition("*")
    if not _stands(first, text, 0):
        return False
    if not star:
        return len(first) == len(text)
    *middle, last = rest.split("*")
    start, end = len(first), len(text) - len(last)
    if start > end or not _stands(last, text, end):
        return False
    for part in middle:
        if part:
            found = _find(part, text, start, end)
            if found < 0:
                return False
            start = found + len(part)
    return True


def _stands(part: str, text: str, at: int) -> bool:
    if "?" not in part:
        return text.startswith(part, at)
    there = text[at : at + len(part)]
    return len(there) == len(part) and all(map(_is_either, part, there))


def _is_either(wanted: str, there: str) -> bool:
    return wanted in ("?", there)


def _find(part: str, text: str, start: int, end: int) -> int:
    if "?" not in part:
        return text.find(part, start, end)
    places = range(start, end - len(part) + 1)
    return next((place for place in places if _stands(part, text, place)), -1)
