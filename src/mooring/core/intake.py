"""What a server wrote, made safe to keep: within limits, and free of what nobody can see."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from mooring.core.frozen import frozen
from mooring.core.redact import clean
from mooring.core.values import JSON, is_list, is_map
from mooring.errors import BadItem, BadSchema

__all__ = ["LIMITS", "Limits", "exact", "schema", "tidy", "unchecked"]

_ESCAPED = re.compile(r"\\(?:u00|[bfr])")


@frozen
class Limits:
    """How much of a server's offer is taken; texts in bytes, names and titles in characters."""

    name: int = 128
    title: int = 256
    uri: int = 8_192
    description: int = 4_096
    instructions: int = 8_192
    schema: int = 65_536
    nodes: int = 10_000
    depth: int = 64
    maps: int = 2_000
    tools: int = 512
    others: int = 10_000


LIMITS = Limits()


def exact(raw: Mapping[str, JSON], key: str, longest: int) -> str:
    """A name that must reach the server again as it is, so that it is refused rather than cleaned."""
    value = raw.get(key)
    if not isinstance(value, str) or not value:
        raise BadItem(f"an item has no `{key}`", hint="Tell the author of the server")
    shown = tidy(value, 60).replace("\n", " ")
    if len(value) > longest:
        raise BadItem(f"`{shown}` has a `{key}` of {len(value)} characters", hint=f"The limit is {longest}")
    if "\n" in value or "\t" in value or clean(value) != value:
        raise BadItem(
            f"`{shown}` has invisible characters in its `{key}`", hint="Tell the author of the server"
        )
    return value


def tidy(value: JSON, most: int, *, characters: bool = False) -> str:
    """A text for people and models: cleaned, and cut at the limit; empty where there is none."""
    if not isinstance(value, str):
        return ""
    text = clean(value)
    if characters:
        return text if len(text) <= most else text[: most - 1] + "…"
    if len(text) * 4 <= most:
        return text
    encoded = text.encode()
    return text if len(encoded) <= most else encoded[: most - 3].decode(errors="ignore") + "…"


def schema(value: JSON, limits: Limits = LIMITS) -> tuple[Mapping[str, JSON], str]:
    """A schema and, where it is too intricate to check arguments against it, why; else an empty text."""
    if value is None:
        return {}, ""
    if not is_map(value):
        raise BadSchema("its schema is not a map", hint="Tell the author of the server")
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except RecursionError as error:
        raise BadSchema(
            "its schema is nested beyond measure", hint="Tell the author of the server"
        ) from error
    size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
    if size > limits.schema:
        raise BadSchema(f"its schema has {size} bytes", hint=f"The limit is {limits.schema}")
    if _ESCAPED.search(text) or clean(text) != text:
        value = _cleaned(value)
    return value, unchecked(value, text, limits)


def unchecked(value: Mapping[str, JSON], text: str, limits: Limits) -> str:
    """Why nothing will be checked against this schema; a small one is not even counted."""
    brackets = text.count("{") + text.count("[")
    if brackets <= min(limits.depth, limits.maps) and len(text) <= limits.nodes:
        return ""
    nodes, maps, depth = 1, 0, 0
    level: list[JSON] = [value]
    while level:
        depth += 1
        maps += sum(map(is_map, level))
        children = [child for node in level for child in (node.values() if is_map(node) else node)]
        nodes += len(children)
        level = [child for child in children if is_map(child) or is_list(child)]
    for found, most, what in (
        (depth, limits.depth, "levels"),
        (nodes, limits.nodes, "values"),
        (maps, limits.maps, "maps"),
    ):
        if found > most:
            return f"the schema has {found} {what}, {most} are checked"
    return ""


def _cleaned(value: Mapping[str, JSON]) -> Mapping[str, JSON]:
    """A copy with every text in it cleaned, without recursion: depth is the server's choice."""
    top: list[JSON] = [value]
    waiting: list[JSON] = [top]
    while waiting:
        node = waiting.pop()
        places: list[JSON] = list(node) if is_map(node) else list(range(len(node)))
        for place in places:
            child = node[place]
            if isinstance(child, str):
                node[place] = clean(child)
            elif is_map(child) or is_list(child):
                node[place] = _copied(child)
                waiting.append(node[place])
    return top[0]


def _copied(node: JSON) -> JSON:
    return {clean(key): child for key, child in node.items()} if is_map(node) else list(node)
