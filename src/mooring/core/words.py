"""Names and sentences as words that can be compared: split, folded, without their endings."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["FAINT", "plain", "stem", "trigrams", "words"]

_CHUNK = re.compile(r"[^\W_]+")
_PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^A-Za-z0-9]+")
_WIDE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+")
_VOWEL = re.compile("[aeiouy]")
_SMALL = """
    a about all am an and any are as at be been but by can could did do does for from get had has have
    how i if in into is it its like ll many me much my need now of on or our out over please right s
    should so some somebody someone something t than that the their them then there these they this
    those to up us use used uses using want was we were what when where which who whose will with would
    you your
"""
_STOP = frozenset(_SMALL.split())


# What holds a request together and says little of its own beside other words; as stems.
_FAINT = """
    anyth ask back everyth few giv go good hav help just keep know lat leav let lik look mak mor most
    never new now on other own put said sai see sign somebodi someth still tak talk tell thing tim todai
    tomorrow two wai want week well work yesterdai
"""
FAINT = frozenset(_FAINT.split())


def words(text: str) -> Iterator[str]:
    """Every word of it, folded: `getUserById2`, `get_user` and `get user` share theirs."""
    for chunk in _CHUNK.findall(text):
        if chunk.isascii():
            pieces = _PIECE.findall(chunk)
            if len(pieces) > 1:
                yield from (piece.lower() for piece in pieces if len(piece) > 1)
            yield chunk.lower()
        else:
            yield from _foreign(chunk.casefold())


def plain(text: str) -> Iterator[str]:
    """The stems of the words that say something; where all of them are small ones, of those."""
    found = list(words(text))
    telling = [word for word in found if word not in _STOP]
    return map(stem, telling or found)


def stem(word: str) -> str:
    """Without plural, tense and the like: a rough cut that is the same for kindred words."""
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    word = _singular(word)
    for ending in ("ing", "ed"):
        if word.endswith(ending) and _VOWEL.search(word[: -len(ending)]) and len(word) - len(ending) > 2:
            word = _undoubled(word[: -len(ending)])
            break
    if len(word) > 5 and word.endswith(("tion", "sion")):
        word = word[:-3]
    for ending, shortest in (("ment", 5), ("ly", 4), ("er", 5)):
        if word.endswith(ending) and len(word) - len(ending) >= shortest:
            word = _undoubled(word[: -len(ending)])
            break
    word = word[:-1] if len(word) > 3 and word.endswith("e") else word
    return f"{word[:-1]}i" if word.endswith("y") else word


def trigrams(word: str) -> frozenset[str]:
    """Its runs of three letters, its beginning and end marked."""
    padded = f"  {word} "
    return frozenset(padded[place : place + 3] for place in range(len(padded) - 2))


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("xes", "ches", "shes", "sses", "zzes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _undoubled(word: str) -> str:
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz" else word


def _foreign(chunk: str) -> Iterator[str]:
    """Scripts without spaces give pairs of characters, everything else whole words."""
    place = 0
    for match in _WIDE.finditer(chunk):
        yield from _pieces(chunk[place : match.start()])
        run = match.group()
        yield from (run[at : at + 2] for at in range(max(len(run) - 1, 1)))
        place = match.end()
    yield from _pieces(chunk[place:])


def _pieces(text: str) -> Iterator[str]:
    if text:
        yield text
