"""Skills through a host: listed without being read, and read only when they are what was listed."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest
from tests.host.conftest import Opened
from tests.upstream.scripted import MODERN, Scripted

from mooring.errors import BadMessage, BadSkill, UnknownItem

URI = "skill://knots/SKILL.md"
TEXT = "---\nname: knots\ndescription: Ties knots\n---\nThe rabbit comes out of its hole\n"
ENTRY = {
    "uri": URI,
    "frontmatter": {"name": "knots", "description": "Ties knots"},
    "resources": [{"uri": URI, "digest": f"sha256:{sha256(TEXT.encode()).hexdigest()}", "size": len(TEXT)}],
}


def sailor(text: str = TEXT, **answers: Any) -> Scripted:
    said = {
        "skills/list": {"skills": [ENTRY, {"uri": "skill://broken/SKILL.md"}]},
        "skills/get": {"skill": ENTRY},
        "resources/read": {"contents": [{"uri": URI, "text": text}]},
        **answers,
    }
    capabilities = {"resources": {}, "extensions": {"io.modelcontextprotocol/skills": {}}}
    return Scripted(MODERN, said, capabilities)


async def test_skills_are_listed_without_being_read_and_a_bad_entry_hides_no_other(opened: Opened) -> None:
    server = sailor()
    async with opened({"boat": server}) as host:
        (skill,) = await host.skills("boat")
    assert (skill.server, skill.name, skill.description) == ("boat", "knots", "Ties knots")
    assert "resources/read" not in [each.get("method") for each in server.messages]


async def test_a_skill_is_read_when_it_is_what_was_listed(opened: Opened) -> None:
    async with opened({"boat": sailor()}) as host:
        skill = await host.skill("boat", URI)
        assert await host.skill_file(None, skill) == TEXT.encode()
        with pytest.raises(UnknownItem):
            await host.skill_file(None, skill, "skill://knots/other.md")


@pytest.mark.parametrize("text", [TEXT.replace("rabbit", "badger"), TEXT + "!"])
async def test_a_skill_that_was_changed_on_the_way_is_refused(opened: Opened, text: str) -> None:
    async with opened({"boat": sailor(text)}) as host:
        (skill,) = await host.skills("boat")
        with pytest.raises(BadSkill):
            await host.skill_file(None, skill)


async def test_an_answer_about_something_else_is_none(opened: Opened) -> None:
    other = {**ENTRY, "uri": "skill://knots/../knots/SKILL.md"}
    other["resources"] = [{**ENTRY["resources"][0], "uri": other["uri"]}]
    server = sailor(**{"skills/get": {"skill": other}, "resources/read": {"contents": []}})
    async with opened({"boat": server}) as host:
        with pytest.raises(BadMessage, match="another skill"):
            await host.skill("boat", URI)
        (skill,) = await host.skills("boat")
        with pytest.raises(BadMessage, match="without the content"):
            await host.skill_file(None, skill)


async def test_a_server_that_does_not_speak_of_skills_is_not_asked_for_them(opened: Opened) -> None:
    server = Scripted(MODERN, {}, {"resources": {}})
    async with opened({"boat": server}) as host:
        assert await host.skills("boat") == ()
    assert "skills/list" not in [each.get("method") for each in server.messages]
