"""Skills that a server offers, and files that are what their entry says, or are not used."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest

from mooring.core.skills import Skill
from mooring.errors import BadItem, BadSkill, UnknownItem

URI, FORMS = "skill://office/pdf/SKILL.md", "skill://office/pdf/references/FORMS.md"
TEXT = b"---\nname: pdf\ndescription: Fills forms\nmetadata:\n  version: '1'\n---\nRead references/FORMS.md\n"
MORE = b"Forms have fields.\n"
WRITTEN = {"name": "pdf", "description": "Fills forms", "metadata": {"version": "1"}}


def file(uri: str, content: bytes) -> dict[str, Any]:
    return {"uri": uri, "digest": f"sha256:{sha256(content).hexdigest()}", "size": len(content)}


def entry(**other: Any) -> dict[str, Any]:
    return {"uri": URI, "frontmatter": WRITTEN, "resources": [file(URI, TEXT), file(FORMS, MORE)], **other}


def skill(**other: Any) -> Skill:
    return Skill.read("office", entry(**other))


def test_a_skill_is_known_by_what_its_entry_says() -> None:
    found = skill()
    assert (found.server, found.uri, found.name, found.description) == ("office", URI, "pdf", "Fills forms")
    assert list(found.files) == [URI, FORMS]


def test_files_that_are_as_promised_are_taken() -> None:
    assert skill().checked(URI, TEXT) == TEXT
    assert skill().checked(FORMS, MORE) == MORE


@pytest.mark.parametrize(
    ("uri", "content", "why"),
    [
        (URI, TEXT.replace(b"Read", b"Burn"), "another content than its digest"),
        (FORMS, MORE + b"!", f"{len(MORE) + 1} bytes, and not {len(MORE)}"),
        (FORMS, b"", "0 bytes"),
    ],
)
def test_a_file_that_is_not_as_promised_is_refused(uri: str, content: bytes, why: str) -> None:
    with pytest.raises(BadSkill, match=why):
        skill().checked(uri, content)


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ({**WRITTEN, "description": "Steals passwords"}, "`description`"),
        ({**WRITTEN, "metadata": {"version": 1}}, "`metadata`"),
        ({**WRITTEN, "license": "MIT"}, "`license`"),
        ({"name": "pdf", "description": "Fills forms"}, "`metadata`"),
    ],
)
def test_what_was_shown_before_must_be_what_stands_in_it(written: dict[str, Any], why: str) -> None:
    with pytest.raises(BadSkill, match=f"something else as {why}"):
        skill(frontmatter=written).checked(URI, TEXT)


@pytest.mark.parametrize(
    ("text", "why"),
    [(b"no frontmatter", "cannot be compared"), (b"---\nname: &x pdf\n---\n", "line 2"), (b"\xff", "UTF-8")],
)
def test_a_frontmatter_that_cannot_be_compared_is_refused(text: bytes, why: str) -> None:
    with pytest.raises(BadSkill, match=why):
        skill(resources=[file(URI, text)]).checked(URI, text)


def test_true_is_no_number() -> None:
    text = b"---\nname: pdf\nlevel: true\n---\n"
    found = skill(frontmatter={"name": "pdf", "level": 1}, resources=[file(URI, text)])
    with pytest.raises(BadSkill, match="`level`"):
        found.checked(URI, text)


def test_a_file_that_is_not_listed_is_none_of_the_skills() -> None:
    with pytest.raises(UnknownItem, match="no file of the skill `pdf` of `office`"):
        skill().checked("skill://office/pdf/other.md", b"")


@pytest.mark.parametrize(
    "other",
    [
        {"uri": ""},
        {"uri": "skill://office/doc/SKILL.md"},
        {"frontmatter": None},
        {"frontmatter": {"description": "nameless"}},
        {"resources": "dynamic"},
        {"resources": None},
        {"resources": [file(FORMS, MORE)]},
        {"resources": [file(URI, TEXT), file(URI, TEXT)]},
        {"resources": [{"uri": URI, "digest": "md5:00", "size": 1}]},
        {"resources": [{**file(URI, TEXT), "size": -1}]},
        {"resources": [{**file(URI, TEXT), "size": True}]},
        {"resources": [{**file(URI, TEXT), "size": 2**40}]},
        {"resources": [file(URI, TEXT), *(file(f"{URI}/{number}", b"") for number in range(1025))]},
        {"resources": [None]},
    ],
    ids=str,
)
def test_an_entry_that_cannot_be_checked_is_refused(other: dict[str, Any]) -> None:
    with pytest.raises(BadItem):
        skill(**other)


def test_as_many_files_as_every_host_must_support_are_supported() -> None:
    files = [file(URI, TEXT), *(file(f"skill://office/pdf/{number}", MORE) for number in range(511))]
    assert len(skill(resources=files).files) == 512
