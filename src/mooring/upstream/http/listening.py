"""What the server says by itself in the old era: one stream, opened again whenever it ends."""

from __future__ import annotations

from mooring.errors import MooringError, NeedsLogin, Unreachable
from mooring.upstream.http.stream import EVENTS, LAST_WORDS, Stream
from mooring.upstream.http.streamable import TEMPORARY, StreamableCarrier
from mooring.upstream.wire import Wire

__all__ = ["listen"]


async def listen(wire: Wire, carrier: StreamableCarrier) -> None:
    """Return when the server has no such stream; most have none, and need none."""
    stream = Stream(wire.receive)
    was_open = False
    while not wire.ended.done():
        try:
            answer = await carrier.listen(stream.last)
            if answer.status == 200 and answer.kind == EVENTS:
                was_open = True
                await stream.read(answer)
            else:
                answer.close(LAST_WORDS)
                if answer.status == 404 and was_open:
                    carrier.lose()
                if answer.status not in TEMPORARY:
                    return
        except NeedsLogin:
            return
        except Unreachable:
            wire.noise += 1
        except MooringError:
            # What it sent cannot be read, and may be sent again under the same id.
            wire.noise += 1
            stream.last = ""
        await stream.pace.pause()
