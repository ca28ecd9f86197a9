"""A small BERT, computed with numpy: texts become vectors of length one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from mooring.errors import ModelUnusable
from mooring.meaning.pieces import Pieces

__all__ = ["Encoder"]

_TOGETHER = 16
_SMALL = 1e-12
_NEVER = -1e9
_HEAD = 32


class Encoder:
    """`weights` are those of a BERT without a pooling head; arrays are numpy's."""

    def __init__(self, weights: Mapping[str, Any], pieces: Pieces) -> None:
        self._numpy: Any = import_module("numpy")
        self._weights = weights
        self._pieces = pieces
        names = (name.split(".") for name in weights if name.startswith("encoder.layer."))
        self._layers = len({parts[2] for parts in names})
        try:
            self._words = weights["embeddings.word_embeddings.weight"]
            self._kind = weights["embeddings.token_type_embeddings.weight"][0]
            self._places = weights["embeddings.position_embeddings.weight"]
        except KeyError as error:
            raise ModelUnusable(f"the model has no {error}", hint="Install the model again") from error
        self.size = int(self._words.shape[1])

    def encode(self, texts: Sequence[str]) -> Any:
        """One row for each; texts of like length are computed together."""
        cut = [self._pieces.of(text) for text in texts]
        order = sorted(range(len(cut)), key=lambda place: len(cut[place]))
        found = self._numpy.zeros((len(cut), self.size), self._numpy.float32)
        for begin in range(0, len(order), _TOGETHER):
            places = order[begin : begin + _TOGETHER]
            found[places] = self._batch([cut[place] for place in places])
        return found

    def _batch(self, batch: list[list[int]]) -> Any:
        np = self._numpy
        longest = max(map(len, batch))
        numbers = np.zeros((len(batch), longest), np.int64)
        there = np.zeros((len(batch), longest), np.float32)
        for row, pieces in enumerate(batch):
            numbers[row, : len(pieces)] = pieces
            there[row, : len(pieces)] = 1
        state = self._words[numbers] + self._places[:longest] + self._kind
        state = self._normal(state, "embeddings.LayerNorm")
        hidden = ((1 - there) * np.float32(_NEVER))[:, None, None, :]
        for layer in range(self._layers):
            state = self._layer(state, hidden, f"encoder.layer.{layer}")
        mean = (state * there[..., None]).sum(1) / there.sum(1, keepdims=True)
        return mean / np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), np.float32(_SMALL))

    def _layer(self, state: Any, hidden: Any, name: str) -> Any:
        seen = self._linear(
            self._attention(state, hidden, f"{name}.attention.self"), f"{name}.attention.output.dense"
        )
        state = self._normal(seen + state, f"{name}.attention.output.LayerNorm")
        wide = self._gelu(self._linear(state, f"{name}.intermediate.dense"))
        return self._normal(self._linear(wide, f"{name}.output.dense") + state, f"{name}.output.LayerNorm")

    def _attention(self, state: Any, hidden: Any, name: str) -> Any:
        np = self._numpy
        rows, length, size = state.shape
        query, key, value = (
            self._linear(state, f"{name}.{part}").reshape(rows, length, -1, _HEAD).transpose(0, 2, 1, 3)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 1, 3, 2) / np.float32(_HEAD**0.5) + hidden
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        scores /= scores.sum(-1, keepdims=True)
        return (scores @ value).transpose(0, 2, 1, 3).reshape(rows, length, size)

    def _linear(self, state: Any, name: str) -> Any:
        return state @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]

    def _normal(self, state: Any, name: str) -> Any:
        state = state - state.mean(-1, keepdims=True)
        spread = self._numpy.sqrt((state * state).mean(-1, keepdims=True) + self._numpy.float32(_SMALL))
        return state / spread * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]

    def _gelu(self, state: Any) -> Any:
        """By its usual approximation; the exact one would need an error function, which numpy has not."""
        np = self._numpy
        inner = np.float32(0.7978845608) * (state + np.float32(0.044715) * state * state * state)
        return np.float32(0.5) * state * (1 + np.tanh(inner))
