"""Changes of configuration files as they happen, by the layer that changed."""

from __future__ import annotations

import hashlib
import os
from collections.abc import AsyncIterator, Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from mooring.config.places import Place

if TYPE_CHECKING:
    from anyio import Event

__all__ = ["seen", "watch"]

# However folders are watched, every place is looked at this often: network folders, folders made just now.
LOOK_EVERY_MS = 1000


def watch(places: Callable[[], Iterable[Place]], stop: Event) -> AsyncIterator[tuple[Place, ...]]:
    """The places whose content is not what it was, each time some are; ends when `stop` is set.

    What counts is the difference to this moment, not to the first wait: who watches first, then loads, misses
    nothing. A file that becomes a link to another one, or that appears where there was none, is a change; one
    that is written again with the same bytes is none.
    """
    return _changes(places, stop, seen(places()))


async def _changes(
    places: Callable[[], Iterable[Place]], stop: Event, last: dict[Place, str]
) -> AsyncIterator[tuple[Place, ...]]:
    while not stop.is_set():
        folders = _folders(last)
        async for _ in _looks(folders, stop):
            now = seen(places())
            changed = tuple(place for place in {**last, **now} if last.get(place) != now.get(place))
            last = now
            if changed:
                yield changed
            if _folders(last) != folders:
                break


async def _looks(folders: tuple[str, ...], stop: Event) -> AsyncIterator[None]:
    """A moment to look at the places: something has happened around them, or nothing has for a while."""
    from anyio import move_on_after  # noqa: PLC0415
    from watchfiles import awatch  # noqa: PLC0415  # pyright: ignore[reportUnknownVariableType]

    try:
        async for _ in awatch(
            *folders,
            recursive=False,
            stop_event=stop,
            debounce=200,
            step=20,
            rust_timeout=LOOK_EVERY_MS,
            yield_on_timeout=True,
            ignore_permission_denied=True,
        ):
            yield
    except FileNotFoundError:
        # A folder went away before it could be watched; the next look watches its parent.
        yield
    except OSError:
        # The machine watches as much as it can already; then only the clock says when to look.
        with move_on_after(LOOK_EVERY_MS / 1000):
            await stop.wait()
        yield


def seen(places: Iterable[Place]) -> dict[Place, str]:
    """What each place holds now, as a short mark; empty where there is nothing to read."""
    return {place: _mark(place.name) for place in places if place.text is None}


def _mark(file: str) -> str:
    try:
        # `isfile` first: opening a pipe would wait for somebody to write.
        if not os.path.isfile(file):  # noqa: PTH113 - this one never raises
            return ""
        with Path(file).open("rb") as content:
            return hashlib.file_digest(content, "sha256").hexdigest()
    except OSError as error:
        return type(error).__name__


def _folders(places: Iterable[Place]) -> tuple[str, ...]:
    """The nearest folder that is there, for each place and for what it links to."""
    files = {name for place in places for name in (place.name, os.path.realpath(place.name))}
    return tuple(sorted({_nearest(os.path.dirname(file)) for file in files}))  # noqa: PTH120


def _nearest(folder: str) -> str:
    while not os.path.isdir(folder) and folder != os.path.dirname(folder):  # noqa: PTH112, PTH120
        folder = os.path.dirname(folder)  # noqa: PTH120
    return folder
