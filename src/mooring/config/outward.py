"""Mooring as one server in another client's file, in that client's own shape."""

from __future__ import annotations

from collections.abc import Sequence

from mooring.config import jsonc_edit, toml_edit
from mooring.config.clients import Client, Shelf
from mooring.config.foreign import document
from mooring.config.ourselves import is_ours
from mooring.core.frozen import frozen
from mooring.core.values import JSON, is_map
from mooring.errors import ServerExists

__all__ = ["Export", "entry_for"]


def entry_for(client: Client, command: Sequence[str]) -> dict[str, JSON]:
    """The program and its arguments as the client writes them."""
    program, *args = command
    match client:
        case Client.OPENCODE:
            return {"type": "local", "command": [*command], "enabled": True}
        case Client.CLAUDE_CODE | Client.CURSOR | Client.VSCODE:
            return {"type": "stdio", "command": program, "args": args}
        case Client.ZED:
            # Its older versions ask for the source, and all of them for the arguments.
            return {"source": "custom", "command": program, "args": args, "env": {}}
        case _:
            return {"command": program, "args": args}


@frozen
class Export:
    """One entry that shall be in a client's file, or shall not be where `entry` is None."""

    shelf: Shelf
    name: str
    entry: dict[str, JSON] | None

    def apply(self, text: str | None) -> str:
        """The file's text as it has to be; None and an empty text are a file that is not there."""
        before = text or ""
        there = self._there(before)
        wanted = self._wanted(there)
        if there == wanted:
            return before
        path = (*self.shelf.path, self.name)
        editor = toml_edit if self.shelf.file.suffix == ".toml" else jsonc_edit
        return editor.remove(before, path) if wanted is None else editor.set_value(before, path, wanted)

    def conflict(self, text: str | None) -> ServerExists | None:
        """Why the entry that is there now may not be touched."""
        there = self._there(text or "")
        if there is None or is_ours(there):
            return None
        hint = "Give ours another name: --name NAME" if self.entry else "Remove it there, if it should go"
        return ServerExists(f"`{self.name}` in `{self.shelf.file}` is another server", hint=hint)

    def _there(self, text: str) -> JSON:
        found: JSON = document(self.shelf.file, text).tree if text.strip("\ufeff \t\r\n") else None
        for key in (*self.shelf.path, self.name):
            found = found.get(str(key)) if is_map(found) else None
        return found

    def _wanted(self, there: JSON) -> JSON:
        """What the user added to our entry (an environment, permissions) stays."""
        if self.entry is None or not is_map(there):
            return self.entry
        launch = {key: value for key, value in self.entry.items() if key in ("command", "args")}
        return {**self.entry, **there, **launch}
