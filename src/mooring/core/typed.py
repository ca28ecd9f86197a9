"""Text that somebody typed into a form, as the value it stands for."""

from __future__ import annotations

from collections.abc import Mapping

from mooring.core.forms import Choice, choices, listed, misfits
from mooring.core.intake import tidy
from mooring.core.values import JSON
from mooring.errors import BadAnswer

__all__ = ["from_text"]

_YES = frozenset({"true", "yes", "y", "on", "1"})
_NO = frozenset({"false", "no", "n", "off", "0"})


def from_text(field: Mapping[str, JSON], text: str) -> JSON:
    """What somebody typed, as the value it stands for; several choices are separated by commas."""
    value = _read(field, text)
    problem = next(misfits(field, value), None)
    if problem is not None:
        raise BadAnswer(f"`{tidy(text, 60)}` {problem}", hint=_hint(field))
    return value


def _read(field: Mapping[str, JSON], text: str) -> JSON:
    offered = choices(field)
    typed = text.strip()
    match field.get("type"):
        case "array":
            return [_chosen(offered, word.strip()) for word in typed.split(",") if word.strip()]
        case "boolean" if typed.casefold() in _YES | _NO:
            return typed.casefold() in _YES
        case "integer" | "number":
            return _number(typed)
        case "string" | None:
            if offered:
                return _chosen(offered, typed)
            return typed if "format" in field else text
        case _:
            return text


def _chosen(offered: tuple[Choice, ...], typed: str) -> str:
    """By value, by title, or by the number in the list that was shown."""
    exact = next((choice.value for choice in offered if typed == choice.value), None)
    if exact is not None:
        return exact
    titled = next((choice.value for choice in offered if typed.casefold() == choice.title.casefold()), None)
    if titled is not None:
        return titled
    if typed.isascii() and typed.isdigit() and len(typed) < 4 and 0 < int(typed) <= len(offered):
        return offered[int(typed) - 1].value
    return typed


def _number(typed: str) -> JSON:
    try:
        return int(typed)
    except ValueError:
        pass
    try:
        number = float(typed)
    except ValueError:
        return typed
    return int(number) if number.is_integer() else number


def _hint(field: Mapping[str, JSON]) -> str:
    offered = choices(field)
    match field.get("type"), field.get("format"):
        case "array", _:
            return (
                f"Several of {listed(offered)}, separated by commas" if offered else "Separate them by commas"
            )
        case _ if offered:
            return "Type one of them, or its number in the list"
        case "boolean", _:
            return "Type yes or no"
        case (("integer" | "number"), _):
            return "Type a number"
        case _, "date":
            return "Type a date such as 2026-01-31"
        case _, "date-time":
            return "Type a moment such as 2026-01-31T12:00:00Z"
        case _:
            return "Type it once more"
