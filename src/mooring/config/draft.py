"""A change to a file as it would be, or as it was made: what is different, without a secret."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from difflib import unified_diff

from mooring.config.targets import file_place, parse
from mooring.core.redact import clean, hidden, mask, mask_shapes, mask_tree
from mooring.core.values import JSON, is_list, is_map
from mooring.errors import ConfigError
from mooring.system.files import edit_text, read_text

__all__ = ["Draft"]


class Draft:
    """Given to an edit as its way to write; a `dry` one leaves the file as it is."""

    def __init__(self, *, dry: bool) -> None:
        self._is_dry = dry
        self._file = ""
        self._before = self._after = ""

    def write(self, path: str, change: Callable[[str | None], str]) -> str:
        def seen(text: str | None) -> str:
            self._before, self._after = text or "", change(text)
            return self._after

        self._file = path
        return seen(read_text(path)) if self._is_dry else edit_text(path, seen)

    @property
    def diff(self) -> str:
        """As `diff -u` writes it; empty where nothing is different."""
        secrets = {*self._secrets(self._before), *self._secrets(self._after)}
        pieces = (text.splitlines() for text in (self._before, self._after))
        lines = unified_diff(*pieces, fromfile=self._file, tofile=self._file, lineterm="")
        return "\n".join(mask_shapes(clean(line)) for line in mask("\n".join(lines), secrets).split("\n"))

    def _secrets(self, text: str) -> set[str]:
        try:
            tree: JSON = parse(text, file_place(self._file))
        except ConfigError:
            # What cannot be read is not edited either.
            return set()
        return set(_differing(tree, mask_tree(tree)))


def _differing(raw: JSON, shown: JSON) -> Iterator[str]:
    if isinstance(raw, str) and isinstance(shown, str) and raw != shown:
        yield from hidden(raw, shown)
    elif is_map(raw) and is_map(shown):
        for key in raw.keys() & shown.keys():
            yield from _differing(raw[key], shown[key])
    elif is_list(raw) and is_list(shown):
        for one, other in zip(raw, shown, strict=False):
            yield from _differing(one, other)
    elif raw != shown:
        yield from _texts(raw)


def _texts(value: JSON) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif is_map(value):
        for inner in value.values():
            yield from _texts(inner)
    elif is_list(value):
        for inner in value:
            yield from _texts(inner)
