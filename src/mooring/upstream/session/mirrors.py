"""Arguments that travel in headers too, where a tool's schema asks for it (`x-mcp-header`)."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field

from msgspec import Raw

from mooring.core.frozen import frozen
from mooring.core.values import JSON, is_list, is_map
from mooring.upstream.wire import decode

__all__ = ["Mirrors", "mirrored"]

_MARK = "x-mcp-header"
_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_PLAIN = re.compile(r"[\x20-\x7e]*")
_ENCODED = re.compile(r"=\?base64\?.*\?=")
_TYPES = ("string", "integer", "boolean")
_ONE = frozenset(
    (
        *("items", "contains", "unevaluatedItems", "additionalProperties", "propertyNames"),
        *("unevaluatedProperties", "not", "if", "then", "else", "contentSchema"),
    )
)
_SEVERAL = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_NAMED = frozenset({"patternProperties", "dependentSchemas", "$defs", "definitions"})

Path = tuple[str, ...]


def mirrored(value: str) -> str:
    """A text as a header may carry it; what would not arrive as it is goes in Base64."""
    if _PLAIN.fullmatch(value) and value == value.strip() and not _ENCODED.fullmatch(value):
        return value
    return f"=?base64?{b64encode(value.encode('utf-8', 'surrogatepass')).decode()}?="


@frozen
class Mirrors:
    """By tool; `refused` are the tools, by identity, whose annotations the protocol does not allow."""

    of_tool: Mapping[str, Mapping[Path, str]] = field(default_factory=dict[str, Mapping[Path, str]])
    refused: frozenset[int] = frozenset()

    @staticmethod
    def of(tools: Iterable[JSON]) -> Mirrors:
        found: dict[str, Mapping[Path, str]] = {}
        refused: set[int] = set()
        for tool in tools:
            if not is_map(tool):
                continue
            paths = _annotated(tool.get("inputSchema"))
            name = tool.get("name")
            if paths is None:
                refused.add(id(tool))
            elif paths and isinstance(name, str):
                found[name] = paths
        return Mirrors(found, frozenset(refused))

    def headers(self, tool: str, arguments: JSON) -> Iterator[tuple[str, str]]:
        mirrors = self.of_tool.get(tool)
        if not mirrors:
            return
        values = decode(arguments) if isinstance(arguments, Raw) else arguments
        for path, token in mirrors.items():
            text = _text(_at(values, path))
            if text is not None:
                yield f"mcp-param-{token}", mirrored(text)


def _annotated(schema: JSON) -> Mapping[Path, str] | None:
    """The header of each annotated property; None where one stands where it must not, or is no header."""
    found: dict[Path, str] = {}
    for path, node in _positions(schema):
        if _MARK not in node:
            continue
        token, kind = node[_MARK], node.get("type")
        is_good = isinstance(token, str) and _TOKEN.fullmatch(token) and kind in _TYPES
        if not path or not is_good or token.lower() in map(str.lower, found.values()):
            return None
        found[path] = token
    return found


def _positions(root: JSON) -> Iterator[tuple[Path | None, Mapping[str, JSON]]]:
    """Every schema inside, with its path where properties alone lead to it."""
    waiting: list[tuple[Path | None, JSON]] = [((), root)]
    while waiting:
        path, node = waiting.pop()
        if not is_map(node):
            continue
        yield path, node
        for key, value in node.items():
            if key == "properties" and is_map(value):
                waiting += ((None if path is None else (*path, name), sub) for name, sub in value.items())
            elif key in _ONE:
                waiting.append((None, value))
            elif key in _SEVERAL and is_list(value):
                waiting += ((None, sub) for sub in value)
            elif key in _NAMED and is_map(value):
                waiting += ((None, sub) for sub in value.values())


def _at(arguments: JSON, path: Path) -> JSON:
    for key in path:
        if not is_map(arguments):
            return None
        arguments = arguments.get(key)
    return arguments


def _text(value: JSON) -> str | None:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return value
        case float() if value.is_integer():
            # A schema's integer may be written 5.0; most readers of JSON make no difference.
            return str(int(value))
        case int() | float():
            return str(value)
        case _:
            return None
