"""All layers read, laid over each other and checked: the one way to a `Config`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from mooring.config import jsonc
from mooring.config.build import build
from mooring.config.claims import Claims
from mooring.config.dialects import Reading, read_tree
from mooring.config.document import Document, dotted
from mooring.config.notes import Note
from mooring.config.places import Place, global_places, managed_places, user_places
from mooring.config.spots import Spots
from mooring.core.frozen import frozen
from mooring.core.merge import EMPTY, Branch, laid
from mooring.core.spec import Config, Layer, Source
from mooring.errors import DuplicateKey, MooringError, UnreadableFile
from mooring.system.dirs import Dirs
from mooring.system.files import read_text

__all__ = ["Loaded", "Organisation", "given_as", "load", "parse"]

Organisation = Callable[[Branch], Iterable[Place | MooringError]]


@frozen
class Loaded:
    """A configuration, the tree that it was made from, and the files that were read, the weakest first."""

    config: Config
    tree: Branch
    sources: tuple[Source, ...]
    spots: Spots


def load(cwd: Path, dirs: Dirs, env: Mapping[str, str], organisation: Organisation | None = None) -> Loaded:
    """What holds in `cwd`; a broken file is its layer's own problem, except the machine owner's."""
    reader = _Reader(dirs)
    own = reader.read(global_places(dirs))
    defaults = reader.read(reader.asked(organisation(own))) if organisation else EMPTY
    tree = defaults
    for layer in (own, reader.read(user_places(cwd, dirs, env)), reader.read(managed_places(dirs))):
        tree = laid(tree, layer)
    spots = reader.spots
    # The organisation is asked after the global files are read, because these say who it is.
    reader.readings.sort(key=lambda reading: reading.source.layer is not Layer.ORGANISATION)
    sources = tuple(reading.source for reading in reader.readings)
    claims, ignored = Claims(reader.readings), list[MooringError]()
    tree = claims.limited(tree, spots.of, ignored)
    config = build(tree, spots.of, sources)
    problems = (*reader.problems, *reader.noted(), *ignored, *config.problems)
    config = replace(config, servers=claims.marked(config.servers), problems=problems)
    return Loaded(config, tree, sources, spots)


def given_as(tree: Mapping[str, Any], cwd: Path, dirs: Dirs) -> Config:
    """A configuration that a program brings along, and nothing else; relative paths count from `cwd`."""
    reader = _Reader(dirs)
    merged = reader.read([Place(Layer.INLINE, "the given configuration", str(cwd), text=json.dumps(tree))])
    config = build(merged, reader.spots.of, tuple(reading.source for reading in reader.readings))
    return replace(config, problems=(*reader.problems, *reader.noted(), *config.problems))


def parse(text: str, place: Place) -> Document:
    """The text of one place, in the format that its name says."""
    if not place.is_toml:
        return jsonc.parse(text, place.name)
    from mooring.config import toml  # noqa: PLC0415 - few have such a file

    return toml.parse(text, place.name)


class _Reader:
    """Reads places in their order and collects what is wrong with each."""

    def __init__(self, dirs: Dirs) -> None:
        self._home = str(dirs.home)
        self.spots = Spots()
        self.readings: list[Reading] = []
        self.problems: list[MooringError] = []

    def read(self, places: Iterable[Place]) -> Branch:
        tree = EMPTY
        for place in places:
            try:
                reading = self._one(place)
            except MooringError as error:
                if place.layer is Layer.MANAGED:
                    raise
                self.problems.append(error)
                continue
            if reading is not None:
                self.readings.append(reading)
                tree = laid(tree, reading.tree)
        return tree

    def asked(self, answers: Iterable[Place | MooringError]) -> Iterable[Place]:
        for answer in answers:
            if isinstance(answer, MooringError):
                self.problems.append(answer)
            else:
                yield answer

    def noted(self) -> list[MooringError]:
        return [
            note.at(self.spots.within(reading.source)) for reading in self.readings for note in reading.notes
        ]

    def _one(self, place: Place) -> Reading | None:
        text = place.text if place.text is not None else read_text(place.name)
        if text is None:
            if place.variable:
                raise UnreadableFile(
                    f"`{place.name}` is not there", hint=f"The variable {place.variable} names it"
                )
            return None
        document = parse(text, place)
        self.spots.documents[place.name] = document
        reading = read_tree(document.tree, place, self._home)
        for path in document.duplicates:
            sentence = f"`{dotted(path)}` is written more than once"
            reading.notes.append(Note(DuplicateKey, path, sentence, "The last one counts; remove the others"))
        return reading
