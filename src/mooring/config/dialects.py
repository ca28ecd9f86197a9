"""Every client's way to write down servers, turned into one shape that remembers where each value stood."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from mooring.config.entries import Reader
from mooring.config.keys import TOP, known
from mooring.config.notes import Note, nearest_key
from mooring.config.places import Dialect, Place
from mooring.config.settings import is_budget, no_budget, not_theirs, understood
from mooring.core.merge import Branch, Leaf, Node, lift, merge, plain
from mooring.core.spec import Layer, Origin, Source
from mooring.core.values import is_list, is_map, is_number
from mooring.errors import BadValue, IgnoredValue, UnknownKey

__all__ = ["CONTAINERS", "Reading", "is_second_shape", "read_tree"]

Path = tuple[str | int, ...]

# Where servers stand at the top of a file, the weakest first; `mcp` is OpenCode's and ours.
CONTAINERS = ("mcp_servers", "servers", "mcpServers", "context_servers")


@dataclass(slots=True)
class Reading:
    """One source in our shape: `mcp`, `inputs`, and the settings as they were."""

    source: Source
    tree: Branch
    notes: list[Note] = field(default_factory=list[Note])


def read_tree(tree: Mapping[str, Any], place: Place, home: str) -> Reading:
    """The canonical form of a parsed file; nothing in it can make this raise."""
    source = Source(place.layer, place.name, place.folder)
    reading = Reading(source, Branch({}, Origin(source)))
    reader = Reader(source, place.dialect, home, reading.notes, _defaults(tree))
    servers: Branch = Branch({}, Origin(source, ("mcp",)))
    for path, name, raw in _servers(tree):
        entry = reader.entry(raw, (*path, name), name)
        under = servers.children.get(name)
        servers.children[name] = entry if under is None else merge(under, entry)
    if servers.children:
        reading.tree.children["mcp"] = servers
    inputs = _inputs(tree, source)
    if inputs.children:
        reading.tree.children["inputs"] = inputs
    _odd_containers(tree, reading.notes)
    if place.dialect is Dialect.NATIVE:
        _settings(tree, reading)
        _budgets(tree.get("mcp"), reading)
    return reading


def _servers(tree: Mapping[str, Any]) -> Iterator[tuple[Path, str, Any]]:
    """(path of the container, name, raw entry), the weakest first."""
    for key in CONTAINERS:
        container = tree.get(key)
        if is_map(container):
            yield from (((key,), name, raw) for name, raw in container.items())
    mcp = tree.get("mcp")
    if not is_map(mcp):
        return
    for name, raw in mcp.items():
        if not is_second_shape(name, raw):
            yield ("mcp",), name, raw
    second = mcp.get("servers")
    if is_map(second) and is_second_shape("servers", second):
        yield from ((("mcp", "servers"), name, raw) for name, raw in second.items())


def is_second_shape(name: str, raw: Any) -> bool:
    """Whether `mcp.servers` or `mcp.timeout` is OpenCode 2's container, not a server of that name."""
    if name == "timeout":
        return is_number(raw) or (is_map(raw) and not _looks_like_entry(raw))
    return name == "servers" and is_map(raw) and not _looks_like_entry(raw)


def _looks_like_entry(raw: Mapping[str, Any]) -> bool:
    return any(isinstance(raw.get(key), (str, list)) for key in ("type", "command", "url")) or isinstance(
        raw.get("enabled"), bool
    )


def _inputs(tree: Mapping[str, Any], source: Source) -> Branch:
    """A stranger may describe an input, but not give the default of one that somebody else's server uses."""
    found = Branch({}, Origin(source, ("inputs",)))
    for index, item in _listed(tree):
        kept = item if source.layer.is_the_users else {k: v for k, v in item.items() if k != "default"}
        found.children[item["id"]] = lift(kept, Origin(source, ("inputs", index)))
    return found


def _defaults(tree: Mapping[str, Any]) -> dict[str, str]:
    """What a file's own inputs are when nobody answers; part of what its servers' values say."""
    found = {item["id"]: item.get("default") for _, item in _listed(tree)}
    return {name: text for name, text in found.items() if isinstance(text, str) and not {*text} & {*"{}"}}


def _listed(tree: Mapping[str, Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    listed = tree.get("inputs")
    for index, item in enumerate(listed if is_list(listed) else ()):
        if is_map(item) and isinstance(item.get("id"), str):
            yield index, item


def _odd_containers(tree: Mapping[str, Any], notes: list[Note]) -> None:
    notes.extend(
        Note(BadValue, (key,), f"`{key}` should be a map of servers by name", f'"{key}": {{…}}')
        for key in ("mcp", *CONTAINERS)
        if tree.get(key) is not None and not is_map(tree[key])
    )
    if tree.get("inputs") is not None and not is_list(tree["inputs"]):
        notes.append(Note(BadValue, ("inputs",), "`inputs` should be a list", '"inputs": [{"id": "NAME"}]'))


def _settings(tree: Mapping[str, Any], reading: Reading) -> None:
    """What is not a server: kept as it is; what nobody reads is kept too, and said."""
    names = known(TOP)
    for key, value in tree.items():
        if key in ("mcp", "inputs", *CONTAINERS):
            continue
        if key not in names:
            reading.notes.append(
                Note(
                    UnknownKey,
                    (key,),
                    f"Nobody reads the key `{key}`",
                    nearest_key(key, (*names, *CONTAINERS)),
                )
            )
        if key == "organisation" and reading.source.layer is not Layer.GLOBAL:
            sentence = "`organisation` has no effect outside of your global file"
            reading.notes.append(
                Note(IgnoredValue, (key,), sentence, "Say it there, or set MOORING_ORGANISATION")
            )
        kept = understood(key, value, reading.notes)
        if kept is not None or value is None:
            if not reading.source.layer.is_the_users:
                kept = not_theirs(key, kept, reading.notes)
            origin = Origin(reading.source, (key,))
            node = lift(kept, origin)
            if value is None and is_map(kept):
                # What a null unsets stands where the null stands.
                node = Branch({name: Leaf(None, origin) for name in kept}, origin)
            reading.tree.children[key] = node


def _budgets(mcp: Any, reading: Reading) -> None:
    """OpenCode 2's `mcp.timeout` is what its 1.x calls `experimental.mcp_timeout`."""
    if not is_map(mcp) or not is_second_shape("timeout", mcp.get("timeout")):
        return
    path = ("mcp", "timeout")
    budgets = Reader(reading.source, Dialect.NATIVE, "", reading.notes).budgets(mcp["timeout"], path)
    for child in budgets.children.values() if isinstance(budgets, Branch) else ():
        if child.origin and not is_budget(plain(child)):
            reading.notes.append(no_budget(child.origin.path))
            return
    extra = Branch({"timeout": budgets}, Origin(reading.source, path))
    own: Node = reading.tree.children.get("mooring", Branch({}))
    reading.tree.children["mooring"] = merge(extra, own)
