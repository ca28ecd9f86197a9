"""Real counterparts: Node.js from the project's own environment, and a browser."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from json import loads
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
PEERS = ROOT / "tests" / "peers"
NODE = Path(sys.executable).with_name("node")
UNPACK = """
import chromium, { inflate } from "@sparticuz/chromium";
import { join } from "node:path";
await chromium.executablePath();
await inflate(join(process.argv[1], "al2023.tar.br"));
"""


class Browser(NamedTuple):
    executable: Path
    env: Mapping[str, str]


def packaged_browser() -> Browser:
    """Chromium as npm brings it, unpacked once; whoever is second to finish throws its copy away."""
    if sys.platform != "linux":
        pytest.skip("npm's Chromium is for Linux only: put `chromium` or `google-chrome` on PATH")
    package = PEERS / "node_modules" / "@sparticuz" / "chromium"
    version = loads((package / "package.json").read_text("utf-8"))["version"]
    home = ROOT / ".cache" / "chromium" / version
    if not home.exists():
        home.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix="fresh.", dir=home.parent))
        program = [NODE, "--input-type=module", "--eval", UNPACK, str(package / "bin")]
        env = os.environ | {"TMPDIR": str(fresh)}
        subprocess.run(program, cwd=PEERS, env=env, capture_output=True, timeout=300, check=True)
        try:
            fresh.rename(home)
        except OSError:
            shutil.rmtree(fresh)
    return Browser(
        home / "chromium",
        {"FONTCONFIG_PATH": str(home / "fonts"), "LD_LIBRARY_PATH": str(home / "al2023" / "lib")},
    )


@pytest.fixture(scope="session")
def npm_browser() -> Browser:
    return packaged_browser()


@pytest.fixture(scope="session")
def browser() -> Browser:
    """The system's Chromium where there is one, else npm's; `env` goes on top of the environment."""
    for name in ("chromium", "google-chrome"):
        if (found := shutil.which(name)) is not None:
            return Browser(Path(found), {})
    return packaged_browser()
