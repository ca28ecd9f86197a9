"""A model small enough to be written by a test: what its words mean, and layers that change nothing."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from pathlib import Path

import pytest

WORDS = ("cat", "kitten", "dog", "invoice", "bill", "un", "##paid")
# Words that mean the same point the same way.
POINTS = {
    "cat": (1, 0, 0),
    "kitten": (1, 0.1, 0),
    "dog": (0.6, 0.8, 0),
    "invoice": (0, 0, 1),
    "bill": (0, 0.1, 1),
}
SIZE = 32


def tensors(layers: int = 1) -> dict[str, tuple[list[int], list[float]]]:
    """Every weight of a layer is nothing, so that it passes on what it is given."""
    marks = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
    table = [[0.0] * SIZE for _ in (*marks, *WORDS)]
    for word, point in POINTS.items():
        row = len(marks) + WORDS.index(word)
        table[row][:3] = [float(part) for part in point]
    found = {
        "embeddings.word_embeddings.weight": ([len(table), SIZE], [each for row in table for each in row]),
        "embeddings.position_embeddings.weight": ([64, SIZE], [0.0] * 64 * SIZE),
        "embeddings.token_type_embeddings.weight": ([2, SIZE], [0.0] * 2 * SIZE),
        **_even("embeddings.LayerNorm"),
    }
    for layer in range(layers):
        name = f"encoder.layer.{layer}"
        for part in ("query", "key", "value"):
            found |= _nothing(f"{name}.attention.self.{part}")
        found |= _nothing(f"{name}.attention.output.dense") | _even(f"{name}.attention.output.LayerNorm")
        found |= _nothing(f"{name}.intermediate.dense") | _nothing(f"{name}.output.dense")
        found |= _even(f"{name}.output.LayerNorm")
    return found


def _even(name: str) -> dict[str, tuple[list[int], list[float]]]:
    return {f"{name}.weight": ([SIZE], [1.0] * SIZE), f"{name}.bias": ([SIZE], [0.0] * SIZE)}


def _nothing(name: str) -> dict[str, tuple[list[int], list[float]]]:
    return {f"{name}.weight": ([SIZE, SIZE], [0.0] * SIZE * SIZE), f"{name}.bias": ([SIZE], [0.0] * SIZE)}


def write(folder: Path, found: Mapping[str, tuple[list[int], list[float]]]) -> Path:
    folder.mkdir(exist_ok=True)
    head: dict[str, object] = {"__metadata__": {"format": "pt"}}
    body = b""
    for name, (shape, values) in found.items():
        data = struct.pack(f"<{len(values)}f", *values)
        head[name] = {"dtype": "F32", "shape": shape, "data_offsets": [len(body), len(body) + len(data)]}
        body += data
    written = json.dumps(head).encode()
    written += b" " * (-len(written) % 8)
    (folder / "model.safetensors").write_bytes(len(written).to_bytes(8, "little") + written + body)
    (folder / "vocab.txt").write_text("\n".join(("[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS)) + "\n")
    return folder


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return write(tmp_path / "model", tensors())
