"""What each error code means, as a page that the code leads to."""

from __future__ import annotations

import inspect
from collections.abc import Mapping

from mooring.errors import NoSuchRoute, codes
from mooring.system.door import Receive, Role, Scope, Send
from mooring.web.files import Files
from mooring.web.routing import Route

__all__ = ["Codes"]


class Codes:
    """The same words as `mooring doctor list-codes`."""

    def __init__(self, files: Files) -> None:
        self._files = files

    @property
    def routes(self) -> tuple[Route, ...]:
        return (Route("GET", "/codes/{code}", Role.READ, self.page),)

    async def page(self, _scope: Scope, _receive: Receive, send: Send, given: Mapping[str, str]) -> None:
        kind = codes().get(given["code"])
        if kind is None:
            raise NoSuchRoute("There is no such code", hint="mooring doctor list-codes")
        await self._files.plain(send, 200, given["code"], inspect.cleandoc(kind.__doc__ or ""))
