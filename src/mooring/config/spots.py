"""The lines of origins, found when they are asked for."""

from __future__ import annotations

from collections.abc import Callable

from mooring.config.document import Document, KeyPath
from mooring.core.spec import Origin, Source
from mooring.errors import Spot

__all__ = ["Spots"]


class Spots:
    """Keeps the documents; one is scanned for its lines once, and only if somebody asks."""

    def __init__(self) -> None:
        self.documents: dict[str, Document] = {}
        self._locate: dict[str, Callable[[KeyPath], tuple[int, int] | None]] = {}

    def of(self, origin: Origin | None) -> Spot | None:
        return None if origin is None else self.at(origin.source, origin.path)

    def at(self, source: Source, path: KeyPath) -> Spot:
        document = self.documents.get(source.name)
        if document is None:
            return Spot(source.name)
        if source.name not in self._locate:
            self._locate[source.name] = _locator(source.name, document.text)
        found = self._locate[source.name](path)
        return Spot(source.name, *found) if found else Spot(source.name)

    def within(self, source: Source) -> Callable[[KeyPath], Spot]:
        return lambda path: self.at(source, path)


def _locator(file: str, text: str) -> Callable[[KeyPath], tuple[int, int] | None]:
    if file.endswith((".toml", "/config")):
        from mooring.config.toml import Locator  # noqa: PLC0415 - few have such a file

        return Locator(text).locate
    from mooring.config import jsonc  # noqa: PLC0415

    return jsonc.Locator(text).locate
