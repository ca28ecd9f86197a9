"""`anyOf`, `oneOf` and `allOf` at the root, folded into its properties."""

from __future__ import annotations

from dataclasses import dataclass, field

from mooring.core.schema.repairs import Log, listed
from mooring.core.schema.tidy import DEEPEST
from mooring.core.schema.walk import COMBINERS, Node, distinct, pointed_at
from mooring.core.values import JSON, is_list, is_map

__all__ = ["flatten"]


@dataclass(slots=True)
class _Shape:
    """What a schema says of an object; a property may have several definitions."""

    own: dict[str, JSON] = field(default_factory=dict[str, JSON])
    together: dict[str, list[JSON]] = field(default_factory=dict[str, list[JSON]])
    apart: dict[str, list[JSON]] = field(default_factory=dict[str, list[JSON]])
    required: dict[str, None] = field(default_factory=dict[str, None])
    is_open: bool = False

    def properties(self) -> dict[str, JSON]:
        """What the alternatives say of one property stays one; the schema's own word wins over it."""
        found = dict(self.own)
        for name, definitions in self.together.items():
            all_of = distinct([*([found[name]] if name in found else []), *definitions])
            found[name] = all_of[0] if len(all_of) == 1 else {"allOf": all_of}
        for name, definitions in self.apart.items():
            if name not in found:
                found[name] = _one_of(distinct(definitions))
        return found


def flatten(root: Node, log: Log) -> Node:
    """The root without combiners: any property is allowed, and required is what all alternatives require."""
    shape = _Reader(root).shape(root)
    used = [combiner for combiner in COMBINERS if combiner in root]
    log.add((), "root-combiner", f"{listed(used)} cannot stand at the root, folded into `properties`")
    node = {key: value for key, value in root.items() if key not in COMBINERS}
    node["properties"] = shape.properties()
    if shape.required:
        node["required"] = list(shape.required)
    if shape.is_open:
        node.setdefault("additionalProperties", True)
    return node


class _Reader:
    """Reads each definition once, however often and in whatever circles it is referred to."""

    def __init__(self, document: Node) -> None:
        self._document = document
        self._known: dict[str, _Shape] = {}
        self._left = DEEPEST // 4  # a chain of references is no deeper than a schema

    def shape(self, node: Node) -> _Shape:
        shape = _Shape()
        if "$ref" in node:
            _join(shape, self._referred(node["$ref"]))
        if is_map(properties := node.get("properties")):
            shape.own.update(properties)
        if is_list(required := node.get("required")):
            shape.required.update(dict.fromkeys(name for name in required if isinstance(name, str)))
        opening = node.get("additionalProperties")
        shape.is_open |= opening is True or is_map(opening)
        for branch in self._branches(node, "allOf"):
            _join(shape, branch)
        for combiner in ("anyOf", "oneOf"):
            _choose(shape, self._branches(node, combiner))
        return shape

    def _branches(self, node: Node, combiner: str) -> list[_Shape]:
        branches = node.get(combiner)
        if not is_list(branches):
            return []
        return [
            self.shape(branch) if is_map(branch) else _Shape()
            for branch in branches
            if _allows_object(branch)
        ]

    def _referred(self, reference: JSON) -> _Shape:
        target = pointed_at(self._document, reference)
        if not is_map(target) or not self._left:
            return _Shape()
        if reference not in self._known:
            self._known[reference] = _Shape()
            self._left -= 1
            self._known[reference] = self.shape(target)
            self._left += 1
        return self._known[reference]


def _allows_object(branch: JSON) -> bool:
    kind = branch.get("type", "object") if is_map(branch) else "object"
    return branch is not False and (kind == "object" or (is_list(kind) and "object" in kind))


def _join(shape: _Shape, other: _Shape) -> None:
    for name, definition in other.properties().items():
        shape.together.setdefault(name, []).append(definition)
    shape.required.update(other.required)
    shape.is_open |= other.is_open


def _choose(shape: _Shape, branches: list[_Shape]) -> None:
    for branch in branches:
        for name, definition in branch.properties().items():
            shape.apart.setdefault(name, []).append(definition)
        shape.is_open |= branch.is_open
    if branches:
        shape.required.update(
            {
                name: None
                for name in branches[0].required
                if all(name in branch.required for branch in branches)
            }
        )


def _one_of(definitions: list[JSON]) -> JSON:
    """Constants that differ only in their value (the usual discriminator) are one enumeration."""
    if len(definitions) == 1:
        return definitions[0]
    rests = [_without_constant(definition) for definition in definitions]
    if (first := rests[0]) is not None and all(rest == first for rest in rests):
        return {**first, "enum": [definition["const"] for definition in definitions]}
    return {"anyOf": definitions}


def _without_constant(definition: JSON) -> Node | None:
    if not is_map(definition) or "const" not in definition:
        return None
    return {key: value for key, value in definition.items() if key not in {"const", "title", "description"}}
