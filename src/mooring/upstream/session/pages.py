"""A whole list, page by page, from servers that may never come to an end of it."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping

from msgspec import DecodeError, Raw
from msgspec.json import Decoder

from mooring.core.frozen import frozen
from mooring.core.items import Kind
from mooring.core.values import JSON, finite, is_list, is_map
from mooring.errors import BadMessage, CallTimeout, ListTimeout
from mooring.upstream.wire import decode

__all__ = ["METHODS", "SKILLS", "Pages", "all_pages"]

MOST_PAGES = 100
MOST_ITEMS = 10_000
MIB = 1024 * 1024
MOST_BYTES = 16 * MIB

_PARTS = Decoder(dict[str, Raw])
_ITEMS = Decoder(list[Raw])

METHODS: Mapping[Kind, tuple[str, str]] = {
    Kind.TOOL: ("tools/list", "tools"),
    Kind.RESOURCE: ("resources/list", "resources"),
    Kind.TEMPLATE: ("resources/templates/list", "resourceTemplates"),
    Kind.PROMPT: ("prompts/list", "prompts"),
}
SKILLS = ("skills/list", "skills")


@frozen
class Pages:
    """The items as they were sent; `cut` says why there may be more of them. `fresh_for` is in seconds."""

    items: tuple[JSON, ...] = ()
    cut: str = ""
    fresh_for: float | None = None


async def all_pages(
    server: str,
    what: tuple[str, str],
    ask: Callable[[str, Mapping[str, JSON], float], Awaitable[bytes]],
    within: float,
) -> Pages:
    """`what` is a method and the key of its items; `ask` gets a method, parameters, and the seconds left."""
    method, key = what
    until = time.monotonic() + within
    items: list[JSON] = []
    seen: set[str] = set()
    params: dict[str, JSON] = {}
    fresh: float | None = None
    size = 0
    for _ in range(MOST_PAGES):
        try:
            raw = await ask(method, params, max(until - time.monotonic(), 0.001))
        except CallTimeout as error:
            raise ListTimeout(
                f"`{server}` did not answer `{method}` within {within:g} s",
                hint=f"Is it slow? Raise `mcp.{server}.timeout.list`",
            ) from error
        page = _page(raw, key)
        found = page.get(key) if is_map(page) else None
        if not is_map(page) or not is_list(found):
            raise BadMessage(
                f"`{server}` answered `{method}` without `{key}`", hint="Tell the author of the server"
            )
        items += found
        ttl = finite(page.get("ttlMs"))
        if ttl is not None:
            fresh = min(max(ttl, 0) / 1000, fresh if fresh is not None else 86_400)
        if len(items) > MOST_ITEMS:
            return Pages(tuple(items[:MOST_ITEMS]), f"`{method}` lists more than {MOST_ITEMS} items", fresh)
        cursor = page.get("nextCursor")
        if not isinstance(cursor, str):
            # An empty cursor is one too.
            return Pages(tuple(items), fresh_for=fresh)
        if cursor in seen:
            return Pages(tuple(items), f"`{method}` repeats a cursor", fresh)
        size += len(raw)
        if size > MOST_BYTES:
            return Pages(tuple(items), f"`{method}` lists more than {MOST_BYTES // MIB} MiB", fresh)
        seen.add(cursor)
        params = {"cursor": cursor}
    return Pages(tuple(items), f"`{method}` has more than {MOST_PAGES} pages", fresh)


def _page(raw: bytes, key: str) -> JSON:
    """As values; of the items one more than are wanted, because to read all of them could take long."""
    try:
        parts = _PARTS.decode(raw)
        items = _ITEMS.decode(parts.get(key, Raw(b"[]")))
    except (DecodeError, UnicodeDecodeError, RecursionError):
        return decode(raw)
    if len(items) <= MOST_ITEMS:
        return decode(raw)
    few = b"[" + b",".join(items[: MOST_ITEMS + 1]) + b"]"
    return {name: decode(few if name == key else part) for name, part in parts.items()}
