"""`mooring auth`: log in to a server."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from mooring.cli import ask
from mooring.cli.accounts import chosen, described, tell_lost
from mooring.cli.connected import configured, connected, must_work, tell_missing
from mooring.cli.here import Here
from mooring.cli.render import complain, emit, mark, say
from mooring.cli.run import exit_code, worst
from mooring.core.account import Standing
from mooring.core.redact import visible
from mooring.core.views import account as account_view
from mooring.core.views import error_view
from mooring.errors import LoginGivenUp, MooringError, UsageError

if TYPE_CHECKING:
    from mooring.cli.usher import Usher
    from mooring.core.account import Account
    from mooring.host import Host

__all__ = ["run"]


def run(here: Here, *, name: str | None, as_json: bool, **how: Any) -> int:
    every: bool = how["every"]
    if how["remove"]:
        from mooring.cli.commands import logout

        return logout.run(here, name=name, every=every, as_json=as_json)
    if every and (name is not None or how["scope"]):
        raise UsageError("`--all` excludes a name and `--scope`", hint="mooring auth NAME --scope SCOPE")
    config = configured(here)

    async def work(host: Host) -> int:
        from mooring.cli.usher import Usher

        usher = Usher(here.env, how["paste"], not how["no_browser"], how["scope"])
        try:
            if every:
                return await _all(host, usher, as_json=as_json)
            account = await _one(host, usher, name or chosen(host, "Log in to"))
        finally:
            tell_lost(host)
        if as_json:
            emit(account_view(account))
        return 0

    return connected(here, config, work, ())


async def _one(host: Host, usher: Usher, name: str) -> Account:
    """A server is asked before anybody is sent to a browser: it may need no login, or have one that works."""
    if any(account.server == name for account in host.accounts() if account.configured):
        view = await host.connect(name)
        if view.word == "connected" and usher.scope is None and not _again(_account(host, name)):
            return _account(host, name)
        if view.word != "needs_auth":
            must_work(host, [name])
    await _log_in(host, usher, name)
    return _account(host, name)


async def _all(host: Host, usher: Usher, *, as_json: bool) -> int:
    """One browser after the other; a login that fails does not keep anybody from the next."""
    names = [account.server for account in host.accounts() if account.configured]
    views = await asyncio.gather(*(host.connect(name) for name in names))
    tell_missing(host, {view.name for view in views if view.word in ("failed", "needs_approval")})
    waiting = [view.name for view in views if view.word in ("needs_auth", "needs_client_registration")]
    failed: dict[str, MooringError] = {}
    for number, name in enumerate(waiting, 1):
        if len(waiting) > 1:
            say(f"{number} of {len(waiting)}: {mark(visible(name), 'magenta')}")
        try:
            await _log_in(host, usher, name)
        except LoginGivenUp:
            raise
        except MooringError as error:
            complain(error)
            failed[name] = error
    if not waiting:
        say("No server waits for a login")
    if as_json:
        found = [_account(host, name) for name in waiting]
        emit([account_view(each) | {"error": _said(failed.get(each.server))} for each in found])
    return worst(map(exit_code, failed.values()))


def _said(error: MooringError | None) -> dict[str, Any] | None:
    return error_view(error) if error else None


async def _log_in(host: Host, usher: Usher, name: str) -> None:
    view = await host.login(name, usher, by_hand=usher.by_hand, scope=usher.scope)
    account = _account(host, name)
    say(f"{mark('✓', 'green')} Logged in to {mark(visible(name), 'magenta')}: {described(account)}")
    must_work(host, [name])
    say(f"  It is connected, and offers {view.tools} tool{'s' * (view.tools != 1)}")


def _again(account: Account) -> bool:
    if account.standing is Standing.OUT:
        say(f"`{visible(account.server)}` wants no login")
        return False
    say(f"`{visible(account.server)}` is logged in already: {described(account)}")
    if ask.can_ask():
        return ask.confirm("Log in again?")
    return False


def _account(host: Host, name: str) -> Account:
    return next(each for each in host.accounts() if each.server == name and each.configured)
