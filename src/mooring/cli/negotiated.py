"""What a server and we agreed on, as a person reads it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from mooring.cli.render import mark
from mooring.cli.widths import columns, cut, padded
from mooring.core.redact import visible
from mooring.core.values import JSON, is_map

__all__ = ["agreed"]

_NAME = 14


def agreed(view: Mapping[str, Any]) -> Iterator[str]:
    """`view` is what `--json` prints."""
    facts: list[tuple[str, str]] = [("transport", view["transport"])]
    if view["protocol"]:
        era = "new era" if view["era"] == "modern" else "old era"
        facts += [
            ("protocol", f"{view['protocol']}, the {era}"),
            ("server", " ".join(filter(None, (view["serverName"], view["serverVersion"])))),
            ("capabilities", ", ".join(_capabilities(view["capabilities"])) or "none"),
            ("instructions", " ".join(view["instructions"].split()) if view["instructions"] else "none"),
        ]
    else:
        facts.append(("protocol", "none was agreed on"))
    remembered = view["remembered"]
    facts.append(("remembered", _remembered(remembered) if remembered else "nothing from earlier runs"))
    if view["auth"] is not None and any(note["kind"] == "request" for note in view["wire"]):
        facts += [("session", "has an id" if view["session"] else "has no id"), *_auth(view["auth"])]
    yield mark("negotiated", "cyan")
    room = columns()
    for name, text in facts:
        line = f"  {padded(name, _NAME)}{visible(text)}"
        yield line if room is None else cut(line, room)


def _capabilities(capabilities: Mapping[str, JSON]) -> Iterator[str]:
    for name, value in capabilities.items():
        parts = sorted(_on(value)) if is_map(value) else []
        yield f"{name} ({', '.join(parts)})" if parts else name


def _on(value: Mapping[str, JSON]) -> Iterable[str]:
    return (part for part, setting in value.items() if setting is not False)


def _remembered(memory: Mapping[str, Any]) -> str:
    counts = memory["counts"]
    era = "the old era" if memory["protocol"] == "legacy" else memory["protocol"]
    listed = [f"{count} {kind if count != 1 else kind.removesuffix('s')}" for kind, count in counts.items()]
    version = f", version {memory['serverVersion']}" if memory["serverVersion"] else ""
    return f"{era}{version}, {', '.join(listed)}"


def _auth(auth: Mapping[str, Any]) -> Sequence[tuple[str, str]]:
    sent = auth["authorization"] or "no Authorization header"
    facts = [("sent", ", ".join([sent, *auth["headers"]]))]
    if auth["challenge"]:
        facts.append(("asked for", auth["challenge"]))
    return facts
