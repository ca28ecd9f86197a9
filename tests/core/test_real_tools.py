"""3,470 tools of 93 published servers, their words replaced by letters of the same number."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from mooring.core.names import Names
from mooring.core.redact import clean, findings
from mooring.core.schema import Family, for_family

FILE = Path(__file__).parents[1] / "data" / "real-tools.json.gz"

REPAIRS = {
    Family.PLAIN: {"root-type": 9},
    Family.OPENAI: {"items": 1, "keyword": 1446, "no-type": 5, "required": 3, "root-type": 9},
    Family.ANTHROPIC: {"required": 1, "root-type": 9},
    Family.GEMINI: {"enum-text": 9, "items": 238, "required": 1, "root-type": 9, "type-list": 268},
    Family.MOONSHOT: {"ref-siblings": 2, "required": 1, "root-type": 9},
}


@cache
def tools() -> dict[str, list[dict[str, Any]]]:
    return json.loads(gzip.decompress(FILE.read_bytes()))


def test_every_tool_has_a_name_of_its_own():
    names = Names(tools())
    public = [names.of(server, tool["name"]) for server, offered in tools().items() for tool in offered]
    assert len(public) == len(set(public)) == 3470
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name) for name in public)


def test_only_names_that_another_server_could_have_carry_a_hash():
    names = Names(tools())
    hashed = {
        server
        for server, offered in tools().items()
        for tool in offered
        if names.of(server, tool["name"]) != f"{server}_{tool['name']}"
    }
    assert hashed == {"todoist_py"}


@pytest.mark.parametrize("family", Family)
def test_every_schema_can_be_sent(family: Family):
    repairs: Counter[str] = Counter()
    for offered in tools().values():
        for tool in offered:
            repaired = for_family(tool["inputSchema"], family)
            assert repaired.schema["type"] == "object"
            assert for_family(repaired.schema, family).schema == repaired.schema
            repairs.update(repair.kind for repair in repaired.repairs)
    assert dict(sorted(repairs.items())) == REPAIRS[family]


def test_no_text_of_a_published_server_needs_cleaning():
    texts = [tool.get("description") or "" for offered in tools().values() for tool in offered]
    assert all(clean(text) == text and not findings(text) for text in texts)
