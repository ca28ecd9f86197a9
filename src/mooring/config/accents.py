"""What single clients write differently from everybody else, in words that everybody understands."""

from __future__ import annotations

import re
from collections.abc import Callable

from mooring.config.clients import Client
from mooring.core.values import JSON, is_list, is_map, is_number

__all__ = ["plainly"]

_SHELL_NAME = re.compile(r"\$(?=[A-Za-z_])([A-Za-z0-9_]+)")
# Zed once counted milliseconds; nobody waits a thousand seconds.
_LONGEST_SECONDS = 1000


def plainly(client: Client, raw: JSON) -> JSON:
    """An entry without its client's accent."""
    speak = _ACCENTS.get(client)
    return speak(raw) if speak and is_map(raw) else raw


def _windsurf(raw: dict[str, JSON]) -> JSON:
    return _texts(raw, lambda text: text.replace("${file:", "{file:"))


def _gemini(raw: dict[str, JSON]) -> JSON:
    return _texts(raw, lambda text: _SHELL_NAME.sub(r"${\1}", text))


def _codex(raw: dict[str, JSON]) -> JSON:
    """`tools` holds approvals here."""
    return {"tools.approval_mode" if key == "tools" else key: value for key, value in raw.items()}


def _zed(raw: dict[str, JSON]) -> JSON:
    timeout = raw.get("timeout")
    if not is_number(timeout):
        return raw
    return {**raw, "timeout": round(timeout * 1000) if timeout < _LONGEST_SECONDS else timeout}


def _texts(value: JSON, change: Callable[[str], str]) -> JSON:
    if is_map(value):
        return {key: _texts(item, change) for key, item in value.items()}
    if is_list(value):
        return [_texts(item, change) for item in value]
    return change(value) if isinstance(value, str) else value


_ACCENTS: dict[Client, Callable[[dict[str, JSON]], JSON]] = {
    Client.CODEX: _codex,
    Client.GEMINI: _gemini,
    Client.WINDSURF: _windsurf,
    Client.ZED: _zed,
}
