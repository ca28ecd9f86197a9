"""About how many tokens a text costs a model."""

from __future__ import annotations

__all__ = ["fitting", "tokens"]

_PER_TOKEN = 4


def tokens(text: str) -> int:
    """Four letters of English or of JSON make one, of other scripts each makes its own."""
    foreign = len(text) - len(text.encode("ascii", "ignore"))
    return foreign + -(-(len(text) - foreign) // _PER_TOKEN)


def fitting(text: str, most: int) -> str:
    """As much from its beginning as costs no more than that, cut between words where there is one near."""
    if tokens(text) <= most:
        return text
    room = (most - 1) * _PER_TOKEN
    end = 0
    for end, letter in enumerate(text):  # noqa: B007 - it is where the room ended
        room -= 1 if letter.isascii() else _PER_TOKEN
        if room < 0:
            break
    space = text.rfind(" ", 0, end + 1)
    return f"{text[: space if space > end * 3 // 4 else end].rstrip(' ,;:.')}…"
