"""A model's numbers, read from a safetensors file only where they are used."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from mooring.core.values import JSON, is_map
from mooring.errors import ModelUnusable

__all__ = ["weights"]

_MOST_HEAD = 1_000_000


def weights(file: Path) -> Mapping[str, Any]:
    """Arrays by name, all of 32 bit; the file stays mapped as long as one of them is held."""
    numpy: Any = import_module("numpy")
    try:
        whole = numpy.memmap(file, dtype=numpy.uint8, mode="r")
        size = int.from_bytes(bytes(whole[:8]), "little")
        if size > _MOST_HEAD:
            raise ValueError("its head is too long")
        head: JSON = json.loads(bytes(whole[8 : 8 + size]))
        found: dict[str, Any] = {}
        for name, about in head.items() if is_map(head) else ():
            if name == "__metadata__" or not is_map(about) or about.get("dtype") != "F32":
                continue
            shape: Any = about["shape"]
            begin, end = _ends(about["data_offsets"])
            found[name] = whole[8 + size + begin : 8 + size + end].view(numpy.float32).reshape(shape)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelUnusable(
            f"`{file.name}` cannot be read: {error}", hint="Install the model again"
        ) from error
    return found


def _ends(offsets: Any) -> tuple[int, int]:
    begin, end = offsets
    return int(begin), int(end)
