"""The files of the page: small, complete, kept by the browser, and without a way for text to become code."""

from __future__ import annotations

import gzip
import re

import pytest
from tests.web.client import HOST
from tests.web.conftest import Serves
from tests.web.test_entrance import enter

from mooring.web.files import FOLDER, Files

FILES = sorted(FOLDER.iterdir())
SCRIPTS = [file for file in FILES if file.suffix == ".js"]
LARGEST = 60_000
# Ways from text to code or markup, each of which a text of a server could take.
BECOMES_CODE = (
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|setHTML|srcdoc"
    r"|\beval\b|new Function|javascript:|setTimeout\(['\"`]|\bon\w+="
)


FROM_ELSEWHERE = (
    r'(?:src|href)="(?!\{base\}|/plain\.css|#|data:,)|url\(|@import'
    r'|(?:fetch|EventSource|import)\("(?!\./|/\w)|^(?:import|export).* from "(?!\./)'
)


def test_the_first_view_is_small_and_so_is_all_of_it_on_its_way() -> None:
    first = {"index.html", "style.css", "icon.svg", *Files().first}
    assert sum(file.stat().st_size for file in FILES if file.name in first) <= LARGEST
    assert sum(len(gzip.compress(file.read_bytes())) for file in FILES) <= LARGEST


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_no_text_can_become_code(file) -> None:
    text = file.read_text("utf-8")
    assert re.findall(BECOMES_CODE, text) == []
    if file.suffix == ".html":
        assert re.findall(r"<style|style=|<script(?![^>]* src=)", text) == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_nothing_comes_from_elsewhere(file) -> None:
    text = file.read_text("utf-8")
    assert re.findall(FROM_ELSEWHERE, text, re.MULTILINE) == []


@pytest.mark.parametrize("file", SCRIPTS, ids=lambda file: file.name)
def test_a_script_says_its_job_and_fits_in_mind(file) -> None:
    lines = file.read_text("utf-8").splitlines()
    assert re.fullmatch(r"// [A-Z].*\.", lines[0])
    assert len(lines) <= 200


def test_every_script_is_there_and_every_one_is_used() -> None:
    named = re.compile(r'(?:from |import |import\()"\./([\w.]+)"')
    imported = {name for file in SCRIPTS for name in named.findall(file.read_text("utf-8"))}
    assert imported | {"main.js"} == {file.name for file in SCRIPTS}


async def test_the_page_names_what_is_needed_first_and_all_of_it_is_served(serves: Serves) -> None:
    async with serves({}) as world:
        cookie = await enter(world)
        page = (await world.client.ask("GET", "/", [HOST, cookie])).body.decode()
        assert "{" not in page
        addresses = re.findall(r'(?:href|src)="(/page/[^"]+)"', page)
        named = {address.rpartition("/")[2] for address in addresses}
        assert named == {"icon.svg", "style.css", *Files().first}
        assert {"main.js", "dom.js", "servers.js"} <= named
        base = addresses[0].rpartition("/")[0]
        for address in (f"{base}/{file.name}" for file in FILES if file.suffix in (".js", ".css", ".svg")):
            answer = await world.client.ask("GET", address, [HOST, cookie])
            assert (answer.status, answer.header(b"cache-control")) == (
                200,
                [b"private, max-age=31536000, immutable"],
            )
            assert answer.body == (FOLDER / address.rpartition("/")[2]).read_bytes()
            small = await world.client.ask("GET", address, [HOST, cookie, (b"accept-encoding", b"gzip, br")])
            assert small.header(b"content-encoding") == [b"gzip"]
            assert gzip.decompress(small.body) == answer.body


async def test_scripts_come_as_scripts_under_a_policy_without_inline_ones(serves: Serves) -> None:
    async with serves({}) as world:
        cookie = await enter(world)
        page = await world.client.ask("GET", "/", [HOST, cookie])
        (policy,) = page.header(b"content-security-policy")
        assert b"script-src 'self';" in policy
        assert b"unsafe" not in policy
        address = re.findall(r'src="(/page/[^"]+main\.js)"', page.body.decode())[0]
        answer = await world.client.ask("GET", address, [HOST, cookie])
        assert answer.header(b"content-type") == [b"text/javascript; charset=utf-8"]
        assert answer.header(b"x-content-type-options") == [b"nosniff"]


@pytest.mark.parametrize("name", ["index.html", "plain.html", "nothing.js", "..%2Ffiles.py", "%2e%2e"])
async def test_no_other_file_is_served(serves: Serves, name: str) -> None:
    async with serves({}) as world:
        cookie = await enter(world)
        page = (await world.client.ask("GET", "/", [HOST, cookie])).body.decode()
        base = re.findall(r'src="(/page/[^/]+)/', page)[0]
        assert (await world.client.ask("GET", f"{base}/{name}", [HOST, cookie])).status in (400, 404)
        other = await world.client.ask("GET", "/page/000000000000/main.js", [HOST, cookie])
        assert other.status == 404
