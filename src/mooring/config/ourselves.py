"""Mooring's own gateway among the servers of a file."""

from __future__ import annotations

from mooring.core.values import JSON, is_list, is_map

__all__ = ["is_ours"]


def is_ours(entry: JSON) -> bool:
    """Whether an entry of any client starts Mooring's gateway."""
    words = _words(entry)
    program = words[0].replace("\\", "/").rpartition("/")[2] if words else ""
    if program.removesuffix(".exe") == "mooring":
        return words[1:2] == ["gateway"]
    return words[1:4] == ["-m", "mooring", "gateway"]


def _words(entry: JSON) -> list[str]:
    if not is_map(entry):
        return []
    command, args = entry.get("command"), entry.get("args")
    if is_map(command):
        command, args = command.get("path"), command.get("args")
    words = [*(command if is_list(command) else [command]), *(args if is_list(args) else [])]
    return [word for word in words if isinstance(word, str)]
