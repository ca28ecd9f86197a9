"""Addresses of resources: as their servers write them, with the server's name in what two of them offer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mooring.core.catalog import Catalog
from mooring.core.intake import tidy
from mooring.core.uri_template import could_be
from mooring.errors import UnknownItem

__all__ = ["Addresses"]


class Addresses:
    """`server` is the only one that is looked at, None for all."""

    def __init__(self, catalog: Catalog, server: str | None = None) -> None:
        self._resources = [(entry.server, entry.item.uri) for entry in catalog.resources(server)]
        self._templates = [(entry.server, entry.item.uri_template) for entry in catalog.templates(server)]
        self._shared = _twice(self._resources) | _twice(self._templates)
        self._exact = {self.shown(name, uri): (name, uri) for name, uri in self._resources}

    def shown(self, server: str, uri: str) -> str:
        """As clients see it: `memo://notes/today` is `memo://today` of `notes`, where others have one too."""
        if uri not in self._shared:
            return uri
        scheme, colon, rest = uri.partition(":")
        slashes = "//" if rest.startswith("//") else ""
        return f"{scheme}{colon}{slashes}{server}/{rest[len(slashes) :]}"

    def found(self, uri: str) -> tuple[str, str] | None:
        """The server and its own address; None where nobody lists it, or could make it from a template."""
        exact = self._exact.get(uri)
        if exact is not None:
            return exact
        if uri in self._shared:
            raise _ambiguous(uri, [self.shown(*each) for each in self._resources if each[1] == uri])
        fitting = dict(self._made_from(uri))
        if len(fitting) > 1:
            raise _ambiguous(uri, (f"{name}:{uri}" for name in fitting))
        return next(iter(fitting.items()), None)

    def template(self, shown: str) -> tuple[str, str] | None:
        """Whose template this is, and how its server writes it."""
        for name, template in self._templates:
            if self.shown(name, template) == shown:
                return name, template
        return None

    def _made_from(self, uri: str) -> Iterator[tuple[str, str]]:
        for name, template in self._templates:
            shown = self.shown(name, template)
            if could_be(shown, uri):
                yield name, uri if shown == template else _without(name, uri)


def _twice(items: Iterable[tuple[str, str]]) -> set[str]:
    owners: dict[str, str] = {}
    return {uri for server, uri in items if owners.setdefault(uri, server) != server}


def _without(server: str, uri: str) -> str:
    return uri.replace(f"{server}/", "", 1)


def _ambiguous(uri: str, choices: Iterable[str]) -> UnknownItem:
    return UnknownItem(
        f"`{tidy(uri, 100)}` is offered by several servers", hint=f"Say which: {', '.join(choices)}"
    )
