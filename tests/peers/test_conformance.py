"""The protocol's own conformance suite judges the host, scenario by scenario."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.peers

PEERS = Path(__file__).parent
NODE = Path(sys.executable).with_name("node")
SUITE = PEERS / "node_modules/@modelcontextprotocol/conformance/dist/index.js"
REVISIONS = {
    "2025-11-25": (
        "initialize",
        "tools_call",
        "elicitation-sep1034-client-defaults",
        "json-schema-2020-12-preservation",
        "sse-retry",
    ),
    "2026-07-28": (
        "tools_call",
        "request-metadata",
        "sep-2322-client-request-state",
        "http-standard-headers",
        "http-custom-headers",
        "http-invalid-tool-headers",
        "json-schema-ref-no-deref",
        "json-schema-2020-12-preservation",
    ),
}


def verdict(scenario: str, revision: str) -> subprocess.CompletedProcess[str]:
    """Strict: in this mode a client that ends badly has failed, whatever it did before."""
    client = f"{sys.executable} {PEERS / 'client.py'}"
    program = [NODE, SUITE, "client", "--command", client, "--scenario", scenario, "--verbose"]
    return subprocess.run(
        [*program, "--spec-version", revision],
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
        env=os.environ | {"NO_COLOR": "1"},
    )


@pytest.mark.parametrize(
    ("revision", "scenario"),
    [(revision, scenario) for revision, scenarios in REVISIONS.items() for scenario in scenarios],
)
def test_a_scenario_of_the_suite_passes(revision: str, scenario: str) -> None:
    found = verdict(scenario, revision)
    assert found.returncode == 0, found.stdout[-4000:] + found.stderr[-4000:]
    assert re.search(r"Passed: [1-9]\d*/\d+, 0 failed", found.stderr), found.stderr[-2000:]
