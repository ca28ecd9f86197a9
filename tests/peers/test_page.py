"""The web page in a real browser, from a real `mooring serve`: what people do with it from end to end."""

from __future__ import annotations

import ast
import json
import shlex
import signal
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import BrowserContext, Page, expect
from tests.peers.conftest import PEERS, ROOT
from tests.peers.oauth import world
from tests.peers.test_login_page import FILL_IN, browsing
from tests.process.test_serve import Served, serving

pytestmark = pytest.mark.peers

NOTES = [sys.executable, str(ROOT / "tests" / "servers" / "notes.py")]
GALLERY = [sys.executable, str(ROOT / "tests" / "servers" / "gallery.py")]
GREET = [sys.executable, "-m", "mooring.servers.greet"]
# It comes up when there is a file that says so.
MOODY = """
import os, runpy, sys
os.path.exists("well") or sys.exit("no well in sight")
runpy.run_path(sys.argv[1])
"""
SHOTS = ROOT / ".cache" / "screenshots"
FORM = {
    "type": "object",
    "properties": {
        "why": {"type": "string", "title": "The reason"},
        "size": {"type": "string", "enum": ["small", "large"]},
    },
    "required": ["why"],
}
IN_TIME = 30_000

Browser = tuple[Path, Mapping[str, str]]
expect.set_options(timeout=IN_TIME)


class Desk:
    """A project, the `serve` of it, and a browser that has followed its link."""

    def __init__(self, served: Served, own: Path, context: BrowserContext, page: Page) -> None:
        self.served = served
        self.own = own
        self.context = context
        self.page = page
        self.complaints: list[str] = []
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def write(self, **servers: Any) -> None:
        write(self.own, servers)

    async def go(self, place: str) -> None:
        await self.page.goto(f"{self.served.told['url']}/#/{place}")

    def row(self, name: str) -> Any:
        return self.page.locator("#list li").filter(has=self.page.get_by_text(name, exact=True))

    async def shoot(self, name: str) -> None:
        SHOTS.mkdir(parents=True, exist_ok=True)
        await self.page.screenshot(path=SHOTS / f"{name}.png")


def write(own: Path, servers: Mapping[str, Any]) -> None:
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_text(json.dumps({"mcp": servers}))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "project" / ".git").mkdir(parents=True)
    return tmp_path / "project"


@asynccontextmanager
async def desk(
    browser: Browser, project: Path, home: Path, *words: str, **servers: Any
) -> AsyncGenerator[Desk]:
    own = home / ".config" / "mooring" / "mooring.json"
    write(own, servers)
    async with (
        serving(project, *words) as served,
        browsing(browser, home / "profile", scripts=True) as context,
    ):
        context.set_default_timeout(IN_TIME)
        page = await context.new_page()
        here = Desk(served, own, context, page)
        await page.goto(served.told["link"])
        await expect(page.locator("#state")).not_to_contain_text("Looking")
        yield here
        assert here.complaints == []


async def test_a_link_opens_the_page_once_and_another_browser_is_told_what_to_do(
    browser: Browser, project: Path, empty_home: Path
) -> None:
    async with desk(browser, project, empty_home, greet={"command": GREET}) as here:
        await expect(here.page).to_have_url(f"{here.served.told['url']}/")
        await expect(here.page.locator("#state")).to_have_text("1 connected")
        await here.context.clear_cookies()
        await here.page.goto(here.served.told["link"])
        await expect(here.page.locator("main")).to_contain_text("mooring serve --status")
        await here.page.goto(here.served.told["url"])
        await expect(here.page.locator("h1")).to_have_text("This browser has no key yet")
        await here.shoot("no-key")


async def test_a_failed_server_says_why_and_is_connected_when_it_is_mended(
    browser: Browser, project: Path, empty_home: Path
) -> None:
    moody = {"command": [sys.executable, "-c", MOODY, NOTES[1]]}
    async with desk(browser, project, empty_home, moody=moody, greet={"command": GREET}) as here:
        row = here.row("moody")
        await expect(row).to_contain_text("failed")
        # What needs somebody comes first.
        await expect(here.page.locator("#list li").first).to_contain_text("moody")
        await row.locator("a").click()
        detail = here.page.locator("#detail")
        await expect(detail).to_contain_text("MOOR-SERVER-003")
        await expect(detail.get_by_label("What moody said")).to_contain_text("no well in sight")
        await here.shoot("failed")
        (project / "well").touch()
        await detail.get_by_role("button", name="Retry").click()
        await expect(detail.locator("p.state")).to_contain_text("connected")
        await expect(here.page.locator("#live")).to_contain_text("moody is connected")
        await expect(detail.get_by_role("link", name="count")).to_be_visible()
        await here.shoot("mended")


async def test_a_file_that_is_edited_shows_without_a_reload(
    browser: Browser, project: Path, empty_home: Path
) -> None:
    async with desk(browser, project, empty_home) as here:
        await expect(here.page.locator("#state")).to_have_text("No servers yet")
        here.write(greet={"command": GREET})
        await expect(here.row("greet")).to_contain_text("1 tool")
        here.write(greet={"command": GREET, "enabled": False})
        await expect(here.row("greet")).to_contain_text("off")
        here.write()
        await expect(here.page.locator("#list li")).to_have_count(0)


async def test_a_tool_is_found_called_by_a_form_and_found_again_in_the_log(
    browser: Browser, project: Path, empty_home: Path
) -> None:
    async with desk(browser, project, empty_home, notes={"command": NOTES}) as here:
        page = here.page
        await expect(here.row("notes")).to_contain_text("6 tools")
        await page.keyboard.press("/")
        await page.keyboard.type("keep a note")
        await expect(page.locator("#list li").first).to_contain_text("notes_add")
        await page.keyboard.press("Enter")
        await page.get_by_label("title").fill("Milk")
        await page.get_by_role("button", name="Add to tags").click()
        await page.keyboard.type("food")
        await page.get_by_label("stars").fill("3")
        await page.keyboard.press("Alt+j")
        written = page.get_by_label("Arguments as JSON")
        assert json.loads(await written.input_value()) == {"title": "Milk", "tags": ["food"], "stars": 3}
        await page.keyboard.press("Alt+j")
        await page.get_by_label("stars").press("Control+Enter")
        result = page.get_by_role("region", name="Result")
        await expect(result).to_contain_text("title: Milk")
        await expect(result).to_contain_text("stars: 3")
        await here.shoot("called")
        await page.get_by_role("link", name="Calls").click()
        await page.locator("#list li a").first.click()
        await expect(page.locator("#detail")).to_contain_text("title: Milk")
        await expect(page.locator("#detail")).to_contain_text("page, over http")
        await here.shoot("log")


async def test_a_call_tells_how_far_it_is_and_can_be_cancelled(
    browser: Browser, project: Path, empty_home: Path, tmp_path: Path
) -> None:
    marks = tmp_path / "marks"
    servers = {"notes": {"command": NOTES, "environment": {"NOTES_MARKS": str(marks)}}}
    async with desk(browser, project, empty_home, **servers) as here:
        await here.go("tools/notes/notes_hang")
        await here.page.get_by_role("button", name="Call").click()
        await expect(here.page.locator(".running")).to_contain_text("Running")
        await here.page.get_by_role("button", name="Cancel").click()
        await expect(here.page.locator("#detail")).to_contain_text("Cancelled after")
        await here.go("calls")
        await expect(here.page.locator("#list li").first).to_contain_text("cancelled")


async def test_what_a_server_asks_slides_in_and_is_answered_by_keyboard(
    browser: Browser, project: Path, empty_home: Path
) -> None:
    async with desk(browser, project, empty_home, notes={"command": NOTES}) as here:
        page = here.page
        await here.go("tools/notes/notes_ask")
        await page.get_by_role("button", name="Edit as JSON").click()
        await page.get_by_label("Arguments as JSON").fill(json.dumps({"form": FORM}))
        await page.get_by_label("Arguments as JSON").press("Control+Enter")
        question = page.get_by_role("region", name="notes asks")
        await expect(question).to_contain_text("Why?")
        await expect(page.locator("#live")).to_contain_text("notes asks: Why?")
        await judged(here, "question")
        await page.locator("#detail h2").click()
        await page.keyboard.press("Escape")
        await page.keyboard.press("q")
        await page.keyboard.press("Tab")
        await page.keyboard.type("because")
        await page.keyboard.press("Tab")
        await page.keyboard.type("large")
        await page.keyboard.press("Tab")
        await page.keyboard.press("Enter")
        await expect(question).to_have_count(0)
        await expect(page.locator("#detail")).to_contain_text('accept {"why": "because", "size": "large"}')


async def test_a_call_that_wants_a_yes_shows_its_arguments_and_runs_after_it(
    browser: Browser, project: Path, empty_home: Path
) -> None:
    (project / "mooring.json").write_text(json.dumps({"permission": {"notes_*": "ask"}}))
    async with desk(browser, project, empty_home, notes={"command": NOTES}) as here:
        page = here.page
        for verdict, outcome in (("Refuse", "It did not work"), ("Allow once", "title: Milk")):
            await here.go("tools/notes/notes_add")
            await page.reload()
            await page.get_by_label("title").fill("Milk")
            await page.get_by_role("button", name="Call").click()
            question = page.get_by_role("region", name="notes asks")
            await expect(question).to_contain_text("notes_add")
            await expect(question).to_contain_text("title: Milk")
            await here.shoot("approve")
            await question.get_by_role("button", name=verdict).click()
            await expect(page.locator("#detail")).to_contain_text(outcome)


async def test_the_page_is_used_by_keyboard_alone(browser: Browser, project: Path, empty_home: Path) -> None:
    servers = {name: {"command": GREET} for name in ("ash", "birch", "cedar")}
    async with desk(browser, project, empty_home, **servers) as here:
        page, focused = here.page, here.page.locator(":focus")
        await expect(page.locator("#state")).to_have_text("3 connected")
        for key, row in (("j", "ash"), ("j", "birch"), ("j", "cedar"), ("j", "cedar"), ("k", "birch")):
            await page.keyboard.press(key)
            await expect(focused).to_contain_text(row)
        await page.keyboard.press("Enter")
        await expect(page.locator("#detail h2")).to_have_text("birch")
        await expect(focused).to_have_id("detail")
        await page.keyboard.press("Escape")
        await expect(focused).to_contain_text("birch")
        await page.keyboard.press("?")
        await expect(page.get_by_role("dialog")).to_be_visible()
        await page.keyboard.press("j")
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("dialog")).to_be_hidden()
        await page.keyboard.press("/")
        await page.keyboard.type("jk?/")
        await expect(page.get_by_role("searchbox")).to_have_value("jk?/")


async def test_one_click_logs_in_against_a_real_authorization_server(
    browser: Browser, project: Path, empty_home: Path
) -> None:
    async with world() as there, desk(browser, project, empty_home, notes={"url": there.url}) as here:
        await here.context.route(lambda url: "//127.0.0.1:" not in url, lambda route: route.abort())
        row = here.row("notes")
        await expect(row).to_contain_text("needs login")
        async with here.page.expect_popup() as opened:
            await row.get_by_role("button", name="Log in to notes").click()
        window = await opened.value
        await window.wait_for_selector("input[required]", state="attached")
        await window.evaluate(FILL_IN)
        await window.wait_for_selector("input[name=prompt][value=consent]", state="attached")
        await window.evaluate(FILL_IN)
        await expect(row).to_contain_text("tool")
        await expect(here.page.locator("#live")).to_contain_text("notes is connected")
        await here.shoot("logged-in")
        await here.page.get_by_role("button", name="Log out").click()
        await expect(row).to_contain_text("needs login")


async def test_a_server_is_added_switched_off_and_taken_out_once_the_difference_was_seen(
    browser: Browser, project: Path, empty_home: Path
) -> None:
    async with desk(browser, project, empty_home, "--allow-exec") as here:
        page, detail = here.page, here.page.locator("#detail")
        await expect(detail).to_contain_text("three ways to add one")
        await here.shoot("empty")
        before = here.own.read_text()
        await page.get_by_label("Name").fill("greet")
        await page.get_by_label("Command or address").fill(" ".join(GREET))
        await page.get_by_label("Command or address").press("Enter")
        await expect(detail.locator("ins").filter(has_text="mooring.servers.greet")).to_be_visible()
        assert here.own.read_text() == before
        await judged(here, "difference")
        await page.get_by_role("button", name="Write it").click()
        await expect(here.row("greet")).to_contain_text("1 tool")
        assert json.loads(here.own.read_text())["mcp"]["greet"]["command"] == GREET
        await detail.get_by_role("link", name="Edit").click()
        await page.get_by_role("button", name="Switch off").click()
        await expect(detail.locator("ins")).to_contain_text("false")
        await page.get_by_role("button", name="Write it").click()
        await expect(here.row("greet")).to_contain_text("off")
        await detail.get_by_role("link", name="Edit").click()
        await page.get_by_role("button", name="Remove").click()
        await page.get_by_role("button", name="Write it").click()
        await expect(page.locator("#list li")).to_have_count(0)
        assert json.loads(here.own.read_text())["mcp"] == {}


async def test_what_a_project_wants_to_start_is_shown_and_started_after_a_yes(
    browser: Browser, project: Path, empty_home: Path
) -> None:
    wanted = {"command": GREET[0], "args": GREET[1:]}
    (project / ".mcp.json").write_text(json.dumps({"mcpServers": {"greet": wanted}}))
    async with desk(browser, project, empty_home, "--allow-exec") as here:
        await expect(here.row("greet")).to_contain_text("needs approval")
        await here.page.get_by_role("button", name="Review greet").click()
        await expect(here.page.locator("#detail")).to_contain_text("mooring.servers.greet")
        await judged(here, "approval")
        await here.page.get_by_role("button", name="Approve and start").click()
        await expect(here.page.locator("#detail p.state")).to_contain_text("connected")


async def test_what_the_link_does_not_allow_says_how_to_allow_it(
    browser: Browser, project: Path, empty_home: Path
) -> None:
    async with desk(browser, project, empty_home, greet={"command": GREET}) as here:
        await here.go("edit/greet")
        await here.page.get_by_label("The entry as JSON").fill(json.dumps({"command": [*GREET, "more"]}))
        await here.page.get_by_role("button", name="Show the difference").click()
        await here.page.get_by_role("button", name="Write it").click()
        await expect(here.page.locator("#lost")).to_contain_text("mooring serve --allow-exec")


async def test_a_lost_connection_says_so_and_heals_or_says_what_to_do(
    browser: Browser, project: Path, empty_home: Path
) -> None:
    events = "**/api/v1/events"
    async with desk(browser, project, empty_home, greet={"command": GREET}) as here:
        lost = here.page.locator("#lost")
        await here.context.route(events, lambda route: route.abort())
        await here.page.reload()
        await expect(lost).to_contain_text("lost")
        await here.shoot("lost")
        await here.context.unroute(events)
        await expect(lost).to_be_hidden()
        # A browser that is locked out learns how to come back.
        await here.context.route(events, lambda route: route.abort())
        await here.page.reload()
        await expect(lost).to_contain_text("lost")
        await here.page.keyboard.press("?")
        await here.page.get_by_role("button", name="Lock this browser out").click()
        await here.context.unroute(events)
        await expect(here.page.locator("body")).to_contain_text("mooring serve --open")


async def test_a_serve_that_ends_is_missed(browser: Browser, project: Path, empty_home: Path) -> None:
    async with desk(browser, project, empty_home, greet={"command": GREET}) as here:
        here.served.process.send_signal(signal.SIGTERM)
        await expect(here.page.locator("#lost")).to_contain_text("lost")
        await expect(here.row("greet")).to_contain_text("1 tool")


JUDGED = """async () => {
  const runOnly = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
  const { violations } = await axe.run({ runOnly });
  return violations.map(({ id, nodes }) => [id, nodes[0].html]);
}"""
PLACES = {
    "servers": "",
    "server": "servers/moody",
    "search": "search/greet",
    "tool": "tools/notes/notes_add",
    "resource": "resources/greet/greet%3A%2F%2Flanguages",
    "template": "templates/notes/notes%3A%2F%2F%7Bday%7D",
    "prompt": "prompts/greet/greet%3Aintroduce",
    "calls": "calls",
    "pins": "pins/notes",
    "edit": "edit/notes",
    "add": "add",
}


async def judged(here: Desk, name: str) -> None:
    """By day and by night, whoever reads it and however."""
    axe = (PEERS / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")
    await here.page.evaluate(axe)
    for scheme in ("light", "dark"):
        await here.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        await here.shoot(f"{name}-{scheme}")
        assert [(name, scheme, *each) for each in await here.page.evaluate(JUDGED)] == []


@pytest.mark.parametrize("width", [1280, 400])
async def test_every_view_keeps_the_rules_of_wcag_aa_by_day_and_by_night(
    width: int, browser: Browser, project: Path, empty_home: Path
) -> None:
    servers = {
        "moody": {"command": [sys.executable, "-c", MOODY, NOTES[1]]},
        "notes": {"command": NOTES},
        "greet": {"command": GREET},
        "off": {"command": GREET, "enabled": False},
    }
    async with desk(browser, project, empty_home, **servers) as here:
        await here.page.set_viewport_size({"width": width, "height": 800})
        await expect(here.page.locator("#state")).to_have_text("2 connected · 1 failed · 1 off")
        for name, place in PLACES.items():
            await here.go(place)
            settled = "#list h2" if place in ("", "search/greet", "calls") else "#detail h2"
            await here.page.wait_for_selector(settled, state="attached")
            assert await here.page.evaluate("document.documentElement.scrollWidth") <= width, name
            await judged(here, f"{name}-{width}")


async def test_texts_of_servers_are_texts(browser: Browser, project: Path, empty_home: Path) -> None:
    """Wherever a tag could stand, it is seen as it was written."""
    tag = "<img src=x onerror=alert(1)>"
    async with desk(browser, project, empty_home, notes={"command": NOTES}) as here:
        here.page.on("dialog", lambda dialog: here.complaints.append(dialog.message))
        await here.go("tools/notes/notes_add")
        await here.page.get_by_label("title").fill(tag)
        await here.page.get_by_label("title").press("Enter")
        await expect(here.page.get_by_role("region", name="Result")).to_contain_text(tag)
        assert await here.page.locator("#detail img").count() == 0


async def test_what_comes_back_is_shown_as_what_it_is(
    browser: Browser, project: Path, empty_home: Path
) -> None:
    async with desk(browser, project, empty_home, gallery={"command": GALLERY}) as here:
        page, detail = here.page, here.page.locator("#detail")
        await here.go("tools/gallery/gallery_show")
        await page.get_by_role("button", name="Call").click()
        table = page.get_by_role("region", name="Result").get_by_role("table")
        await expect(table.get_by_role("columnheader")).to_have_text(["fruit", "weight"])
        await expect(table.get_by_role("cell")).to_have_text(["pear", "3", "fig", "null"])
        await expect(detail.locator("pre")).to_have_text(["Six parts", "# A note"])
        # Not only there: the browser could read them.
        await page.wait_for_function("document.querySelector('#detail img')?.naturalWidth === 96")
        await page.wait_for_function("document.querySelector('#detail audio')?.duration === 0.5")
        async with page.expect_download() as kept:
            await detail.get_by_role("link", name="Keep application/zip").click()
        assert (await (await kept.value).path()).read_bytes() == b"PK"
        await here.shoot("parts")
        await detail.get_by_role("link", name="The note").click()
        await expect(detail.get_by_text("The text of the note", exact=True)).to_be_visible()


async def test_a_call_is_copied_for_the_shell_and_as_python(
    browser: Browser, project: Path, empty_home: Path
) -> None:
    note = "it's “ünique” $HOME\\n"
    async with desk(browser, project, empty_home, gallery={"command": GALLERY}) as here:
        page, detail = here.page, here.page.locator("#detail")
        await page.evaluate(
            "() => { navigator.clipboard.writeText = async (text) => { window.copied = text } }"
        )
        await here.go("tools/gallery/gallery_mutter")
        await page.get_by_label("note").fill(note)
        await page.get_by_label("loud").select_option("yes")
        await page.get_by_role("button", name="Copy for the shell").click()
        await expect(detail.locator(".copied")).to_have_text("Copied")
        said = shlex.split(await page.evaluate("copied"))
        assert said[:4] == ["mooring", "call", "gallery_mutter", "--json"]
        assert json.loads(said[4]) == {"note": note, "loud": True}
        # A browser that gives no clipboard shows what it would have copied.
        await page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')) }")
        await page.get_by_role("button", name="Copy as Python").click()
        program = ast.parse(await detail.locator("pre.copied").inner_text())
        (call,) = [each for each in ast.walk(program) if ast.unparse(each).startswith("host.call(")]
        assert isinstance(call, ast.Call)
        given = [ast.literal_eval(each) for each in call.args]
        assert given == [None, "gallery_mutter", {"note": note, "loud": True}]


async def test_pins_that_have_changed_are_shown_approved_and_forgotten(
    browser: Browser, project: Path, empty_home: Path
) -> None:
    gallery = {"command": GALLERY, "cwd": str(project)}
    async with desk(browser, project, empty_home, gallery=gallery) as here:
        page, detail = here.page, here.page.locator("#detail")
        await here.go("servers/gallery")
        await detail.get_by_role("button", name="Disconnect").click()
        (project / "changed").touch()
        await detail.get_by_role("button", name="Connect", exact=True).click()
        await expect(detail).to_contain_text("1 tool changed since you approved them")
        await here.row("gallery").get_by_role("button", name="Review gallery").click()
        await expect(detail.locator("del")).to_have_text('- "Everything."')
        await expect(detail.locator("ins")).to_have_text('+ "Everything. Now otherwise."')
        await judged(here, "pins")
        await detail.get_by_role("button", name="Approve what is shown").click()
        await expect(detail).to_contain_text("3 tools are as approved: show, visit, mutter")
        await expect(page.get_by_role("button", name="Review gallery")).to_have_count(0)
        await detail.get_by_role("button", name="Forget them").click()
        await expect(detail).to_contain_text("No tool is pinned as it is now.")


async def test_what_a_server_says_and_asks_comes_while_one_looks_at_it(
    browser: Browser, project: Path, empty_home: Path
) -> None:
    async with desk(browser, project, empty_home, gallery={"command": GALLERY}) as here:
        page, question = here.page, here.page.get_by_role("region", name="gallery asks")
        await here.go("servers/gallery")
        said = page.get_by_label("What gallery said")
        # Another window of the same browser makes the calls.
        other = await here.context.new_page()
        for note in ("the first line", "a later one"):
            await other.goto(f"{here.served.told['url']}/#/tools/gallery/gallery_mutter")
            await other.get_by_label("note").fill(note)
            await other.get_by_role("button", name="Call").click()
            await expect(said).to_contain_text(f"stderr {note}")
        await other.goto(f"{here.served.told['url']}/#/tools/gallery/gallery_visit")
        await other.get_by_role("button", name="Call").click()
        await expect(question).to_contain_text("https://example.com/pay?for=pears")
        await judged(here, "visit")
        await here.context.route("https://example.com/**", lambda route: route.fulfill(body="Paid"))
        async with page.expect_popup() as opened:
            await question.get_by_role("button", name="Open it").click()
        window = await opened.value
        await window.wait_for_url("https://example.com/pay?for=pears")
        assert await window.evaluate("window.opener") is None
        await expect(other.get_by_role("heading", name="Result")).to_be_visible()
        await expect(other.locator("#detail pre")).to_have_text("accept")
        await expect(question).to_have_count(0)


async def test_what_may_stand_in_a_prompt_is_offered_as_one_types(
    browser: Browser, project: Path, empty_home: Path
) -> None:
    async with desk(browser, project, empty_home, gallery={"command": GALLERY}) as here:
        await here.go("prompts/gallery/gallery%3Agreet")
        tone = here.page.get_by_label("tone")
        for typed, offered in (("c", ["calm", "cheerful"]), ("ch", ["cheerful"])):
            await tone.fill(typed)
            await expect(here.page.locator("datalist option")).to_have_count(len(offered))
            choices = "[...document.querySelectorAll('datalist option')].map((each) => each.value)"
            assert await here.page.evaluate(choices) == offered
        await tone.press("Enter")
        await expect(here.page.locator("#detail pre")).to_have_text("Be ch")
