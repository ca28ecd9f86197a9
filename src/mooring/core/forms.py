"""A server's form, and whether an answer fits it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from math import isfinite
from urllib.parse import urlsplit

from mooring.core.frozen import frozen
from mooring.core.intake import tidy
from mooring.core.values import JSON, is_list, is_map, is_number

__all__ = ["Choice", "Problem", "choices", "fits", "listed", "misfits"]

_EMAIL = re.compile(r"[^@\s]+@[^@\s]+")
_DATE_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)")


@frozen
class Problem:
    """One field that does not fit, and why."""

    field: str
    sentence: str


@frozen
class Choice:
    """A value one may choose, and what it is called."""

    value: str
    title: str


def choices(field: Mapping[str, JSON]) -> tuple[Choice, ...]:
    """What may be chosen, in each of the protocol's spellings; empty for a field that is free."""
    if field.get("type") == "array":
        items = field.get("items")
        return choices(items) if is_map(items) and items.get("type") != "array" else ()
    values = field.get("enum")
    if is_list(values):
        names = field.get("enumNames")
        titles: list[JSON] = names if is_list(names) and len(names) == len(values) else values
        pairs = zip(values, titles, strict=True)
    else:
        options = field.get("oneOf", field.get("anyOf"))
        found = [option for option in (options if is_list(options) else []) if is_map(option)]
        pairs = ((option.get("const"), option.get("title")) for option in found)
    return tuple(
        Choice(value, tidy(title, 256, characters=True) or tidy(value, 256, characters=True))
        for value, title in pairs
        if isinstance(value, str)
    )


def fits(schema: Mapping[str, JSON], content: Mapping[str, JSON]) -> tuple[Problem, ...]:
    """Everything that is wrong with an answer; it holds what the form asks for and nothing else."""
    properties = schema.get("properties")
    fields: Mapping[str, JSON] = properties if is_map(properties) else {}
    required = schema.get("required")
    names = [name for name in (required if is_list(required) else []) if isinstance(name, str)]
    return (
        *(Problem(name, "is required") for name in names if name not in content),
        *(Problem(name, "is not asked for") for name in content if name not in fields),
        *(
            Problem(name, sentence)
            for name, field in fields.items()
            if name in content
            for sentence in misfits(field if is_map(field) else {}, content[name])
        ),
    )


def misfits(field: Mapping[str, JSON], value: JSON) -> Iterator[str]:
    """What is wrong with the value of one field, each as the end of a sentence about it."""
    match field.get("type"):
        case "array":
            yield from _misfits_of_list(field, value)
        case "string":
            yield from _misfits_of_text(field, value)
        case "integer" | "number" as kind:
            yield from _misfits_of_number(field, value, whole=kind == "integer")
        case "boolean":
            if not isinstance(value, bool):
                yield "is neither yes nor no"
        case None if choices(field):
            yield from _misfits_of_text(field, value)
        case kind:
            yield f"is of type `{tidy(kind, 60) or 'unknown'}`, which no form holds"


def _misfits_of_text(field: Mapping[str, JSON], value: JSON) -> Iterator[str]:
    if not isinstance(value, str):
        yield "is not a text"
        return
    offered = choices(field)
    if offered and all(value != choice.value for choice in offered):
        yield f"is none of {listed(offered)}"
    least, most = field.get("minLength"), field.get("maxLength")
    if is_number(least) and len(value) < least:
        yield f"is shorter than {least} characters"
    if is_number(most) and len(value) > most:
        yield f"is longer than {most} characters"
    form = field.get("format")
    if isinstance(form, str) and not _has_format(form, value):
        yield f"is no {tidy(form, 60)}"


def _misfits_of_number(field: Mapping[str, JSON], value: JSON, *, whole: bool) -> Iterator[str]:
    if not is_number(value) or (isinstance(value, float) and not isfinite(value)):
        yield "is not a number"
        return
    if whole and value != int(value):
        yield "is not a whole number"
    least, most = field.get("minimum"), field.get("maximum")
    if is_number(least) and value < least:
        yield f"is less than {least}"
    if is_number(most) and value > most:
        yield f"is more than {most}"


def _misfits_of_list(field: Mapping[str, JSON], value: JSON) -> Iterator[str]:
    if not is_list(value):
        yield "is not a list"
        return
    offered = choices(field)
    allowed = {choice.value for choice in offered}
    strangers = [item for item in value if not isinstance(item, str) or (offered and item not in allowed)]
    if strangers:
        wrong = f"none of {listed(offered)}" if offered else "not a text"
        yield f"has `{tidy(str(strangers[0]), 60)}`, which is {wrong}"
    least, most = field.get("minItems"), field.get("maxItems")
    if is_number(least) and len(value) < least:
        yield f"has fewer than {least} entries"
    if is_number(most) and len(value) > most:
        yield f"has more than {most} entries"


def _has_format(form: str, value: str) -> bool:
    """The four formats of the protocol; another one is the server's own affair."""
    match form:
        case "email":
            return _EMAIL.fullmatch(value) is not None
        case "uri":
            return _is_address(value)
        case "date":
            return len(value) == len("2000-01-01") and _parses(date.fromisoformat, value)
        case "date-time":
            return _DATE_TIME.fullmatch(value) is not None and _parses(datetime.fromisoformat, value.upper())
        case _:
            return True


def _is_address(value: str) -> bool:
    try:
        parts = urlsplit(value)
    except ValueError:
        return False
    return bool(parts.scheme and (parts.netloc or parts.path)) and not any(map(str.isspace, value))


def _parses(parse: Callable[[str], object], value: str) -> bool:
    try:
        parse(value)
    except ValueError:
        return False
    return True


def listed(offered: tuple[Choice, ...]) -> str:
    """The first of the values, for a sentence."""
    shown = ", ".join(f"`{tidy(choice.value, 60)}`" for choice in offered[:10])
    return f"{shown}, …" if len(offered) > 10 else shown
