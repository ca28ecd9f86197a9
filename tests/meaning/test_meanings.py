"""Texts that mean the same are near each other, and are computed once."""

from __future__ import annotations

import math
from pathlib import Path
from threading import Event

import pytest
from tests.meaning.conftest import tensors, write

from mooring.errors import ExtraMissing, ModelUnusable
from mooring.meaning.kept import Kept
from mooring.meaning.meanings import open_meanings
from mooring.meaning.pieces import Pieces

TEXTS = ["dog", "invoice", "cat", "the unpaid bill", "cat"]
GO = Event()


def test_what_means_the_same_is_nearest(model: Path, tmp_path: Path):
    space = open_meanings(tmp_path, model).space(TEXTS, GO)
    assert space is not None
    assert space.nearest("kitten")[:3] == [2, 4, 0]
    assert space.nearest("Invoice")[:2] == [1, 3]
    nobody = open_meanings(tmp_path, model).space([], GO)
    assert nobody is not None
    assert nobody.nearest("cat") == []


def test_texts_are_computed_together_as_they_are_alone(model: Path, tmp_path: Path):
    meanings = open_meanings(tmp_path, model)
    together = meanings._encoder.encode(["cat", "dog cat dog cat dog", "bill"])
    alone = [meanings._encoder.encode([text])[0] for text in ("cat", "dog cat dog cat dog", "bill")]
    for one, other in zip(together, alone, strict=True):
        assert [float(part) for part in one] == pytest.approx([float(part) for part in other], abs=1e-6)
        assert math.isclose(float((one * one).sum()), 1, rel_tol=1e-5)


def test_what_was_computed_once_is_not_computed_again(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    first = open_meanings(tmp_path, model).space(TEXTS, GO)
    again = open_meanings(tmp_path, model)
    computed: list[str] = []
    encode = again._encoder.encode
    monkeypatch.setattr(again._encoder, "encode", lambda texts: computed.extend(texts) or encode(texts))
    second = again.space([*TEXTS, "kitten"], GO)
    assert computed == ["kitten"]
    assert first is not None
    assert second is not None
    assert [place for place in second.nearest("cat") if place < len(TEXTS)] == first.nearest("cat")


def test_work_that_nobody_wants_any_more_is_stopped(model: Path, tmp_path: Path):
    stop = Event()
    stop.set()
    meanings = open_meanings(tmp_path, model)
    assert meanings.space(TEXTS, stop) is None
    assert meanings.space(TEXTS, GO) is not None
    assert meanings.space(TEXTS, stop) is not None


def test_a_cache_that_cannot_be_used_costs_only_time(model: Path, tmp_path: Path):
    (tmp_path / "meanings.sqlite").write_bytes(b"this is no database at all" * 100)
    space = open_meanings(tmp_path, model).space(TEXTS, GO)
    assert space is not None
    assert space.nearest("kitten")[0] == 2
    (tmp_path / "file").write_text("")
    assert open_meanings(tmp_path / "file" / "below", model).space(["cat"], GO) is not None


def test_the_cache_holds_no_text_and_tells_models_apart(tmp_path: Path):
    file = tmp_path / "kept"
    Kept(file, "one").put({"a secret plan": b"1234"})
    assert Kept(file, "one").get(["a secret plan", "other"]) == {"a secret plan": b"1234"}
    assert Kept(file, "two").get(["a secret plan"]) == {}
    assert b"secret" not in file.read_bytes()


def test_without_the_model_the_hint_says_how_to_get_it(tmp_path: Path):
    with pytest.raises(ExtraMissing) as raised:
        open_meanings(tmp_path)
    assert "mooring[semantic]" in raised.value.hint


@pytest.mark.parametrize("broken", ["nothing", "cut", "no head", "no layer norm"])
def test_a_model_that_cannot_be_used_is_named(tmp_path: Path, broken: str):
    found = tensors()
    if broken == "no layer norm":
        del found["embeddings.LayerNorm.weight"]
    folder = write(tmp_path / "model", found)
    file = folder / "model.safetensors"
    if broken == "nothing":
        file.write_bytes(b"")
    elif broken == "cut":
        file.write_bytes(file.read_bytes()[:-100])
    elif broken == "no head":
        file.write_bytes(b"\xff" * 64)
    with pytest.raises(ModelUnusable):
        open_meanings(tmp_path, folder)


def test_words_are_cut_into_the_longest_known_pieces():
    known = ["[UNK]", "[CLS]", "[SEP]", "un", "##paid", "##pa", "cafe", "日", ",", "paid"]
    pieces = Pieces({word: number for number, word in enumerate(known)}, most=8)

    def of(text: str) -> list[str]:
        return [known[number] for number in pieces.of(text)]

    assert of("Unpaid") == ["[CLS]", "un", "##paid", "[SEP]"]
    assert of("Café, 日本") == ["[CLS]", "cafe", ",", "日", "[UNK]", "[SEP]"]
    assert of("unpaidx") == ["[CLS]", "[UNK]", "[SEP]"]
    assert of("paid " * 50) == ["[CLS]", *["paid"] * 6, "[SEP]"]
    assert of("") == ["[CLS]", "[SEP]"]
