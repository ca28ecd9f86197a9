"""Questions of servers, put to the person at the terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import assert_never

from mooring.cli.ask import can_ask
from mooring.cli.keyboard import GivenUp, Keyboard
from mooring.cli.render import document, mark, say
from mooring.cli.shapes import named, required
from mooring.cli.visit import visit
from mooring.core.forms import choices, misfits
from mooring.core.intake import tidy
from mooring.core.questions import (
    Accepted,
    Allowed,
    Answer,
    Approve,
    Ask,
    Cancelled,
    Declined,
    Elicit,
    Question,
    Rejected,
    Sample,
    Scope,
    Visit,
)
from mooring.core.redact import visible
from mooring.core.typed import from_text
from mooring.core.values import JSON, is_list, is_map
from mooring.errors import BadAnswer

__all__ = ["terminal_ask"]

_KINDS = ("string", "integer", "number", "boolean", "array")
_LONGEST = 4_000


def terminal_ask(room: Callable[[], AbstractContextManager[None]] = nullcontext) -> Ask | None:
    """None without a terminal: then nobody is asked, which to a server is a no.

    Each question is asked inside `room`.
    """
    if not can_ask():
        return None
    keyboard = Keyboard()

    async def ask(question: Question) -> Answer:
        async with keyboard.turn:
            with room():
                try:
                    return await _answer(question, keyboard)
                except GivenUp:
                    return Cancelled()

    return ask


async def _answer(question: Question, keyboard: Keyboard) -> Answer:
    match question:
        case Elicit():
            return await _form(question, keyboard)
        case Visit():
            return await visit(question, keyboard)
        case Approve():
            return await _approval(question, keyboard)
        case Sample(server=server):
            say(f"{mark('note', 'yellow')} `{visible(server)}` wanted a model to run, and was told no")
            return Rejected("no model is configured here")
        case _:
            assert_never(question)


async def _approval(question: Approve, keyboard: Keyboard) -> Answer:
    say(f"{mark('?', 'yellow')} May {mark(visible(question.tool), 'cyan')} run with this?")
    for line in document(question.arguments).splitlines():
        say(f"  {line}")
    while True:
        typed = (await keyboard.line("[y] once, [s] for this session, [n] no: ")).strip().casefold()
        match typed:
            case "y" | "yes":
                return Allowed()
            case "s":
                return Allowed(Scope.SESSION)
            case "n" | "no" | "":
                return Rejected("the person at the terminal said no")
            case _:
                continue


async def _form(question: Elicit, keyboard: Keyboard) -> Answer:
    say(f"{mark('?', 'yellow')} {mark(visible(question.server), 'magenta')} asks:")
    for line in tidy(question.message, _LONGEST).splitlines():
        say(f"  │ {line}")
    properties = question.schema.get("properties")
    fields: Mapping[str, JSON] = properties if is_map(properties) else {}
    needed = required(question.schema)
    if (await keyboard.line("Answer it? [Y/n] (Ctrl-C: neither) ")).strip().casefold() in ("n", "no"):
        return Declined()
    content: dict[str, JSON] = {}
    for name, field in fields.items():
        known: Mapping[str, JSON] = field if is_map(field) else {}
        is_needed = name in needed
        if known.get("type") not in _KINDS and not choices(known):
            if is_needed:
                say(f"  `{tidy(name, 60)}` cannot be typed here, so the answer is no")
                return Declined()
            continue
        found = await _field(keyboard, name, known, is_needed=is_needed)
        content |= {} if found is None else {name: found[0]}
    return Accepted(content)


async def _field(
    keyboard: Keyboard, name: str, field: Mapping[str, JSON], *, is_needed: bool
) -> tuple[JSON] | None:
    """The value in a tuple of one; None where it was left out."""
    label = tidy(field.get("title"), 100, characters=True) or tidy(name, 100, characters=True)
    kind = (
        ("some of these" if field.get("type") == "array" else "one of these")
        if choices(field)
        else named(field)
    )
    say(f"  {mark(_line(label), 'cyan')} ({kind}{'' if is_needed else ', may stay empty'})")
    for line in tidy(field.get("description"), _LONGEST).splitlines():
        say(f"    │ {line}")
    for number, choice in enumerate(choices(field), 1):
        say(f"    {number} {_line(choice.title)}")
    default = _default(field)
    shown = "" if default is None else f" [{_line(tidy(_text(default[0]), 100))}]"
    while True:
        typed = await keyboard.line(f"  {_line(label)}{shown}: ")
        if not typed.strip():
            if default is not None or not is_needed:
                return default
            say("    It is required")
            continue
        try:
            return (from_text(field, typed),)
        except BadAnswer as error:
            say(f"    {error.sentence}. {error.hint}")


def _default(field: Mapping[str, JSON]) -> tuple[JSON] | None:
    default = field.get("default")
    return (default,) if default is not None and next(misfits(field, default), None) is None else None


def _text(value: JSON) -> str:
    if is_list(value):
        return ", ".join(map(_text, value))
    return value if isinstance(value, str) else document(value, indent=None)


def _line(text: str) -> str:
    return " ".join(text.split())
