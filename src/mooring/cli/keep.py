"""What a server sent as bytes, kept in files of the user's folder."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from mooring.errors import OutputRefused

__all__ = ["Keep"]

_ENDINGS = {
    "application/gzip": "gz",
    "application/json": "json",
    "application/pdf": "pdf",
    "application/zip": "zip",
    "audio/flac": "flac",
    "audio/mpeg": "mp3",
    "audio/mp4": "m4a",
    "audio/ogg": "ogg",
    "audio/wav": "wav",
    "audio/webm": "weba",
    "audio/x-wav": "wav",
    "image/avif": "avif",
    "image/bmp": "bmp",
    "image/gif": "gif",
    "image/jpeg": "jpg",
    "image/jpg": "jpg",
    "image/png": "png",
    "image/svg+xml": "svg",
    "image/tiff": "tiff",
    "image/webp": "webp",
    "text/csv": "csv",
    "text/html": "html",
    "text/markdown": "md",
    "text/plain": "txt",
    "video/mp4": "mp4",
    "video/webm": "webm",
}
_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")
_MOST = 10_000


@dataclass(frozen=True, slots=True)
class Keep:
    """A folder; names are made by us and never replace a file that is there."""

    folder: Path
    stem: str

    def put(self, data: bytes, mime: str) -> Path:
        """Where it was written."""
        ending = _ENDINGS.get(mime.partition(";")[0].strip().lower(), "bin")
        stem = _UNSAFE.sub("-", self.stem).strip("-")[:64] or "result"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            for number in range(1, _MOST):
                path = self.folder / f"{stem}-{number}.{ending}"
                try:
                    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
                except FileExistsError:
                    continue
                with os.fdopen(descriptor, "wb") as file:
                    file.write(data)
                return path
        except OSError as error:
            raise OutputRefused(
                f"`{self.folder}` cannot be written: {error.strerror}", hint="--save another folder"
            ) from error
        raise OutputRefused(f"`{self.folder}` is full of such files", hint="--save another folder")
