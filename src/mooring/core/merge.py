"""Layers of configuration laid over each other, each leaf remembering where it was written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from mooring.core.spec import Origin
from mooring.core.values import is_map

__all__ = ["EMPTY", "Branch", "Leaf", "Node", "find", "laid", "leaves", "lift", "merge", "plain"]


@dataclass(slots=True)
class Leaf:
    """A value that replaces whatever lies below it: a scalar, or a list."""

    value: Any
    origin: Origin


@dataclass(slots=True)
class Branch:
    """A map that is laid over the map below it, key by key.

    `covers` says that a leaf lay between the two, so that nothing below shows through. Without it the
    order in which layers are put together would matter.
    """

    children: dict[str, Node]
    origin: Origin | None = None
    covers: bool = False


Node: TypeAlias = Leaf | Branch

EMPTY = Branch({})


def lift(value: Any, origin: Origin) -> Node:
    """A plain tree whose every leaf was written at `origin` and below."""
    if not is_map(value):
        return Leaf(value, origin)
    source, path = origin
    return Branch({key: lift(child, Origin(source, (*path, key))) for key, child in value.items()}, origin)


def merge(below: Node, above: Node) -> Node:
    """`above` laid over `below`."""
    if isinstance(above, Leaf) or above.covers:
        return above
    if isinstance(below, Leaf):
        return Branch(above.children, above.origin, covers=True)
    return laid(below, above)


def laid(below: Branch, above: Branch) -> Branch:
    """One map laid over another; a key keeps the position that the lower layer gave it."""
    if above.covers:
        return above
    children = dict(below.children)
    for key, child in above.children.items():
        under = children.get(key)
        children[key] = child if under is None else merge(under, child)
    return Branch(children, above.origin or below.origin, below.covers)


def plain(node: Node) -> Any:
    """The tree without its origins."""
    if isinstance(node, Leaf):
        return node.value
    return {key: plain(child) for key, child in node.children.items()}


def leaves(node: Node, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Leaf]]:
    """Every leaf with its path; an empty map has none."""
    if isinstance(node, Leaf):
        yield path, node
        return
    for key, child in node.children.items():
        yield from leaves(child, (*path, key))


def find(node: Node, path: tuple[str, ...]) -> Node | None:
    """What stands at a path."""
    for key in path:
        if isinstance(node, Leaf) or key not in node.children:
            return None
        node = node.children[key]
    return node
