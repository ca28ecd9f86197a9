"""What somebody typed after a tool's name becomes what the tool takes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mooring.cli.arguments import Typed, arguments, texts
from mooring.errors import UsageError

SCHEMA: dict[str, Any] = {
    "type": "object",
    "$defs": {
        "tag": {"type": "string", "enum": ["red", "blue"]},
        "box": {"properties": {"w": {"type": "integer"}}},
    },
    "properties": {
        "title": {"type": "string"},
        "count": {"type": "integer"},
        "ratio": {"type": ["number", "null"]},
        "deep": {"type": "boolean"},
        "tags": {"type": "array", "items": {"$ref": "#/$defs/tag"}},
        "numbers": {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]},
        "where": {
            "type": "object",
            "properties": {"lat": {"type": "number"}, "box": {"$ref": "#/$defs/box"}},
        },
        "free": {"type": "object", "additionalProperties": {"type": "integer"}},
        "level": {"enum": [1, 2, "high"]},
        "maybe": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "a.b": {"type": "string"},
        "anything": {},
    },
}


def read(
    *words: str,
    schema: dict[str, Any] = SCHEMA,
    json: tuple[str, ...] = (),
    said: str = "",
    at: Path = Path(),
):
    return arguments("notes_add", schema, Typed(words, json, at, lambda: said))


@pytest.mark.parametrize(
    ("words", "value"),
    [
        (["title=5"], {"title": "5"}),
        (["title="], {"title": ""}),
        (["title=a=b"], {"title": "a=b"}),
        (["title=@@home"], {"title": "@home"}),
        (["count=5"], {"count": 5}),
        (["count=5.0"], {"count": 5}),
        (["ratio=null"], {"ratio": None}),
        (["ratio=0.5"], {"ratio": 0.5}),
        (["deep=yes"], {"deep": True}),
        (["tags=red"], {"tags": ["red"]}),
        (["tags=red", "tags=blue"], {"tags": ["red", "blue"]}),
        (['tags=["red"]'], {"tags": ["red"]}),
        (["numbers=1", "numbers=2"], {"numbers": [1, 2]}),
        (["where.lat=1", "where.box.w=3"], {"where": {"lat": 1, "box": {"w": 3}}}),
        (['where={"lat": 1}'], {"where": {"lat": 1}}),
        (["free.x=1", "free.y=2"], {"free": {"x": 1, "y": 2}}),
        (["level=1"], {"level": 1}),
        (["level=high"], {"level": "high"}),
        (["maybe=null"], {"maybe": "null"}),
        (["maybe:=null"], {"maybe": None}),
        (["title:=[1]"], {"title": [1]}),
        (["a.b=x"], {"a.b": "x"}),
        (["anything=12"], {"anything": 12}),
        (["anything=word"], {"anything": "word"}),
    ],
)
def test_a_word_has_the_type_that_the_schema_wants(words, value):
    assert read(*words) == value


@pytest.mark.parametrize(
    ("word", "sentence", "hint"),
    [
        ("titel=x", "`notes_add` takes no `titel`", "Did you mean `title`?"),
        ("where.lot=1", "`notes_add` takes no `where.lot`", "Did you mean `where.lat`?"),
        ("count=many", "`count` wants whole number, not `many`", "For example count=3"),
        ("count=1.5", "`count` wants whole number, not `1.5`", "For example count=3"),
        ("ratio=NaN", "`ratio` wants number or null, not `NaN`", "For example ratio=0.5"),
        ("count=1e999", "`count` wants whole number, not `1e999`", "For example count=3"),
        ("tags=rde", "`tags` is one of `red`, `blue`, not `rde`", "Did you mean `red`?"),
        ("where=x", "`where` wants object, not `x`", "where.NAME=value, or where:={…}"),
        ("word", "`word` is no `key=value`", "mooring tools notes_add --full"),
        (
            "count:=x",
            "`count` is no JSON: Expecting value: line 1 column 1 (char 0)",
            "Text stands in double quotes there",
        ),
        ("title=@nowhere", "There is no file `nowhere`", "A text that begins with @ is written with two"),
    ],
)
def test_what_does_not_fit_is_wrong_usage_that_says_what_would(word, sentence, hint):
    with pytest.raises(UsageError) as caught:
        read(word)
    assert (caught.value.sentence, caught.value.hint) == (sentence, hint)


def test_a_text_cannot_be_given_twice():
    with pytest.raises(UsageError, match="given twice"):
        read("title=a", "title=b")


def test_documents_come_first_and_words_over_them(tmp_path: Path):
    (tmp_path / "a.json").write_text('{"title": "file", "count": 1}')
    (tmp_path / "long.txt").write_text("many\nlines")
    assert read("count=2", json=("@a.json",), at=tmp_path) == {"title": "file", "count": 2}
    assert read("title=@long.txt", at=tmp_path) == {"title": "many\nlines"}
    assert read("title=@-", said="from stdin") == {"title": "from stdin"}
    assert read("where.lat=2", json=("-",), said='{"where": {"box": {}}}') == {"where": {"box": {}, "lat": 2}}
    with pytest.raises(UsageError, match="no JSON object"):
        read(json=("[1]",))


def test_what_is_missing_is_shown_with_its_type():
    schema = {**SCHEMA, "required": ["title", "tags", "level"]}
    with pytest.raises(UsageError) as caught:
        read("count=1", schema=schema)
    assert caught.value.sentence == (
        "`notes_add` needs `title` (text), `tags` (list of red | blue), `level` (1 | 2 | high)"
    )
    assert caught.value.hint == "mooring call notes_add title=… tags=… level=…"


def test_a_schema_that_names_nothing_takes_everything_unless_it_is_closed():
    assert read("x=1", "y.z=a", schema={"type": "object"}) == {"x": 1, "y": {"z": "a"}}
    with pytest.raises(UsageError, match="takes no `x`"):
        read("x=1", schema={"type": "object", "additionalProperties": False})


def test_a_schema_that_refers_to_itself_comes_to_an_end():
    node = {"properties": {"next": {"$ref": "#"}, "n": {"type": "integer"}}}
    assert read("next.next.n=1", schema=node) == {"next": {"next": {"n": 1}}}
    assert read("x=1", schema={"properties": {"x": {"$ref": "#/properties/x"}}}) == {"x": 1}


def test_a_prompt_takes_texts():
    assert texts("sum", ["tone"], ["tone"], Typed(("tone=5",), (), Path(), str)) == {"tone": "5"}
    with pytest.raises(UsageError, match="needs `tone`"):
        texts("sum", ["tone"], ["tone"], Typed((), (), Path(), str))
