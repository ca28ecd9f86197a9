"""The page on which a login ends, in a real browser: with scripts and without."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import BrowserContext, async_playwright
from tests.peers.oauth import world
from tests.peers.test_toolchain import QUIET

from mooring import open_host
from mooring.auth.callback import PATH, Callback
from mooring.auth.loopback import Guest, Loopback
from mooring.auth.page import Outcome
from mooring.core.questions import Accepted, Answer, Question, Visit
from mooring.core.status import Connected

pytestmark = pytest.mark.peers

# By script: not every browser without a screen takes keys and clicks.
FILL_IN = """() => {
  for (const field of document.querySelectorAll("input[required]")) field.value = "ada";
  document.forms[0].requestSubmit();
}"""
WELL = Outcome("Logged in", "Mooring may use `notes` from now on.", is_well=True)
ILL = Outcome("Not logged in", "The server says: <b>no</b>")


@asynccontextmanager
async def browsing(
    browser: tuple[Path, Mapping[str, str]], profile: Path, *, scripts: bool
) -> AsyncGenerator[BrowserContext]:
    executable, env = browser
    async with async_playwright() as playwright:
        context = await playwright.chromium.launch_persistent_context(
            profile,
            executable_path=executable,
            args=QUIET,
            env={**os.environ, **env},
            java_script_enabled=scripts,
            timeout=60_000,
        )
        yield context
        await context.close()


@asynccontextmanager
async def awaited() -> AsyncGenerator[tuple[Callback, Guest]]:
    loopback = Loopback()
    wanted = Callback(f"http://127.0.0.1:19876{PATH}", 19876, is_fixed=False)
    async with loopback.at(wanted) as there, loopback.expecting(there, "s") as guest:
        yield there, guest


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "none"])
@pytest.mark.parametrize("outcome", [WELL, ILL], ids=["well", "ill"])
async def test_the_page_says_what_happened(
    outcome: Outcome, scripts: bool, browser: tuple[Path, Mapping[str, str]], tmp_path: Path
) -> None:
    async with awaited() as (there, guest), browsing(browser, tmp_path / "p", scripts=scripts) as context:
        page = await context.new_page()
        complaints: list[str] = []
        page.on("console", lambda message: complaints.append(message.text))
        going = asyncio.ensure_future(page.goto(f"{there.uri}?code=c&state=s"))
        assert await guest.arrived == "code=c&state=s"
        guest.tell(outcome)
        await going
        assert await page.text_content("h1") == outcome.title
        assert outcome.text in (await page.text_content("main") or "")
        assert await page.title() == f"{outcome.title} · Mooring"
        # The code leaves the address bar where a script can see to that; nothing is asked for from elsewhere.
        assert ("code=c" in page.url) is not scripts
        assert [each for each in complaints if "favicon" not in each] == []


async def test_a_window_of_its_own_closes_itself(
    browser: tuple[Path, Mapping[str, str]], tmp_path: Path
) -> None:
    async with awaited() as (there, guest), browsing(browser, tmp_path / "p", scripts=True) as context:
        page = await context.new_page()
        async with page.expect_popup() as opened:
            await page.evaluate("address => { window.open(address) }", f"{there.uri}?code=c&state=s")
            await guest.arrived
            guest.tell(WELL)
        window = await opened.value
        if not window.is_closed():
            await window.wait_for_event("close", timeout=30_000)
        assert window.is_closed()


async def test_a_person_logs_in_with_a_real_browser_from_the_first_page_to_the_last(
    browser: tuple[Path, Mapping[str, str]], tmp_path: Path
) -> None:
    """The pages in between are those of the authorization server."""
    async with world() as here, browsing(browser, tmp_path / "p", scripts=True) as context:
        # The pages want a font from elsewhere.
        await context.route(lambda url: "//127.0.0.1:" not in url, lambda route: route.abort())
        page = await context.new_page()
        ends: list[str | None] = []

        async def fill_in(address: str) -> None:
            await page.goto(address)
            await page.evaluate(FILL_IN)
            await page.wait_for_selector("input[name=prompt][value=consent]", state="attached")
            await page.evaluate(FILL_IN)
            ends.append(await page.text_content("main.well h1"))

        async def ask(question: Question) -> Answer:
            assert isinstance(question, Visit)
            filling.append(asyncio.create_task(fill_in(question.url)))
            return Accepted()

        filling: list[asyncio.Task[None]] = []
        servers = {"mcp": {"notes": {"url": here.url}}}
        async with open_host(servers, cwd=tmp_path) as host:
            view = await host.login("notes", ask)
            await asyncio.gather(*filling)
            assert isinstance(view.status, Connected)
        assert ends == ["Logged in"]
        assert await here.asked() == ["/reg 201", "/token 200"]
