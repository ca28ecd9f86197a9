"""The JSON shape of a connection that was written down."""

from __future__ import annotations

from typing import Any, assert_never

from mooring.core.renewal_view import known
from mooring.core.spec import BadServer, LocalSpec
from mooring.core.transcript import Asked, Gone, Message, Note, Record, Replied, Said, Stepped
from mooring.core.views import entry_view, trial

__all__ = ["record"]

_NEW_ERA = "2026"


def record(of: Record) -> dict[str, Any]:
    """The trial, what was negotiated in it, and the wire."""
    tried = of.trial
    is_remote = not isinstance(of.entry, (LocalSpec, BadServer))
    era = None if not tried.protocol else "modern" if tried.protocol > _NEW_ERA else "legacy"
    return {
        **trial(tried),
        "entry": entry_view(of.entry),
        "era": era,
        "capabilities": tried.capabilities if tried.protocol else None,
        "instructions": tried.instructions or None,
        "session": of.has_session,
        "auth": {
            "authorization": of.authorization,
            "headers": list(of.own_headers),
            "challenge": of.challenge,
        }
        if is_remote
        else None,
        "login": [
            {
                "step": step.name,
                "outcome": "absent" if step.verdict == "note" else step.verdict,
                "says": step.says,
            }
            for step in of.login
        ]
        or None,
        "remembered": known(of.known) if of.known else None,
        "wire": [_note(note) for note in of.notes if not isinstance(note, Stepped)],
    }


def _note(note: Note) -> dict[str, Any]:
    at = {"ms": round(note.at * 1000, 1)}
    match note:
        case Message(way=way, size=size, value=value):
            return {**at, "kind": "message", "way": way, "bytes": size, "message": value}
        case Asked(number=number, method=method, url=url, headers=headers):
            return {
                **at,
                "kind": "request",
                "number": number,
                "method": method,
                "url": url,
                "headers": [*headers],
            }
        case Replied(number=number, status=status, headers=headers):
            return {**at, "kind": "answer", "number": number, "status": status, "headers": [*headers]}
        case Said(text=text):
            return {**at, "kind": "stderr", "text": text}
        case Gone(code=code):
            return {**at, "kind": "exit", "code": code}
        case Stepped(step=step):
            return {**at, "kind": "step", "step": step.name}
        case _:
            assert_never(note)
