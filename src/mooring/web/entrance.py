"""How a browser comes in: by a link that works once, or else it is told how to get one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from mooring.core.redact import clean
from mooring.errors import MooringError, NoCredential, WrongMethod
from mooring.system.door import Keys, Receive, Role, Scope, Send
from mooring.system.door.asgi import answer
from mooring.system.door.problem import STATUS
from mooring.web.files import HTML, Files
from mooring.web.routing import Route

__all__ = ["Entrance"]

# Nobody's browser is asked for a password by this: whoever has one sends it to the API.
CHALLENGE = (b"www-authenticate", b'Bearer realm="mooring"')
AGAIN = "Type mooring serve --open for this browser, or mooring serve --status for a link that works once."


class Entrance:
    """What a browser without the cookie may ask for; there is nothing else."""

    def __init__(self, keys: Keys, files: Files, warm: Callable[[], Awaitable[None]]) -> None:
        self._keys = keys
        self._files = files
        self._warm = warm

    @property
    def routes(self) -> tuple[Route, ...]:
        return (
            Route("GET", "/", None, self.page),
            Route("GET", "/link/{code}", None, self.follow),
            Route("GET", "/plain.css", None, self.style),
            Route("POST", "/leave", Role.READ, self.leave),
        )

    async def page(self, scope: Scope, _receive: Receive, send: Send, _given: Mapping[str, str]) -> None:
        """With the cookie the page itself, which learns what every change has to bring along."""
        csrf = self._keys.csrf(scope)
        if csrf is None:
            text = "Only a browser that came by a link of yours may see your servers."
            await self._files.plain(send, 401, "This browser has no key yet", f"{text} {AGAIN}", CHALLENGE)
            return
        page = self._files.page.replace("{csrf}", csrf)
        await answer(send, 200, page.encode(), (HTML,))

    async def follow(self, scope: Scope, _receive: Receive, send: Send, given: Mapping[str, str]) -> None:
        """The page leads on by itself: a cookie this strict is not sent where another site led here."""
        if scope["method"] == "HEAD":
            raise WrongMethod("A link is followed or left alone", hint="It knows GET")
        try:
            cookie = self._keys.follow(given["code"])
        except NoCredential as error:
            await self._files.plain(
                send, STATUS[NoCredential], "This link does not work", _said(error), CHALLENGE
            )
            return
        await self._files.plain(send, 200, "Welcome", "The page opens by itself.", cookie, leads="/")
        # The page is about to ask the API, which takes a moment to be built.
        await self._warm()

    async def leave(self, scope: Scope, _receive: Receive, send: Send, _given: Mapping[str, str]) -> None:
        """The cookie of this browser opens nothing any more."""
        self._keys.leave(scope)
        await answer(send, 204, b"", ())

    async def style(self, _scope: Scope, _receive: Receive, send: Send, _given: Mapping[str, str]) -> None:
        await answer(send, 200, self._files.text("plain.css").encode(), ((b"content-type", b"text/css"),))


def _said(error: MooringError) -> str:
    return f"{clean(error.sentence)}. {AGAIN}"
