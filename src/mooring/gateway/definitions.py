"""Definitions as clients get them: what the server sent, under its public name, within our limits."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from mooring.core.items import Prompt, Resource, Template, Tool
from mooring.core.values import JSON, is_map
from mooring.upstream.wire import encode

__all__ = ["joined", "prompt", "resource", "template", "tool"]

Shown = Callable[[str], str]
OBJECT: Mapping[str, JSON] = {"type": "object"}


def tool(item: Tool, name: str, shown: Shown, *, is_promised: bool = True) -> bytes:
    """Clients that are strict drop a whole list for one tool whose arguments are not said to be an object.

    They also refuse a result without the structure that its tool promises; what may be cut promises none.
    """
    taken = item.input_schema
    changed: dict[str, JSON] = {
        "name": name,
        "description": item.description,
        "inputSchema": taken if taken.get("type") == "object" else {**OBJECT, **taken, **OBJECT},
    }
    raw = item.raw
    if not is_promised:
        raw = {key: value for key, value in raw.items() if key != "outputSchema"}
    elif item.output_schema is not None:
        changed["outputSchema"] = item.output_schema
    return _written(_with_page(_merged(raw, item.title, changed), shown))


def prompt(item: Prompt, name: str) -> bytes:
    return _written(_merged(item.raw, item.title, {"name": name, "description": item.description}))


def resource(item: Resource, uri: str) -> bytes:
    return _written(_merged(item.raw, item.title, {"uri": uri, "description": item.description}))


def template(item: Template, uri_template: str) -> bytes:
    changed = {"uriTemplate": uri_template, "description": item.description}
    return _written(_merged(item.raw, item.title, changed))


def joined(items: list[bytes]) -> bytes:
    return b"[%b]" % b",".join(items)


def _merged(raw: Mapping[str, JSON], title: str, changed: Mapping[str, JSON]) -> Mapping[str, JSON]:
    """In the server's own order; a text that it did not write is not added."""
    if "title" in raw:
        changed = {**changed, "title": title}
    return {**raw, **{key: value for key, value in changed.items() if key in raw or key == "inputSchema"}}


def _with_page(raw: Mapping[str, JSON], shown: Shown) -> Mapping[str, JSON]:
    """A tool that has a page of its own (MCP Apps) names it as the list of resources does."""
    meta = raw.get("_meta")
    ui = meta.get("ui") if is_map(meta) else None
    uri = ui.get("resourceUri") if is_map(ui) else None
    if not is_map(meta) or not is_map(ui) or not isinstance(uri, str) or shown(uri) == uri:
        return raw
    return {**raw, "_meta": {**meta, "ui": {**ui, "resourceUri": shown(uri)}}}


def _written(item: Mapping[str, JSON]) -> bytes:
    try:
        return encode(item)
    except (UnicodeEncodeError, ValueError):
        # Half of a surrogate pair has no bytes of its own, but JSON can say it.
        return json.dumps(item, separators=(",", ":")).encode()
