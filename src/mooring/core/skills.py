"""Skills that a server offers: what each is made of, and whether a file is what was promised."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from hashlib import sha256

from mooring.core.frontmatter import Unclear, frontmatter
from mooring.core.frozen import frozen
from mooring.core.intake import exact, tidy
from mooring.core.values import JSON, is_list, is_map
from mooring.errors import BadItem, BadSkill, UnknownItem

__all__ = ["EXTENSION", "Skill", "SkillFile"]

EXTENSION = "io.modelcontextprotocol/skills"

_DIGEST = re.compile(r"sha256:[0-9a-f]{64}", re.ASCII)
_MOST_FILES = 1024
_MOST_BYTES = 64 * 1024 * 1024
_LONGEST_URI = 8192
_AUTHOR = "Tell the author of the server"


@frozen
class SkillFile:
    """One file of a skill, as it has to be when it is read."""

    uri: str
    digest: str
    size: int

    @staticmethod
    def read(raw: JSON) -> SkillFile:
        if not is_map(raw):
            raise BadItem("a skill lists something that is no file", hint=_AUTHOR)
        uri, digest, size = exact(raw, "uri", _LONGEST_URI), raw.get("digest"), raw.get("size")
        if not isinstance(digest, str) or not _DIGEST.fullmatch(digest):
            raise BadItem(f"`{tidy(uri, 200)}` has no `digest` that can be checked", hint=_AUTHOR)
        if not isinstance(size, int) or isinstance(size, bool) or size < 0:
            raise BadItem(f"`{tidy(uri, 200)}` has no `size` that can be checked", hint=_AUTHOR)
        return SkillFile(uri, digest, size)


@frozen
class Skill:
    """One skill of one server; nothing of it has been read yet, and nothing is believed unseen."""

    server: str
    uri: str
    name: str
    description: str
    frontmatter: Mapping[str, JSON] = field(repr=False)
    files: Mapping[str, SkillFile] = field(repr=False)

    @staticmethod
    def read(server: str, raw: JSON) -> Skill:
        """An entry whose files cannot be checked is refused: what it stands for could be anything."""
        if not is_map(raw):
            raise BadItem("a skill is no map", hint=_AUTHOR)
        uri, written, listed = exact(raw, "uri", _LONGEST_URI), raw.get("frontmatter"), raw.get("resources")
        shown = tidy(uri, 200)
        if not is_map(written):
            raise BadItem(f"`{shown}` has no `frontmatter`", hint=_AUTHOR)
        name = exact(written, "name", 128)
        if uri.rpartition("/")[0].rpartition("/")[2] != name:
            raise BadItem(f"`{shown}` does not lie in a folder named `{name}`", hint=_AUTHOR)
        if not is_list(listed):
            raise BadItem(f"`{shown}` does not list its files, so none can be checked", hint=_AUTHOR)
        files = [SkillFile.read(each) for each in listed[: _MOST_FILES + 1]]
        if len(files) > _MOST_FILES or sum(file.size for file in files) > _MOST_BYTES:
            raise BadItem(f"`{shown}` is too large", hint=f"At most {_MOST_FILES} files and 64 MiB")
        by_uri = {file.uri: file for file in files}
        if len(by_uri) != len(files) or uri not in by_uri:
            raise BadItem(f"`{shown}` does not list each of its files once, itself among them", hint=_AUTHOR)
        return Skill(server, uri, name, tidy(written.get("description"), 4096), written, by_uri)

    def file(self, uri: str) -> SkillFile:
        """A file that is not listed is none of this skill's, wherever it lies."""
        found = self.files.get(uri)
        if found is None:
            sentence = f"`{tidy(uri, 200)}` is no file of the skill `{self.name}` of `{self.server}`"
            raise UnknownItem(sentence, hint="Its entry lists those that it has")
        return found

    def checked(self, uri: str, content: bytes) -> bytes:
        """The same content, which is what the entry promises; anything else is an error."""
        file = self.file(uri)
        if len(content) != file.size:
            raise self._bad(uri, f"has {len(content)} bytes, and not {file.size}")
        if f"sha256:{sha256(content).hexdigest()}" != file.digest:
            raise self._bad(uri, "has another content than its digest says")
        if uri == self.uri:
            self._compare(content)
        return content

    def _compare(self, content: bytes) -> None:
        """What was shown before the skill was loaded must be what stands in it."""
        try:
            found = frontmatter(content.decode())
        except UnicodeDecodeError as error:
            raise self._bad(self.uri, "is not UTF-8") from error
        except Unclear as error:
            raise self._bad(self.uri, f"has a frontmatter that cannot be compared: {error}") from error
        for key in sorted(found.keys() | self.frontmatter.keys()):
            if (
                key not in found
                or key not in self.frontmatter
                or not _same(found[key], self.frontmatter[key])
            ):
                raise self._bad(self.uri, f"says something else as `{tidy(key, 60)}` than its entry")

    def _bad(self, uri: str, why: str) -> BadSkill:
        return BadSkill(
            f"`{tidy(uri, 200)}` of `{self.server}` {why}",
            hint="Nothing of it was used: list the skills anew, and tell the author of the server",
        )


def _same(one: JSON, other: JSON) -> bool:
    """In JSON `1` and `true` are not the same, and `1` and `1.0` are."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if is_map(one) and is_map(other):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if is_list(one) and is_list(other):
        return len(one) == len(other) and all(_same(*pair) for pair in zip(one, other, strict=True))
    return one == other
