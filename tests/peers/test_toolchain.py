"""The counterparts themselves work here: Node.js, npm's packages and a browser."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[2]
PEERS = ROOT / "tests" / "peers"
NODE = Path(sys.executable).with_name("node")
PAGE = b"<!doctype html><h1></h1><script>document.querySelector('h1').textContent = 6 * 7</script>"
QUIET = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


class OnePage(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(PAGE)))
        self.end_headers()
        self.wfile.write(PAGE)


@pytest.fixture
def site() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), OnePage) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()
        thread.join()


def heading_of(site: str, executable: Path, env: Mapping[str, str], profile: Path) -> str | None:
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            profile, executable_path=executable, args=QUIET, env={**os.environ, **env}, timeout=60_000
        )
        page = context.new_page()
        page.goto(site, timeout=30_000)
        heading = page.text_content("h1", timeout=30_000)
        context.close()
    return heading


def test_a_browser_renders_a_local_page(
    browser: tuple[Path, Mapping[str, str]], site: str, tmp_path: Path
) -> None:
    assert heading_of(site, *browser, tmp_path / "profile") == "42"


def test_the_browser_from_npm_renders_a_page_where_the_system_has_none(
    npm_browser: tuple[Path, Mapping[str, str]], site: str, tmp_path: Path
) -> None:
    executable, _ = npm_browser
    assert executable.is_relative_to(ROOT / ".cache")
    assert heading_of(site, *npm_browser, tmp_path / "profile") == "42"


def ask_node(script: str) -> str:
    program = [NODE, "--eval", script]
    return subprocess.run(program, cwd=PEERS, capture_output=True, text=True, timeout=60, check=True).stdout


def test_node_is_version_24_and_comes_from_the_projects_environment() -> None:
    assert ask_node("console.log(process.versions.node)").startswith("24.")
    assert Path(ask_node("console.log(process.execPath)").strip()).is_relative_to(sys.prefix)


def test_node_finds_the_npm_packages_of_the_lock() -> None:
    assert ask_node("console.log(require('jsonc-parser').parse('{\"a\": 1, /* b */}').a)") == "1\n"
