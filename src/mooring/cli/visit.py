"""An address that a server wants opened: shown whole, opened after a yes."""

from __future__ import annotations

from mooring.cli.browser import host_of, open_browser
from mooring.cli.guest import environment
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
    host = host_of(question.url)
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
                if not await open_browser(question.url, environment()):
                    say("  No browser was found: open the address yourself")
                return Accepted()
            case "d":
                return Accepted()
            case "n" | "no" | "":
                return Declined()
            case _:
                continue
