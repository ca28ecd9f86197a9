"""Logins as a person reads them."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from mooring.cli.ask import choose, need
from mooring.cli.render import complain, mark, table
from mooring.core.account import Account, Standing
from mooring.core.redact import clean, mask_url, visible
from mooring.errors import UsageError

if TYPE_CHECKING:
    from mooring.host import Host

__all__ = ["account_table", "chosen", "described", "tell_lost"]

_WORDS = {
    Standing.IN: ("logged in", "green"),
    Standing.EXPIRED: ("expired", "yellow"),
    Standing.OUT: ("not logged in", "bright_black"),
}

_PLACES = {"file": "in a private file", "keyring": "in the system's keyring", "memory": "in memory only"}


def chosen(host: Host, what: str, *, is_in: bool = False) -> str:
    """Which server, where it was not said."""
    found = [each.server for each in host.accounts() if not is_in or each.standing is not Standing.OUT]
    if not found:
        raise UsageError("There is no server to choose from", hint="mooring auth list")
    need("Which server?", "mooring auth list")
    return choose(what, list(dict.fromkeys(found)))


def tell_lost(host: Host) -> None:
    """Which logins turned out to be damaged; nobody else says it again."""
    for error in host.lost_logins:
        complain(error)


def account_table(accounts: Iterable[Account]) -> str:
    rows: list[tuple[str, str, str]] = []
    for account in accounts:
        word, colour = _WORDS[account.standing]
        rows.append((visible(account.server), mark(word, colour, bold=False), described(account)))
    return table(rows)


def described(account: Account) -> str:
    """By whom, to do what, until when, and where it is kept."""
    parts = [mask_url(account.issuer)] if account.issuer else []
    if account.scopes:
        parts.append(" ".join(map(clean, account.scopes)))
    if account.standing is not Standing.OUT:
        parts.append(_until(account))
    if account.stored in _PLACES:
        parts.append(_PLACES[account.stored])
    if account.source == "opencode":
        parts.append("from OpenCode")
    if not account.configured:
        parts.append(f"for `{mask_url(account.url)}`, which no entry uses: mooring logout")
    elif account.standing is Standing.OUT:
        parts.append(mask_url(account.url))
    return ", ".join(parts)


def _until(account: Account) -> str:
    if account.expires_at is None:
        return "without an end"
    left = account.expires_at - time.time()
    if account.renews:
        return "renews itself" if left <= 0 else f"renews itself in {span(left)}"
    return f"expired {span(-left)} ago" if left <= 0 else f"expires in {span(left)}"


def span(seconds: float) -> str:
    """As large a unit as still says something."""
    for unit, length in (("days", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds:.0f} s"
