"""Which known names a mistyped one may have meant."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from mooring.core.intake import tidy
from mooring.errors import UnknownServer

__all__ = ["meant", "nearest", "no_server"]

_LONGEST = 128
_MOST = 2_000


def nearest(name: str, known: Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """The best first: other capitals, then a part of the name, then a similar one.

    Only so much is compared letter by letter: a suggestion is not worth a pause.
    """
    from difflib import get_close_matches  # noqa: PLC0415 - needed only when something is wrong

    wanted = _folded(name[:_LONGEST])
    if not wanted:
        return ()
    folded = [(candidate, _folded(candidate[:_LONGEST])) for candidate in known]
    same = [candidate for candidate, text in folded if text == wanted]
    part = [candidate for candidate, text in folded if wanted in text]
    by_text = {text: candidate for candidate, text in islice(folded, _MOST)}
    close = [by_text[text] for text in get_close_matches(wanted, by_text, limit)]
    return tuple(dict.fromkeys([*same, *sorted(part, key=len), *close]))[:limit]


def meant(name: str, known: Iterable[str], otherwise: str) -> str:
    """The hint to a name that nothing has."""
    near = nearest(name, known, 1)
    return f"Did you mean `{near[0]}`?" if near else otherwise


def no_server(name: str, known: Iterable[str]) -> UnknownServer:
    """The same error whoever was asked for it."""
    return UnknownServer(f"There is no server `{tidy(name, 60)}`", hint=meant(name, known, "mooring list"))


def _folded(name: str) -> str:
    return name.casefold().replace("-", "_")
