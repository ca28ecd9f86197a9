"""What is kept of a server from one run to the next: the era it speaks, and what it listed."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

from msgspec import MsgspecError, Raw, Struct
from msgspec.json import Decoder

from mooring.core.frozen import frozen
from mooring.core.items import Kind
from mooring.core.renewal import Known
from mooring.core.spec import LocalSpec, RemoteSpec
from mooring.core.values import is_list, is_map
from mooring.errors import MooringError
from mooring.host.lists import Lists
from mooring.system.files import private_dir, read_text, write_private
from mooring.upstream.wire import decode, encode

__all__ = ["Memory", "Remembered"]

VERSION = 1
VERDICT_FOR = 7 * 86_400.0
LARGEST = 16 * 1024 * 1024


class _File(Struct):
    version: int
    at: int
    lists: Raw
    protocol: str = "auto"
    serverVersion: str = ""  # noqa: N815 - as it is written
    instructions: str = ""


_FILE = Decoder(_File)


@frozen
class Memory:
    """`protocol` is `legacy` or a version of the new era; a server that has changed may know more by now.

    `lists` stay as they are written: they are large, and a server that is connected lists them itself.
    """

    protocol: str
    server_version: str
    lists: bytes
    instructions: str = ""

    @staticmethod
    def of(protocol: str, server_version: str, lists: Lists) -> Memory:
        written = {kind.value: list(items) for kind, items in lists.items.items()}
        return Memory(protocol, server_version, encode(written), lists.instructions)

    def as_lists(self) -> Lists:
        found = decode(self.lists)
        listed = {kind: found.get(kind.value) for kind in Kind} if is_map(found) else {}
        return Lists({kind: tuple(raw) for kind, raw in listed.items() if is_list(raw)}, self.instructions)

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
            found = _FILE.decode(read_text(self._file(mark), LARGEST) or "")
        except (MooringError, MsgspecError, ValueError):
            return None
        if found.version != VERSION:
            return None
        # A server may learn the new era without a new version; once in a while it is asked again.
        is_fresh = 0 <= time.time() - found.at < VERDICT_FOR
        protocol = found.protocol if is_fresh else "auto"
        return Memory(protocol, found.serverVersion, bytes(found.lists), found.instructions)

    def keep(self, mark: str, memory: Memory) -> None:
        """Only what is new should be kept: the file is as old as the verdict in it."""
        kept = _File(
            VERSION,
            int(time.time()),
            Raw(memory.lists),
            memory.protocol,
            memory.server_version,
            memory.instructions,
        )
        with suppress(MooringError, OSError):
            private_dir(self._folder)
            write_private(self._file(mark), encode(kept), durable=False)

    def forget(self, mark: str) -> None:
        with suppress(OSError):
            self._file(mark).unlink(missing_ok=True)

    def _file(self, mark: str) -> Path:
        return self._folder / f"{mark}.json"
