"""Real counterparts: programs from npm and PyPI, the project's own Node.js, and a browser."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from json import loads
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

import pytest

from mooring.core.spec import LocalSpec
from mooring.upstream.ground import Ground
from mooring.upstream.local import local
from mooring.upstream.order import Order
from mooring.upstream.session import Session
from mooring.upstream.stdio.reaper import Reaper

ROOT = Path(__file__).parents[2]
PEERS = ROOT / "tests" / "peers"
NODE = Path(sys.executable).with_name("node")
UNPACK = """
import chromium, { inflate } from "@sparticuz/chromium";
import { join } from "node:path";
await chromium.executablePath();
await inflate(join(process.argv[1], "al2023.tar.br"));
"""
# Its own fonts and no others; what it brings along looks for them where Lambda functions have them.
FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
"""
ARTICLE = b"<!doctype html><title>Harbour</title><article><h1>Harbour</h1><p>Ships come and go</article>"

Dial = Callable[..., AbstractAsyncContextManager[Session]]


class Browser(NamedTuple):
    executable: Path
    env: Mapping[str, str]


def packaged_browser() -> Browser:
    """Chromium as npm brings it, unpacked once; whoever is second to finish throws its copy away."""
    if sys.platform != "linux":
        pytest.skip("npm's Chromium is for Linux only: put `chromium` or `google-chrome` on PATH")
    package = PEERS / "node_modules" / "@sparticuz" / "chromium"
    version = loads((package / "package.json").read_text("utf-8"))["version"]
    home = ROOT / ".cache" / "browser" / version
    if not home.exists():
        home.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix="fresh.", dir=home.parent))
        program = [NODE, "--input-type=module", "--eval", UNPACK, str(package / "bin")]
        env = os.environ | {"TMPDIR": str(fresh)}
        subprocess.run(program, cwd=PEERS, env=env, capture_output=True, timeout=300, check=True)
        (fresh / "fonts" / "fonts.conf").write_text(FONTS)
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
    """The system's Chromium where there is one and `TEST_BROWSER` is not `npm`, else npm's.

    `env` goes on top of the environment.
    """
    for name in () if os.environ.get("TEST_BROWSER") == "npm" else ("chromium", "google-chrome"):
        if (found := shutil.which(name)) is not None:
            return Browser(Path(found), {})
    return packaged_browser()


class Harbour(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(ARTICLE)))
        self.end_headers()
        self.wfile.write(ARTICLE)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nothing."""


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """The address of a page, for servers that read pages."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Harbour) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()
        thread.join()


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A folder with a note and a repository in it, for servers that read files."""
    (tmp_path / "note.txt").write_text("Ahoy\n")
    repository = tmp_path / "repository"
    repository.mkdir()
    git = ["git", "-C", str(repository), "-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
    for words in (["init", "--quiet"], ["commit", "--quiet", "--allow-empty", "--message=The first commit"]):
        subprocess.run([*git, *words], check=True, timeout=30)
    return tmp_path


@pytest.fixture
def dial(work: Path) -> Dial:
    """A session with a program, from its start to its end."""

    @asynccontextmanager
    async def dialled(
        command: tuple[str, ...], protocol: str = "auto", **order: Any
    ) -> AsyncIterator[Session]:
        spec = LocalSpec(name="peer", command=command[0], args=command[1:])
        with closing(Reaper()) as reaper:
            ground = Ground(os.environ, work, reaper)
            async with local(Order(spec, protocol=protocol, **order), spec, ground) as session:
                yield session

    return dialled
