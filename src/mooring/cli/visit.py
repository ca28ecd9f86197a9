"""An address that a server wants opened: shown whole, opened after a yes."""

from __future__ import annotations

import asyncio
from urllib.parse import urlsplit

from mooring.cli.keyboard import Keyboard
from mooring.cli.render import mark, say
from mooring.core.intake import tidy
from mooring.core.questions import Accepted, Answer, Declined, Visit
from mooring.core.redact import visible

__all__ = ["visit"]


async def visit(question: Visit, keyboard: Keyboard) -> Answer:
    say(f"{mark('?', 'yellow')} {mark(visible(question.server), 'magenta')} wants you to open an address:")
    for line in tidy(question.reason, 4_000).splitlines():
        say(f"  │ {line}")
    host = _host(question.url)
    if host is None:
        say(f"  {visible(question.url[:200])}")
        say("  It is no web address, so the answer is no")
        return Declined()
    say(f"  {visible(question.url)}")
    say(f"  on {mark(host, 'cyan')}")
    while True:
        typed = (await keyboard.line("[y] open it, [d] it is done already, [n] no: ")).strip().casefold()
        match typed:
            case "y" | "yes":
                await _open(question.url)
                return Accepted()
            case "d":
                return Accepted()
            case "n" | "no" | "":
                return Declined()
            case _:
                continue


def _host(url: str) -> str | None:
    """Whom the address belongs to, in letters that cannot pass for others; None where no browser takes it."""
    if not url.isprintable() or any(map(str.isspace, url)):
        return None
    try:
        parts = urlsplit(url)
        host = parts.hostname
        if parts.scheme not in ("http", "https") or not host:
            return None
        return host if host.isascii() else f"{host.encode('idna').decode()} ({visible(host)})"
    except ValueError:
        return None


async def _open(url: str) -> None:
    """The browser is started as a program with one argument; no shell reads the address."""
    import webbrowser

    if not await asyncio.to_thread(webbrowser.open, url):
        say("  No browser was found: open the address yourself")
