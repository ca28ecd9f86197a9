"""What is kept of a server from one run to the next: the era it speaks, and what it listed."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from mooring.core.frozen import frozen
from mooring.core.items import Kind
from mooring.core.renewal import Known
from mooring.core.spec import LocalSpec, RemoteSpec
from mooring.core.values import JSON, is_list, is_map
from mooring.errors import MooringError
from mooring.host.lists import Lists
from mooring.system.files import private_dir, read_text, write_private
from mooring.upstream.wire import decode, encode

__all__ = ["Memory", "Remembered"]

VERSION = 1
VERDICT_FOR = 7 * 86_400.0
LARGEST = 16 * 1024 * 1024


@frozen
class Memory:
    """`protocol` is `legacy` or a version of the new era; a server that has changed may know more by now."""

    protocol: str
    server_version: str
    items: Mapping[Kind, Sequence[JSON]]
    instructions: str = ""

    def as_lists(self) -> Lists:
        return Lists(self.items, self.instructions)

    def known(self, spec: LocalSpec | RemoteSpec) -> Known:
        """As anybody may be told; a setting of the entry counts more than what was found out."""
        listing = self.as_lists().listing(spec.name, spec.tools)
        counts = len(listing.tools), len(listing.resources), len(listing.templates), len(listing.prompts)
        protocol = self.protocol if spec.protocol == "auto" else spec.protocol
        return Known(protocol, self.server_version, *counts)


class Remembered:
    """One file for each launch. It saves time, so a disk that refuses costs nothing but that."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, mark: str) -> Memory | None:
        try:
            text = read_text(self._file(mark), LARGEST)
            found = decode(text.encode()) if text else None
        except (MooringError, ValueError):
            return None
        return _read(found) if is_map(found) else None

    def keep(self, mark: str, memory: Memory) -> None:
        """Only what is new should be kept: the file is as old as the verdict in it."""
        kept = {
            "version": VERSION,
            "at": int(time.time()),
            "protocol": memory.protocol,
            "serverVersion": memory.server_version,
            "instructions": memory.instructions,
            "lists": {kind.value: list(items) for kind, items in memory.items.items()},
        }
        with suppress(MooringError, OSError):
            private_dir(self._folder)
            write_private(self._file(mark), encode(kept), durable=False)

    def forget(self, mark: str) -> None:
        with suppress(OSError):
            self._file(mark).unlink(missing_ok=True)

    def _file(self, mark: str) -> Path:
        return self._folder / f"{mark}.json"


def _read(found: Mapping[str, Any]) -> Memory | None:
    lists, at = found.get("lists"), found.get("at")
    if found.get("version") != VERSION or not is_map(lists) or not isinstance(at, int):
        return None
    items: dict[Kind, tuple[JSON, ...]] = {}
    for kind in Kind:
        listed = lists.get(kind.value)
        if is_list(listed):
            items[kind] = tuple(listed)
    # A server may learn the new era without a new version; once in a while it is asked again.
    is_fresh = 0 <= time.time() - at < VERDICT_FOR
    protocol = str(found.get("protocol", "auto")) if is_fresh else "auto"
    instructions = str(found.get("instructions", ""))
    return Memory(protocol, str(found.get("serverVersion", "")), items, instructions)
