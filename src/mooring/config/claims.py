"""What strangers may not do with a server of the user's: take its name unseen, or lift its limits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from mooring.config.check import SpotOf, origin_of
from mooring.config.dialects import Reading
from mooring.core.merge import EMPTY, Branch, Leaf, Node, laid, plain
from mooring.core.spec import Entry, RemoteSpec
from mooring.core.values import is_list
from mooring.errors import IgnoredValue, MooringError

__all__ = ["Claims"]


class Claims:
    """What the user's own sources say of servers, beside what all of them say together."""

    def __init__(self, readings: Iterable[Reading]) -> None:
        """The weakest first."""
        own, is_disputed = EMPTY, False
        for reading in readings:
            if reading.source.layer.is_the_users:
                own = laid(own, reading.tree)
            else:
                is_disputed = is_disputed or "mcp" in reading.tree.children
        servers = own.children.get("mcp")
        self._own = servers.children if isinstance(servers, Branch) and is_disputed else {}

    def limited(self, tree: Branch, spot: SpotOf, problems: list[MooringError]) -> Branch:
        """The merged tree, in which each limit on tools is at least what the user has set."""
        servers = tree.children.get("mcp")
        if not isinstance(servers, Branch):
            return tree
        changed: dict[str, Node] = {}
        for name, own in self._own.items():
            mine = own.children.get("tools") if isinstance(own, Branch) else None
            there = servers.children.get(name)
            if mine is None or plain(mine) is None or not isinstance(there, Branch):
                continue
            said = there.children.get("tools", mine)
            tools = _narrowed(mine, said)
            if plain(tools) != plain(said):
                changed[name] = Branch({**there.children, "tools": tools}, there.origin, there.covers)
                sentence = f"`mcp.{name}.tools` cannot lift the limits that you have set"
                hint = "Say it in your own file"
                problems.append(IgnoredValue(sentence, hint=hint, spot=spot(origin_of(said))))
        if not changed:
            return tree
        held = Branch({**servers.children, **changed}, servers.origin, servers.covers)
        return Branch({**tree.children, "mcp": held}, tree.origin, tree.covers)

    def marked(self, servers: Mapping[str, Entry]) -> dict[str, Entry]:
        """Every server, with those marked that are something else than what the user calls so."""
        return {name: self._marked(name, entry) for name, entry in servers.items()}

    def _marked(self, name: str, entry: Entry) -> Entry:
        own = self._own.get(name)
        if not isinstance(entry, RemoteSpec) or not isinstance(own, Branch):
            return entry
        url = own.children.get("url")
        is_described = url is not None or "command" in own.children
        is_the_same = isinstance(url, Leaf) and url.value == entry.url
        return replace(entry, displaces=True) if is_described and not is_the_same else entry


def _narrowed(mine: Node, said: Node) -> Node:
    """What is excluded adds up; what is included is the user's to say, where the user says it."""
    if isinstance(mine, Leaf) or isinstance(said, Leaf):
        return mine
    children = {**said.children, **mine.children}
    here, there = mine.children.get("exclude"), said.children.get("exclude")
    if isinstance(here, Leaf) and isinstance(there, Leaf) and is_list(here.value) and is_list(there.value):
        more = [pattern for pattern in there.value if pattern not in here.value]
        children["exclude"] = Leaf([*here.value, *more], there.origin if more else here.origin)
    return Branch(children, said.origin, said.covers)
