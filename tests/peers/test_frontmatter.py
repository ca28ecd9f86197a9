"""The frontmatter of skills, read as npm's `yaml` reads it in both versions of YAML, or not at all."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from mooring.core.frontmatter import Unclear, frontmatter

pytestmark = pytest.mark.peers

PEERS = Path(__file__).parent
NODE = Path(sys.executable).with_name("node")
READ = """
import { readFileSync } from "node:fs";
import { parse } from "yaml";
const read = (text, version) => {
  try { return { value: parse(text, { version, logLevel: "silent" }) }; } catch { return {}; }
};
const texts = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(texts.map((text) => ["1.1", "1.2"].map((version) => read(text, version)))));
"""
PIECES = (
    *(
        "a",
        "b: ",
        "c:",
        "key: ",
        "name",
        "- ",
        "-",
        ": ",
        ":",
        " ",
        "  ",
        "    ",
        "\n",
        "\n",
        "\n  ",
        "\n    ",
    ),
    *(
        "\n- ",
        "\n  - ",
        "|",
        ">",
        "|-",
        ">+",
        "#",
        " # note",
        '"',
        "'",
        '"x y"',
        "'it''s'",
        "[",
        "]",
        "[a, b]",
    ),
    *(
        "{}",
        "[]",
        "~",
        "null",
        "True",
        "true",
        "yes",
        "off",
        "1",
        "-2",
        "1.0",
        "0x1",
        "1e3",
        "010",
        "1_0",
        ".5",
    ),
    *(
        "12:30",
        "2026-07-28",
        "é",
        "\\n",
        "\\x41",
        "&a",
        "*a",
        "!!str",
        "@",
        "%",
        ",",
        "?",
        "? ",
        "<<: ",
        "\t",
    ),
    *("one two", "x: y", "NaN", ".inf", "=", "`", "..."),
)


def written(chance: random.Random) -> str:
    if chance.random() < 0.5:
        return "".join(chance.choices(PIECES, k=chance.randint(1, 12)))
    keys = chance.sample("abcdef", chance.randint(1, 4))
    return "\n".join(f"{key}: " + "".join(chance.choices(PIECES, k=chance.randint(0, 4))) for key in keys)


def test_what_is_read_is_what_everybody_reads() -> None:
    chance = random.Random(2640)
    read: list[tuple[str, object]] = []
    for _ in range(60_000):
        text = written(chance)
        try:
            read.append((text, frontmatter(f"---\n{text}\n---\n")))
        except Unclear:
            continue
    assert len(read) > 5_000
    program = [NODE, "--input-type=module", "--eval", READ]
    said = subprocess.run(
        program,
        cwd=PEERS,
        input=json.dumps([text for text, _ in read]),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    others = json.loads(said.stdout)
    found = [(text, ours, theirs) for (text, ours), theirs in zip(read, others, strict=True)]
    assert [each for each in found if each[2] != [{"value": each[1] or None}] * 2][:20] == []
