"""What a tool's schema wants in one place, and a typed word as that."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from math import isfinite

from mooring.core.intake import tidy
from mooring.core.nearest import nearest
from mooring.core.values import JSON, is_list, is_map, is_number
from mooring.errors import UsageError

__all__ = ["branches", "field_of", "named", "properties", "required", "typed_value"]

_YES, _NO = ("true", "yes", "on"), ("false", "no", "off")
_NAMES = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "array": "list",
    "object": "object",
    "null": "null",
}
_NOTHING: Mapping[str, JSON] = {}
_ROOT = "\0root"


def properties(schema: Mapping[str, JSON]) -> dict[str, JSON]:
    """All the keys that it names, in whichever of its branches."""
    found: dict[str, JSON] = {}
    for branch in branches(schema):
        inner = branch.get("properties")
        if is_map(inner):
            found |= {key: field for key, field in inner.items() if key not in found}
    return found


def required(schema: Mapping[str, JSON]) -> list[str]:
    names = schema.get("required")
    return [name for name in names if isinstance(name, str)] if is_list(names) else []


def field_of(schema: Mapping[str, JSON], path: Sequence[str]) -> Mapping[str, JSON]:
    """The schema of one place, empty where nothing is said about it; it brings its definitions along."""
    root = schema.get(_ROOT, schema)
    for step in path:
        field = properties(schema).get(step)
        if field is None:
            more = [branch.get("additionalProperties") for branch in branches(schema)]
            field = next((each for each in more if is_map(each)), None)
        if not is_map(field):
            return _NOTHING
        schema = {**field, _ROOT: root}
    return schema


def branches(schema: Mapping[str, JSON]) -> Iterator[Mapping[str, JSON]]:
    """It, and all that it may be instead; references are followed inside the document, each once."""
    root = schema.get(_ROOT, schema)
    seen: set[str] = set()
    waiting: list[JSON] = [schema]
    while waiting:
        each = waiting.pop(0)
        if not is_map(each):
            continue
        reference = each.get("$ref")
        if isinstance(reference, str):
            if reference not in seen:
                seen.add(reference)
                waiting.append(_target(root, reference))
            continue
        yield each if each is schema else {**each, _ROOT: root}
        for key in ("anyOf", "oneOf", "allOf"):
            inner = each.get(key)
            waiting.extend(inner if is_list(inner) else [])


def _target(root: JSON, reference: str) -> JSON:
    if not reference.startswith("#"):
        return None
    for step in reference[1:].split("/")[1:]:
        if not is_map(root):
            return None
        root = root.get(step.replace("~1", "/").replace("~0", "~"))
    return root


def _types(field: Mapping[str, JSON]) -> list[str]:
    """The types that it may have, in the order in which it names them."""
    found: dict[str, None] = {}
    for branch in branches(field):
        kind = branch.get("type")
        for each in kind if is_list(kind) else [kind]:
            if isinstance(each, str):
                found[each] = None
        if kind is None and "properties" in branch:
            found["object"] = None
    return list(found)


def _offered(field: Mapping[str, JSON]) -> list[JSON]:
    """What may be chosen; empty where one of its branches is free."""
    found: list[JSON] = []
    for branch in branches(field):
        values = [branch["const"]] if "const" in branch else branch.get("enum")
        if is_list(values):
            found.extend(values)
        elif branch.get("type") not in (None, "null"):
            return []
    return found


def named(field: Mapping[str, JSON]) -> str:
    """In words, what belongs there."""
    offered = _offered(field)
    if offered:
        shown = " | ".join(tidy(_spelled(value), 40) for value in offered[:8])
        return f"{shown} | …" if len(offered) > 8 else shown
    kinds = _types(field)
    if kinds == ["array"]:
        items = field_of({"properties": {"items": _items(field)}, _ROOT: field.get(_ROOT, field)}, ("items",))
        return f"list of {named(items)}" if items else "list"
    return " or ".join(_NAMES.get(kind, tidy(kind, 40)) for kind in kinds) or "anything"


def _items(field: Mapping[str, JSON]) -> JSON:
    return next((branch["items"] for branch in branches(field) if is_map(branch.get("items"))), _NOTHING)


def typed_value(key: str, field: Mapping[str, JSON], text: str) -> JSON:
    """The value that the text stands for, by the first type that it fits."""
    offered = _offered(field)
    if offered:
        return _chosen(key, offered, text)
    kinds = _types(field)
    for kind in kinds or ["any"]:
        fit = _as(key, kind, field, text)
        if fit:
            return fit[0]
    raise UsageError(f"`{key}` wants {named(field)}, not `{tidy(text, 60)}`", hint=_example(key, kinds))


def _example(key: str, kinds: list[str]) -> str:
    if "object" in kinds:
        return f"{key}.NAME=value, or {key}:={{…}}"
    number = "0.5" if "number" in kinds else "3"
    return f"For example {key}={'true' if 'boolean' in kinds else number}"


def _as(key: str, kind: str, field: Mapping[str, JSON], text: str) -> tuple[JSON] | None:
    """The value in a tuple of one, because `null` is a value too."""
    folded = text.strip().casefold()
    match kind:
        case "boolean":
            return (folded in _YES,) if folded in (*_YES, *_NO) else None
        case "null":
            return (None,) if folded == "null" else None
        case "integer" | "number":
            value = _parsed(text)
            whole = is_number(value) and isfinite(value) and (kind == "number" or value == int(value))
            return ((int(value) if kind == "integer" else value),) if whole else None
        case "object":
            value = _parsed(text)
            return (value,) if is_map(value) else None
        case "array":
            value = _parsed(text) if text.lstrip().startswith("[") else None
            if is_list(value):
                return (value,)
            items = _items(field)
            inner = {**items, _ROOT: field.get(_ROOT, field)} if is_map(items) else _NOTHING
            return ([typed_value(key, inner, text)],)
        case "any":
            value = _parsed(text)
            return (text if value is None and folded != "null" else value,)
        case _:
            return (text,)


def _chosen(key: str, offered: list[JSON], text: str) -> JSON:
    for value in offered:
        if _spelled(value) == text:
            return value
    close = nearest(text, [value for value in offered if isinstance(value, str)], 1)
    hint = f"Did you mean `{tidy(close[0], 60)}`?" if close else "Choose one of them"
    known = ", ".join(f"`{tidy(_spelled(value), 40)}`" for value in offered[:12])
    raise UsageError(f"`{key}` is one of {known}, not `{tidy(text, 60)}`", hint=hint)


def _spelled(value: JSON) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _parsed(text: str) -> JSON:
    """As JSON, `None` where it is none; `NaN` and the infinities are none."""
    try:
        return json.loads(text, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return None
