"""A login on its way through a browser: whoever brings it back first, the page of ours or a person."""

from __future__ import annotations

import asyncio
import time
from shlex import quote

from mooring.auth.callback import Callback, pasted
from mooring.auth.login import Login
from mooring.auth.loopback import Guest
from mooring.core.frozen import frozen
from mooring.core.questions import Accepted, Ask, Visit
from mooring.errors import BadCallback, LoginGivenUp, NobodyCame

__all__ = ["Errand"]

MOST_TRIES = 5


@frozen
class Errand:
    """Without a guest no page of ours is awaited, and the address comes back by hand or not at all."""

    login: Login
    callback: Callback
    ask: Ask
    guest: Guest | None = None

    async def brought(self) -> str:
        """What the browser was sent back with."""
        asking = asyncio.ensure_future(self._asked())
        awaited = {asking} if self.guest is None else {asking, self.guest.arrived}
        try:
            left = self.login.expires_at - time.time()
            await asyncio.wait(awaited, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            if self.guest is not None and self.guest.arrived.done():
                return self.guest.arrived.result()
            if asking.done():
                return asking.result()
        finally:
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
        raise NobodyCame(
            f"Nobody came back from the login at `{self.login.server}` in time",
            hint=f"mooring auth {quote(self.login.server)}",
        )

    async def _asked(self) -> str:
        reason = ""
        for _ in range(MOST_TRIES):
            answer = await self.ask(Visit(self.login.server, self.login.visit, reason))
            match answer:
                case Accepted(content={"url": str(address)}):
                    try:
                        return pasted(address, self.callback, self.login.state)
                    except BadCallback as error:
                        reason = f"{error.sentence}. {error.hint}"
                case Accepted() if self.guest is not None:
                    return await self.guest.arrived
                case _:
                    break
        raise LoginGivenUp(
            f"The login at `{self.login.server}` was given up; nothing was kept",
            hint=f"mooring auth {quote(self.login.server)}",
        )
