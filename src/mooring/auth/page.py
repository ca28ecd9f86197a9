"""The page on which a login ends; it needs no script, and brings nothing from elsewhere."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from html import escape
from http import HTTPStatus

from mooring.core.frozen import frozen
from mooring.core.intake import tidy

__all__ = ["Outcome", "response"]

STYLE = """
:root{color-scheme:light dark;--ink:#14213d;--paper:#f6f8fb;--well:#0b6e4f;--ill:#b3261e}
@media(prefers-color-scheme:dark){:root{--ink:#e6ebf5;--paper:#10151f;--well:#5fd3a6;--ill:#ff8a80}}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--paper);color:var(--ink);
font:1.125rem/1.5 system-ui,sans-serif}
main{max-width:34rem;padding:2rem;border-left:.375rem solid var(--well);overflow-wrap:anywhere}
.ill{border-color:var(--ill)}
h1{margin:0 0 .5rem;font-size:1.5rem}
p{margin:.5rem 0}
"""
# The code is of no use to whoever looks over a shoulder later, so it leaves the address bar as well.
SCRIPT = (
    'history.replaceState(null,"",location.pathname);'
    'if(document.querySelector("main.well"))setTimeout(()=>window.close(),1500)'
)
LONGEST = 600


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


POLICY = (
    f"default-src 'none'; style-src {_digest(STYLE)}; script-src {_digest(SCRIPT)}; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@frozen
class Outcome:
    """What the person at the browser is told."""

    title: str
    text: str = ""
    is_well: bool = False


def response(outcome: Outcome, status: int = 200) -> bytes:
    """The whole answer, after which the connection ends."""
    body = _html(outcome).encode()
    head = [
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}",
        "content-type: text/html; charset=utf-8",
        f"content-length: {len(body)}",
        f"content-security-policy: {POLICY}",
        "cache-control: no-store",
        "referrer-policy: no-referrer",
        "x-content-type-options: nosniff",
        "connection: close",
    ]
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        head.append("allow: GET")
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


def _html(outcome: Outcome) -> str:
    title, text = (escape(tidy(part, LONGEST, characters=True)) for part in (outcome.title, outcome.text))
    end = "You can close this window." if outcome.is_well else "You can close this window and try again."
    kind = "well" if outcome.is_well else "ill"
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title} · Mooring</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>'
        f'<body><main class="{kind}" role="status"><h1>{title}</h1><p>{text}</p><p>{end}</p></main>'
        f"<script>{SCRIPT}</script></body></html>"
    )
