"""Text cut into the pieces that a model was taught with: words, and parts of the words it does not know."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping

__all__ = ["Pieces"]

_BEGIN, _END, _UNKNOWN = "[CLS]", "[SEP]", "[UNK]"
_IDEOGRAPH = re.compile("([\u3400-\u9fff\uf900-\ufaff])")
_WORD = re.compile(r"[^\W_]+|[^\w\s]|_")
_LONGEST = 100


class Pieces:
    """By a vocabulary of WordPiece, without capitals and accents."""

    def __init__(self, vocabulary: Mapping[str, int], most: int = 64) -> None:
        self._numbers = vocabulary
        self._most = most

    def of(self, text: str) -> list[int]:
        """At most so many; what is longer loses its end."""
        found = [self._numbers[_BEGIN]]
        for word in _words(text[: self._most * _LONGEST]):
            found.extend(self._cut(word))
            if len(found) >= self._most:
                break
        return [*found[: self._most - 1], self._numbers[_END]]

    def _cut(self, word: str) -> list[int]:
        """The longest known beginning, then the longest known part behind it, to the end."""
        found: list[int] = []
        start = 0
        while start < len(word):
            mark = "##" if start else ""
            for end in range(min(len(word), start + _LONGEST), start, -1):
                number = self._numbers.get(mark + word[start:end])
                if number is not None:
                    found.append(number)
                    start = end
                    break
            else:
                return [self._numbers[_UNKNOWN]]
        return found


def _words(text: str) -> Iterator[str]:
    letters = unicodedata.normalize("NFD", text.lower())
    bare = "".join(letter for letter in letters if unicodedata.category(letter) != "Mn")
    for match in _WORD.finditer(_IDEOGRAPH.sub(r" \1 ", bare)):
        yield match.group()
