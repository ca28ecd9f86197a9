"""A server that vanishes without a word is missed in time, by nobody but its callers, and found again."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.servers.scripted_http import LEGACY, MODERN

ROOT = Path(__file__).parents[2]
APART = ("unshare", "--map-root-user", "--net")

pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def apart() -> tuple[str, ...]:
    """How to start something in a network of its own."""
    if missing := [each for each in ("unshare", "nsenter", "ip") if shutil.which(each) is None]:
        pytest.skip(f"no network of its own: `{missing[0]}` is not installed")
    tried = subprocess.run(
        [*APART, "ip", "link", "add", "here", "type", "veth", "peer", "name", "there"],
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    if tried.returncode:
        pytest.skip(f"no network of its own: {tried.stderr.strip()}")
    return APART


@pytest.mark.parametrize("protocol", [LEGACY, MODERN])
@pytest.mark.parametrize("how", ["calling", "idle"])
def test_a_server_that_vanishes_is_missed_and_found_again(
    how: str, protocol: str, apart: tuple[str, ...]
) -> None:
    ended = subprocess.run(
        [*apart, sys.executable, "-m", "tests.process.vanishing", how, protocol],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=50,
        check=True,
        env={**os.environ, "PYTHONWARNINGS": "always"},
    )
    assert ended.stderr == ""
    found = json.loads(ended.stdout)
    assert found["before"]["code"] == ""
    if how == "calling":
        assert found["during"]["code"] == "MOOR-CALL-004"
        assert found["during"]["seconds"] < 1.5 + 1
    # Asked after a second of silence, and given up after another one.
    assert found["noticed"] < 5
    assert found["view"]["error"]["code"] == "MOOR-SERVER-007"
    assert found["view"]["hint"]
    assert found["view"]["nextTry"]
    # It is looked for again, for as long as a start may take.
    assert found["after"]["code"] == "MOOR-SERVER-004"
    assert found["after"]["seconds"] < 3 + 1
    assert found["again"]["code"] == ""
    # At the end it has vanished once more, and its session cannot be given back.
    assert found["closed"] < 5
    assert found["tasks"] == 0
    assert found["slowest"] < 1
    assert found["busy"] < 0.25
