"""The protocol's own conformance suite judges the gateway, with a server of the suite's kind behind it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytestmark = pytest.mark.peers

PEERS = Path(__file__).parent
ROOT = PEERS.parents[1]
NODE = Path(sys.executable).with_name("node")
SUITE = PEERS / "node_modules/@modelcontextprotocol/conformance/dist/index.js"
WITHIN = 100
# A server may close a stream and have it asked for again; the gateway never does, and nothing is judged.
NEVER_DONE = {"server-sse-polling"}


@contextmanager
def gateway(protocol: str) -> Iterator[str]:
    """`protocol` is what is spoken with the server behind it."""
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    words = [sys.executable, PEERS / "gate.py", protocol]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=env) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip()
        finally:
            process.terminate()
            process.wait(timeout=30)


@pytest.mark.parametrize(
    ("revision", "protocol", "scenarios"), [("2025-11-25", "legacy", 33), ("2026-07-28", "auto", 40)]
)
def test_every_scenario_of_a_revision_passes_through_the_gateway(
    revision: str, protocol: str, scenarios: int
) -> None:
    with gateway(protocol) as url:
        words = [NODE, SUITE, "server", "--url", url, "--requirements", revision]
        env = os.environ | {"NO_COLOR": "1"}
        found = subprocess.run(
            words, capture_output=True, text=True, timeout=WITHIN, check=False, env=env, encoding="utf-8"
        )
    said = found.stdout + found.stderr
    assert found.returncode == 0, said[-6000:]
    summary = said.partition("=== SUMMARY ===")[2]
    # tasks are an extension, which the gateway does not have
    judged = re.findall(r"^(\S) (?!tasks-)(\S+): (\d+) passed, (\d+) failed", summary, re.MULTILINE)
    assert len(judged) == scenarios, summary
    assert {name for verdict, name, _, failed in judged if verdict != "✓" or failed != "0"} == set(), summary
    assert {name for _, name, passed, _ in judged if passed == "0"} <= NEVER_DONE, summary
