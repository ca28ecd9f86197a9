"""Servers out of another client's files, as specs of ours and as the entries that would say the same."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from pathlib import Path

from mooring.config import jsonc, toml
from mooring.config.accents import plainly
from mooring.config.build import build
from mooring.config.clients import Around, Client, Shelf, shelves
from mooring.config.document import Document, KeyPath, dotted
from mooring.config.entries import Reader
from mooring.config.keys import SERVER
from mooring.config.places import Dialect
from mooring.config.spots import Spots
from mooring.core.frozen import frozen
from mooring.core.merge import Branch, Leaf, Node, plain
from mooring.core.spec import BadServer, Entry, Layer, LocalSpec, Origin, RemoteSpec, Source
from mooring.core.template import texts, variables
from mooring.core.values import JSON, is_list, is_map
from mooring.errors import BadEntry, ConfigError, ForeignUnreadable, MooringError
from mooring.system.files import read_text

__all__ = ["Found", "Inventory", "document", "inventory", "text_of"]

_ELSEWHERE = Path("/another/folder")
_KEYS = tuple(key.name for key in SERVER)
# They describe a server to a reader and change nothing.
_WORDS = frozenset(
    ("description", "displayName", "gallery", "icon", "label", "source", "title", "type", "version")
)


@frozen
class Found:
    """A server as a client has it; `left_out` are its keys that mean nothing here.

    One that `is_pinned` counted paths from the open project, and now has those of this one. In one that
    `was_literal`, `${X}` meant just that, and is a variable in every file of ours.
    """

    spec: Entry
    file: str
    entry: Mapping[str, JSON] = field(default_factory=dict[str, JSON])
    inputs: tuple[Mapping[str, JSON], ...] = ()
    left_out: tuple[str, ...] = ()
    is_pinned: bool = False
    was_literal: bool = False

    @property
    def name(self) -> str:
        return self.spec.name


@frozen
class Inventory:
    """What one client has: where it could be, which files are there, and the servers in them."""

    client: Client
    looked_at: tuple[str, ...]
    files: tuple[str, ...] = ()
    servers: tuple[Found, ...] = ()
    problems: tuple[MooringError, ...] = ()


def inventory(client: Client, around: Around, tree: Branch) -> Inventory:
    """Everything of one client; `tree` is our own configuration, whose settings hold for its servers too."""
    reader = _Reader(client, str(around.dirs.home), tree)
    places = shelves(client, around)
    looked_at = tuple(dict.fromkeys(str(shelf.file) for shelf in places))
    servers: dict[str, Found] = {}
    for shelf in places:
        for found in reader.servers(shelf):
            # What a client has twice counts once, where it is stronger.
            servers.setdefault(found.name, found)
    return Inventory(client, looked_at, tuple(reader.files), tuple(servers.values()), tuple(reader.problems))


def document(file: Path, text: str) -> Document:
    """A client's file, or why it cannot be understood."""
    try:
        return (toml if file.suffix == ".toml" else jsonc).parse(text, str(file))
    except ConfigError as error:
        raise ForeignUnreadable(error.sentence, hint=error.hint, spot=error.spot) from error


class _Reader:
    """Reads each file once, and collects what is wrong with it."""

    def __init__(self, client: Client, home: str, tree: Branch) -> None:
        self._client = client
        self._home = home
        self._settings = tree.children
        self._spots = Spots()
        self._seen: dict[Path, Document | None] = {}
        self.problems: list[MooringError] = []

    @property
    def files(self) -> Iterator[str]:
        return (str(file) for file, read in self._seen.items() if read)

    def servers(self, shelf: Shelf) -> Iterator[Found]:
        read = self._document(shelf.file)
        raw = _at(read.tree, shelf.path) if read else None
        if raw is None or read is None:
            return
        if not is_map(raw):
            sentence = f"`{dotted(shelf.path)}` should be a map of servers in `{shelf.file}`"
            self.problems.append(ForeignUnreadable(sentence, hint="Mend it there"))
            return
        # Where the client has no references, ours are those of any file of ours.
        ours = replace(shelf, dialect=Dialect.CLAUDE) if shelf.dialect is Dialect.CODEX else shelf
        nodes = {name: self._node(ours, name, item) for name, item in raw.items()}
        specs = build(Branch({**self._settings, "mcp": Branch(nodes)}), self._spots.of).servers
        inputs = _at(read.tree, shelf.inputs) if shelf.inputs else None
        for name, node in nodes.items():
            spec = specs.get(name) or self._nothing(name, node)
            if isinstance(spec, BadServer) or isinstance(node, Leaf):
                yield Found(spec, str(shelf.file))
                continue
            elsewhere = self._node(replace(ours, folder=_ELSEWHERE), name, raw[name])
            yield Found(
                spec,
                str(shelf.file),
                _entry(spec, node),
                tuple(_asked(spec, inputs)),
                tuple(key for key in node.children if key not in _KEYS and key not in _WORDS),
                is_pinned=plain(elsewhere) != plain(node),
                was_literal=plain(self._node(shelf, name, raw[name])) != plain(node),
            )

    def _document(self, file: Path) -> Document | None:
        if file not in self._seen:
            self._seen[file] = None
            try:
                text = text_of(file)
                if text and text.strip():
                    self._seen[file] = self._spots.documents[str(file)] = document(file, text)
            except ForeignUnreadable as error:
                self.problems.append(error)
        return self._seen[file]

    def _node(self, shelf: Shelf, name: str, raw: JSON) -> Node:
        source = Source(Layer.GLOBAL, str(shelf.file), str(shelf.folder))
        reader = Reader(source, shelf.dialect, self._home, [])
        node = reader.entry(plainly(self._client, raw), (*shelf.path, name), name)
        command = node.children.get("command") if isinstance(node, Branch) else None
        if isinstance(command, Leaf) and str(command.value).startswith(("./", "../")):
            command.value = posixpath.normpath(posixpath.join(source.folder, str(command.value)))
        return node

    def _nothing(self, name: str, node: Node) -> BadServer:
        origin = node.origin or Origin(Source(Layer.GLOBAL, "", ""))
        sentence = f"`{name}` says neither `command` nor `url`"
        hint = f"An extension of {self._client} may bring it along; only {self._client} can start it then"
        return BadServer(name, (BadEntry(sentence, hint=hint, spot=self._spots.of(origin)),), (origin,))


def text_of(file: Path) -> str | None:
    """What is in a client's file; None where there is none."""
    try:
        return read_text(file)
    except ConfigError as error:
        raise ForeignUnreadable(error.sentence, hint=error.hint, spot=error.spot) from error


def _at(tree: JSON, path: KeyPath) -> JSON:
    for key in path:
        tree = tree.get(str(key)) if is_map(tree) else None
    return tree


def _asked(spec: Entry, inputs: JSON) -> Iterator[Mapping[str, JSON]]:
    """The inputs that a server's values name."""
    if isinstance(spec, BadServer):
        return
    names = {found.name for _, text in texts(spec) for found in variables(text) if found.kind == "input"}
    for item in inputs if is_list(inputs) else ():
        if is_map(item) and isinstance(item.get("id"), str) and item["id"] in names:
            yield item


def _entry(spec: LocalSpec | RemoteSpec, node: Branch) -> dict[str, JSON]:
    """The canonical entry: every key in our words and our order, and nothing that is so anyway."""
    given = _without_nothing(plain(node))
    if isinstance(spec, LocalSpec):
        kind, texts_key, values = "local", "environment", spec.environment
        given["command"] = [spec.command, *spec.args]
        given.pop("args", None)
    else:
        kind, texts_key, values = "remote", "headers", spec.headers
    given |= {"type": kind} | ({texts_key: dict(values)} if values else {})
    timeout = given.get("timeout")
    if is_map(timeout) and timeout.keys() == {"start", "list", "call"} and len({*timeout.values()}) == 1:
        given["timeout"] = timeout["start"]
    if given.get("enabled") is True:
        del given["enabled"]
    return {key.name: given[key.name] for key in SERVER if key.name in given and key.kind in ("both", kind)}


def _without_nothing(value: dict[str, JSON]) -> dict[str, JSON]:
    """No nulls, and no empty maps, which say nothing either; an empty list may say `none at all`."""
    kept = {key: _without_nothing(item) if is_map(item) else item for key, item in value.items()}
    return {key: item for key, item in kept.items() if item is not None and item != {}}
