"""Changes to the configuration, each made in the file that owns the value, in that file's own words."""

from __future__ import annotations

from collections.abc import Callable
from shlex import quote
from typing import Any, TypeAlias

from mooring.config import jsonc_edit, toml_edit
from mooring.config.dialects import read_tree
from mooring.config.document import KeyPath, dotted
from mooring.config.keys import OAUTH, SERVER, TIMEOUTS, TOOLS, Key
from mooring.config.load import Loaded
from mooring.config.notes import Note
from mooring.config.places import Dialect, Place
from mooring.config.server import mistypes
from mooring.config.settings import understood
from mooring.config.spell import referring, spelled
from mooring.config.steps import Drop, Put, steps
from mooring.config.targets import at, container, entry_path, file_place, parse
from mooring.core.frozen import frozen
from mooring.core.merge import Branch, find, leaves
from mooring.core.nearest import no_server
from mooring.core.spec import Layer, Source
from mooring.core.values import is_map
from mooring.errors import BadKey, BadValue, NotEditable, ServerExists, UnknownServer
from mooring.system.files import edit_text

__all__ = ["Change", "Write", "add", "owner_of", "remove", "set_value", "sources_of"]

Write: TypeAlias = Callable[[str, Callable[[str | None], str]], str]
_INNER = {"timeout": TIMEOUTS, "tools": TOOLS, "oauth": OAUTH}
_FILES = (Layer.GLOBAL, Layer.FILE, Layer.PROJECT, Layer.FOLDER)


@frozen
class Change:
    """Where something was written or taken away."""

    file: str
    path: KeyPath


def add(
    place: Place,
    name: str,
    entry: dict[str, Any],
    *,
    replace: bool = False,
    write: Write = edit_text,
) -> Change:
    """A new server in one file."""
    made: list[Change] = []

    def change(text: str | None) -> str:
        tree = parse(text or "", place)
        path = entry_path(tree, place, name)
        if not replace and at(tree, path) is not None:
            hint = f"mooring add --replace, or mooring remove {quote(name)}"
            raise ServerExists(f"`{name}` is in `{place.name}` already", hint=hint)
        made[:] = [Change(place.name, path)]
        return _editor(place).set_value(text or "", path, spelled(entry, place.dialect))

    write(place.name, change)
    return made[0]


def remove(loaded: Loaded, name: str, place: Place | None = None, write: Write = edit_text) -> Change:
    """A server taken out of the strongest file that has it, or out of `place`."""
    place = place or owner_of(loaded, name)
    made: list[Change] = []

    def change(text: str | None) -> str:
        path = entry_path(parse(text or "", place), place, name)
        if text is None or at(parse(text, place), path) is None:
            raise UnknownServer(
                f"`{name}` is not in `{place.name}`", hint="`mooring config` shows where it is"
            )
        made[:] = [Change(place.name, path)]
        return _editor(place).remove(text, path)

    write(place.name, change)
    return made[0]


def set_value(
    loaded: Loaded,
    path: tuple[str, ...],
    value: Any,
    place: Place | None = None,
    write: Write = edit_text,
) -> Change:
    """One key, in `place`, else where it is written now, else in the file that owns its server."""
    path, value = _own_words(path, value)
    place = place or _home_of(loaded, path)
    _check(path, value, place)
    made: list[Change] = []

    def change(old: str | None) -> str:
        text, where = _set(old or "", place, path, value)
        made[:] = [Change(place.name, where)]
        return text

    write(place.name, change)
    return made[0]


def owner_of(loaded: Loaded, name: str) -> Place:
    """The file whose word about a server is the strongest, where it may be edited."""
    return _editable(loaded, sources_of(loaded, name)[-1], name)


def sources_of(loaded: Loaded, name: str) -> tuple[Source, ...]:
    """Every source that says anything of a server, the weakest first."""
    node = find(loaded.tree, ("mcp", name))
    if node is None:
        raise no_server(name, loaded.config.servers)
    origins = [node.origin, *(leaf.origin for _, leaf in leaves(node))]
    found = {origin.source for origin in origins if origin is not None}
    return tuple(source for source in loaded.sources if source in found)


def _home_of(loaded: Loaded, path: tuple[str, ...]) -> Place:
    """The file a key is in, or belongs to."""
    node = find(loaded.tree, path)
    if node is not None and node.origin is not None:
        return _editable(loaded, node.origin.source, dotted(path))
    if path[0] == "mcp" and len(path) > 1:
        return _editable(loaded, sources_of(loaded, path[1])[-1], path[1])
    raise NotEditable(
        f"`{dotted(path)}` stands in no file yet", hint="Say where: --global, --project or --file"
    )


def _editable(loaded: Loaded, source: Source, what: str) -> Place:
    if source.layer in _FILES and source in loaded.sources:
        return file_place(source.name)
    if source.layer is Layer.ORGANISATION:
        raise NotEditable(
            f"`{what}` comes from `{source.name}`", hint="Overrule it in your own file: --global"
        )
    raise NotEditable(
        f"`{what}` comes from `{source.name}`, which is stronger than your files",
        hint="Change it where it comes from",
    )


def _own_words(path: tuple[str, ...], value: Any) -> tuple[tuple[str, ...], Any]:
    """The same wish with our own keys."""
    if path[0] != "mcp" or len(path) < 3:
        return path, value
    if path[2] == "disabled" and isinstance(value, bool):
        return (*path[:2], "enabled"), not value
    words = [_canonical(SERVER, path[2])]
    if len(path) > 3:
        words.append(_canonical(_INNER.get(words[0], ()), path[3]))
    return (*path[:2], *words, *path[4:]), value


def _canonical(keys: tuple[Key, ...], word: str) -> str:
    return next((key.name for key in keys if word in (key.name, *key.aliases)), word)


def _meant(path: tuple[str, ...], value: Any, place: Place) -> Branch:
    """The server as it would be read if it were nothing but this value, or as much of it as makes sense."""
    for key in reversed(path[2:]):
        value = {key: value}
    where = container({}, place.dialect)
    tree: dict[str, Any] = {path[1]: value}
    for key in reversed(where):
        tree = {str(key): tree}
    node = find(read_tree(tree, place, "").tree, path[:2])
    if not isinstance(node, Branch):
        raise BadValue(f"`{dotted(path[:2])}` should be a map", hint="mooring add writes a whole server")
    return node


def _check(path: tuple[str, ...], value: Any, place: Place) -> None:
    """Refuse what the next reading would refuse."""
    top, *rest = path
    if top == "mcp" and rest:
        for error in mistypes(rest[0], _meant(path, value, place)):
            raise BadValue(error.sentence, hint=error.hint)
        return
    if place.dialect is not Dialect.NATIVE:
        raise BadKey(f"`{place.name}` holds servers only", hint="Use --global")
    notes: list[Note] = []
    for key in reversed(rest):
        value = {key: value}
    understood(top, value, notes)
    for note in notes:
        raise BadValue(note.sentence, hint=note.hint)


def _set(text: str, place: Place, path: tuple[str, ...], value: Any) -> tuple[str, KeyPath]:
    """The text that says it, and the first path that was written."""
    editor = _editor(place)
    if path[0] != "mcp" or len(path) < 2:
        return editor.set_value(text, path, value), path
    tree = parse(text, place)
    entry = entry_path(tree, place, path[1])
    if len(path) == 2:
        return editor.set_value(text, entry, spelled(value, place.dialect)), entry
    there = at(tree, entry)
    done = list(steps(there if is_map(there) else {}, place.dialect, path[2:], value))
    for step in done:
        match step:
            case Put(where, what):
                text = editor.set_value(text, (*entry, *where), referring(what, place.dialect))
            case Drop(where):
                text = editor.remove(text, (*entry, *where))
    _prove(text, place, path, value)
    return text, (*entry, *next((step.path for step in done if isinstance(step, Put)), ()))


def _prove(text: str, place: Place, path: tuple[str, ...], value: Any) -> None:
    """What was written is what will be read; some entry may say one thing twice, in a way unknown here."""
    read = find(read_tree(parse(text, place), place, "").tree, path)
    meant = find(Branch({"mcp": Branch({path[1]: _meant(path, value, place)})}), path)
    wanted = dict(leaves(meant)) if meant else {}
    found = dict(leaves(read)) if read else {}
    if any(inner in found and found[inner].value != leaf.value for inner, leaf in wanted.items()) or (
        wanted and not wanted.keys() & found.keys()
    ):
        sentence = f"`{dotted(path)}` stands in `{place.name}` in two ways"
        raise BadKey(sentence, hint="Remove one of them there, then try again")


def _editor(place: Place) -> Any:
    return toml_edit if place.is_toml else jsonc_edit
