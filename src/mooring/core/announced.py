"""The JSON shape of every event that the host announces; nothing in one is a secret."""

from __future__ import annotations

from typing import Any, TypeAlias, assert_never

from mooring.core.asked import word
from mooring.core.changes import Changes, Delta
from mooring.core.events import (
    CallEnded,
    CallStarted,
    CatalogChanged,
    ConfigReloaded,
    Event,
    LoginNeeded,
    LogMessage,
    Progressed,
    QuestionAnswered,
    QuestionAsked,
    QuestionWithdrawn,
    ResourceUpdated,
    StatusChanged,
    ToolsUnapproved,
)
from mooring.core.redact import clean, mask_shapes
from mooring.core.status import word as status_word
from mooring.core.views import error_view, problem_views

__all__ = ["announced"]

OfServer: TypeAlias = (
    StatusChanged | CatalogChanged | ToolsUnapproved | ResourceUpdated | LogMessage | LoginNeeded
)


def announced(event: Event) -> dict[str, Any]:
    """`kind` says which; addresses that log somebody in, and what somebody answered, stay here."""
    return {"kind": event.kind, **_about(event)}


def _about(event: Event) -> dict[str, Any]:
    match event:
        case CallStarted() | CallEnded() | Progressed():
            return _about_call(event)
        case QuestionAsked() | QuestionAnswered() | QuestionWithdrawn():
            return _about_question(event)
        case ConfigReloaded():
            return {
                "started": list(map(clean, event.started)),
                "stopped": list(map(clean, event.stopped)),
                "restarted": list(map(clean, event.restarted)),
                "problems": problem_views(event.problems),
            }
        case _:
            return {"server": clean(event.server), **_about_server(event)}


def _about_question(event: QuestionAsked | QuestionAnswered | QuestionWithdrawn) -> dict[str, Any]:
    """What is asked is for whoever may answer it, and does not travel with the event."""
    about = {"id": event.ticket, "caller": clean(event.caller)}
    match event:
        case QuestionAsked(question=question, call=call):
            return {**about, "server": clean(question.server), "question": word(question), "call": call}
        case _:
            return about


def _about_server(event: OfServer) -> dict[str, Any]:
    match event:
        case StatusChanged(before=before, after=after):
            return {"before": status_word(before), "after": status_word(after)}
        case CatalogChanged(changes=changes):
            return _changes(changes)
        case ToolsUnapproved(unapproved=found):
            changed, new = list(map(clean, found.changed)), list(map(clean, found.new))
            return {"changed": changed, "new": new, "blocked": found.blocked}
        case ResourceUpdated(uri=uri):
            return {"uri": clean(uri)}
        case LogMessage(level=level, logger=logger, text=text):
            return {"level": level, "logger": clean(logger), "text": text}
        case LoginNeeded():
            return {}
        case _:
            assert_never(event)


def _about_call(event: CallStarted | CallEnded | Progressed) -> dict[str, Any]:
    about = {"call": event.call, "server": clean(event.server)}
    match event:
        case Progressed(progress=done, total=total, message=message):
            return {**about, "progress": done, "total": total, "message": mask_shapes(clean(message))}
        case CallStarted(tool=tool, caller=caller):
            return {**about, "tool": clean(tool), "caller": clean(caller)}
        case CallEnded(tool=tool, caller=caller, outcome=outcome, seconds=seconds, error=error):
            return {
                **about,
                "tool": clean(tool),
                "caller": clean(caller),
                "outcome": outcome,
                "durationMs": round(seconds * 1000, 1),
                "error": error_view(error) if error else None,
            }
        case _:
            assert_never(event)


def _changes(changes: Changes) -> dict[str, Any]:
    lists = {
        "tools": changes.tools,
        "resources": changes.resources,
        "templates": changes.templates,
        "prompts": changes.prompts,
    }
    return {name: _delta(delta) for name, delta in lists.items()} | {"instructions": changes.instructions}


def _delta(delta: Delta) -> dict[str, list[str]]:
    return {
        "added": list(map(clean, delta.added)),
        "removed": list(map(clean, delta.removed)),
        "changed": list(map(clean, delta.changed)),
    }
