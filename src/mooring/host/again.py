"""A request made once more, where that can do no harm."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import TypeVar

from mooring.errors import (
    ConnectionLost,
    HttpRefused,
    Interrupted,
    MooringError,
    NeedsLogin,
    ServerExited,
    SessionLost,
)
from mooring.host.doors import more
from mooring.host.link import Link
from mooring.upstream.http.seconds import retry_after
from mooring.upstream.session import Session

__all__ = ["once_more"]

T = TypeVar("T")
UNKNOWN = 401
TOO_MANY = (429, 503)
MOST_WAITS = 3
LONGEST_WAIT = 30.0


async def once_more(link: Link, request: Callable[[Session], Awaitable[T]], *, is_safe: bool) -> T:
    """A call that may have had an effect is never sent twice; one that was never sent has had none."""
    waits = 0
    was_renewed = False
    while True:
        session = await link.use()
        try:
            return await request(session)
        except HttpRefused as error:
            wait = retry_after(error.headers)
            if wait is None:
                wait = 2.0**waits
            if not is_safe or error.status not in TOO_MANY or waits == MOST_WAITS or wait > LONGEST_WAIT:
                raise
            # A little by chance, so that not everybody comes back at once.
            await asyncio.sleep(wait * random.uniform(1.0, 1.2))  # noqa: S311
            waits += 1
        except NeedsLogin as error:
            if more(link.name, error):
                # The next login asks for it.
                link.challenge = error.challenge
            elif error.status == UNKNOWN:
                link.doubt(session)
            raise
        except (SessionLost, ConnectionLost, ServerExited, Interrupted) as error:
            _renew(link, session, error)
            if was_renewed or not (is_safe or error.nothing_was_sent):
                raise
            was_renewed = True


def _renew(link: Link, session: Session, error: MooringError) -> None:
    """A server that has forgotten our session answers on, but never to us."""
    if isinstance(error, SessionLost) and link.session is session:
        link.renew()
