"""Which of all the things on offer answer a request, best first."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from math import log
from typing import Any, TypeAlias

from mooring.core.catalog import Catalog, Entry
from mooring.core.chinese import in_english
from mooring.core.everyday import meant
from mooring.core.frozen import frozen
from mooring.core.items import Item, Kind, Prompt, Resource, Template, Tool
from mooring.core.kin import kin
from mooring.core.values import JSON, is_map
from mooring.core.words import FAINT, plain, stem, trigrams, words

__all__ = ["Hit", "Index"]

Postings: TypeAlias = list[tuple[int, float]]

# What a word counts where it stands, and how much the length of that place takes away from it.
_NAME, _TITLE, _SERVER, _HEAD, _TEXT, _INPUT, _ABOUT_INPUT = range(7)
_WEIGHTS = (4.0, 2.5, 1.5, 2.0, 0.8, 1.0, 0.3)
_LENGTHS = (0.4, 0.4, 0.0, 0.6, 0.75, 0.6, 0.75)
_SATURATION = 1.4
_LONGEST_TEXT = 1_500
_KINDRED, _BEGUN, _SIMILAR, _ALIKE, _FAINT = 0.45, 0.7, 0.8, 0.45, 0.3


@frozen
class Hit:
    """Something found; scores compare within one answer only."""

    kind: Kind
    entry: Entry[Any]
    score: float


class Index:
    """One catalogue, made ready to be asked; whoever holds a new catalogue makes a new one."""

    __slots__ = ("_entries", "_grams", "_postings", "_rare", "_sorted")

    def __init__(self, entries: list[tuple[Kind, Entry[Any]]]) -> None:
        self._entries = entries
        self._postings, self._rare = _weighed([_fields(entry) for _, entry in entries])
        self._grams: Mapping[str, list[str]] | None = None
        self._sorted: list[str] = []

    @staticmethod
    def of(catalog: Catalog) -> Index:
        return Index(
            [
                *((Kind.TOOL, entry) for entry in catalog.tools()),
                *((Kind.RESOURCE, entry) for entry in catalog.resources()),
                *((Kind.TEMPLATE, entry) for entry in catalog.templates()),
                *((Kind.PROMPT, entry) for entry in catalog.prompts()),
            ]
        )

    @staticmethod
    def of_tools(catalog: Catalog) -> Index:
        return Index([(Kind.TOOL, entry) for entry in catalog.tools()])

    def find(
        self,
        query: str,
        limit: int = 10,
        kind: Kind | None = None,
        accept: Callable[[Entry[Any]], bool] | None = None,
    ) -> tuple[Hit, ...]:
        """The best first, of what is accepted; what scores alike stays in the order of the catalogue."""
        asked = list(dict.fromkeys([*plain(query), *map(stem, in_english(query))]))
        faint = FAINT if any(word not in FAINT for word in asked) else frozenset[str]()
        scores: dict[int, float] = {}
        answered: Counter[int] = Counter()
        for word in asked:
            for place, score in self._matching(word, _FAINT if word in faint else 1.0).items():
                scores[place] = scores.get(place, 0.0) + score
                answered[place] += 1 if word not in faint else 0
        # what answers more of the request comes before what answers one rare word of it
        found = [
            (score * (1 + answered[place] / len(asked)), place)
            for place, score in scores.items()
            if kind is None or self._entries[place][0] is kind
        ]
        found.sort(key=lambda each: (-each[0], each[1]))
        hits = (Hit(*self._entries[place], round(score, 4)) for score, place in found)
        return tuple(islice(hits if accept is None else (hit for hit in hits if accept(hit.entry)), limit))

    def _matching(self, word: str, worth: float) -> dict[int, float]:
        """What one word of the request finds, by its best spelling in each place."""
        best: dict[int, float] = {}
        for spelling, part in self._spellings(word, worth):
            weight = part * self._rare[spelling]
            for place, impact in self._postings[spelling]:
                score = weight * impact
                if score > best.get(place, 0.0):
                    best[place] = score
        return best

    def _spellings(self, word: str, worth: float) -> Iterator[tuple[str, float]]:
        if word in self._postings:
            yield word, worth
        elif len(word) > 3 and worth == 1.0:
            yield from self._similar(word)
        elif len(word) <= 3:
            yield from ((known, _BEGUN) for known in self._begun(word))
        for other in dict.fromkeys((*kin(word), *meant(word))):
            if other in self._postings:
                yield other, _KINDRED

    def _begun(self, word: str) -> list[str]:
        self._sorted = self._sorted or sorted(self._postings)
        return self._sorted[bisect_left(self._sorted, word) : bisect_left(self._sorted, f"{word}\U0010ffff")]

    def _similar(self, word: str) -> list[tuple[str, float]]:
        """A word that nobody uses: begun, or mistyped."""
        if self._grams is None:
            grams: dict[str, list[str]] = {}
            for known in self._postings:
                for gram in trigrams(known):
                    grams.setdefault(gram, []).append(known)
            self._grams = grams
        wanted = trigrams(word)
        shared = Counter(known for gram in wanted for known in self._grams.get(gram, ()))
        found: list[tuple[float, str]] = []
        for known, count in shared.items():
            alike = 2 * count / (len(wanted) + len(known) + 1)
            if known.startswith(word):
                found.append((max(_BEGUN, _SIMILAR * alike), known))
            elif alike >= _ALIKE:
                found.append((_SIMILAR * alike, known))
        found.sort(key=lambda each: (-each[0], each[1]))
        return [(known, worth) for worth, known in found[:4]]


def _weighed(documents: list[tuple[list[str], ...]]) -> tuple[dict[str, Postings], dict[str, float]]:
    """For each word where it counts how much, and how rare it is."""
    count = max(len(documents), 1)
    usual = [max(sum(len(fields[at]) for fields in documents) / count, 1.0) for at in range(len(_WEIGHTS))]
    postings: dict[str, Postings] = {}
    for place, fields in enumerate(documents):
        weights: dict[str, float] = {}
        for at, found in enumerate(fields):
            if found:
                long = 1 - _LENGTHS[at] + _LENGTHS[at] * len(found) / usual[at]
                worth = _WEIGHTS[at] / long
                for word in found:
                    weights[word] = weights.get(word, 0.0) + worth
        for word, weight in weights.items():
            postings.setdefault(word, []).append((place, weight / (weight + _SATURATION)))
    rare = {
        word: log(1 + (count - len(found) + 0.5) / (len(found) + 0.5)) for word, found in postings.items()
    }
    return postings, rare


def _fields(entry: Entry[Any]) -> tuple[list[str], ...]:
    item: Item = entry.item
    head, _, rest = item.description[:_LONGEST_TEXT].partition("\n")
    first, dot, more = head.partition(". ")
    names, about = _inputs(item)
    name = item.uri if isinstance(item, Resource) else item.uri_template if isinstance(item, Template) else ""
    return (
        _stems(f"{item.name} {name}"),
        _stems(item.title),
        _stems(entry.server),
        list(plain(first)),
        list(plain(f"{more} {rest}" if dot or rest else "")),
        _stems(names),
        list(plain(about)),
    )


def _stems(text: str) -> list[str]:
    return [stem(word) for word in words(text)]


def _inputs(item: Item) -> tuple[str, str]:
    """The names of what it takes, and what is said about them."""
    match item:
        case Tool():
            properties: JSON = item.input_schema.get("properties")
            fields = properties if is_map(properties) else {}
            told = (field.get("description") for field in fields.values() if is_map(field))
            return " ".join(fields), " ".join(text for text in told if isinstance(text, str))[:_LONGEST_TEXT]
        case Prompt():
            gaps = item.arguments
            return " ".join(gap.name for gap in gaps), " ".join(gap.description for gap in gaps)
        case Resource() | Template():
            return item.mime, ""
