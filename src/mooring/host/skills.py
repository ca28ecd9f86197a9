"""Skills: what servers offer of them, and their files, read only when asked for and never used unchecked."""

from __future__ import annotations

import binascii
from base64 import b64decode
from collections.abc import Mapping

from mooring.core.questions import Caller
from mooring.core.skills import Skill
from mooring.core.values import JSON, is_list, is_map
from mooring.errors import BadItem, BadMessage
from mooring.host.again import once_more
from mooring.host.fleet import Fleet
from mooring.upstream.session import Asking, Session

__all__ = ["Skills"]


class Skills:
    """Nothing is remembered: whoever holds a `Skill` holds what its files have to be."""

    def __init__(self, fleet: Fleet) -> None:
        self._fleet = fleet

    async def all(self, server: str) -> tuple[Skill, ...]:
        """An entry that cannot be checked is left out, and hides no other."""
        found: list[Skill] = []
        for raw in await once_more(self._fleet.link(server), Session.skills, is_safe=True):
            try:
                found.append(Skill.read(server, raw))
            except BadItem:
                continue
        return tuple(found)

    async def one(self, server: str, uri: str) -> Skill:
        """By its address, also where it is in no list."""

        async def request(session: Session) -> JSON:
            return await session.skill(uri)

        skill = Skill.read(server, await once_more(self._fleet.link(server), request, is_safe=True))
        if skill.uri != uri:
            raise BadMessage(f"`{server}` answered with another skill", hint="Tell the author of the server")
        return skill

    async def file(self, caller: Caller, skill: Skill, uri: str) -> bytes:
        """From the skill's own server, and only what the skill lists."""
        skill.file(uri)

        async def request(session: Session) -> Mapping[str, JSON]:
            return (await session.read(uri, Asking(caller))).value

        found = await once_more(self._fleet.link(skill.server), request, is_safe=True)
        return skill.checked(uri, _content(skill.server, uri, found))


def _content(server: str, uri: str, result: Mapping[str, JSON]) -> bytes:
    contents = result.get("contents")
    for each in contents if is_list(contents) else []:
        if is_map(each) and each.get("uri") == uri:
            text, blob = each.get("text"), each.get("blob")
            if isinstance(text, str):
                return text.encode("utf-8", "surrogatepass")
            if isinstance(blob, str):
                try:
                    return b64decode(blob, validate=True)
                except binascii.Error:
                    break
    raise BadMessage(
        f"`{server}` answered without the content of a file", hint="Tell the author of the server"
    )
