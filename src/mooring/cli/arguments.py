"""The arguments of a call, from the words that somebody typed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote

from mooring.cli.shapes import branches, field_of, named, properties, required, typed_value
from mooring.core.intake import tidy
from mooring.core.nearest import nearest
from mooring.core.values import JSON, is_list, is_map
from mooring.errors import UsageError

__all__ = ["Typed", "arguments", "texts"]


@dataclass(frozen=True, slots=True)
class Typed:
    """What stands on the command line after the tool's name, and where files and stdin are read from."""

    words: Sequence[str]
    documents: Sequence[str]
    cwd: Path
    stdin: Callable[[], str]


def arguments(name: str, schema: Mapping[str, JSON], typed: Typed) -> dict[str, JSON]:
    """Documents first, then words over them; all of it has the types that the schema wants."""
    found: dict[str, JSON] = {}
    for document in typed.documents:
        found |= _document(document, typed)
    fresh: set[str] = set()
    for word in typed.words:
        _put(name, schema, typed, word, (found, fresh))
    missing = [key for key in required(schema) if key not in found]
    if missing:
        wanted = ", ".join(f"`{tidy(key, 60)}` ({named(field_of(schema, (key,)))})" for key in missing)
        example = " ".join(f"{key}=…" for key in missing)
        raise UsageError(f"`{name}` needs {wanted}", hint=f"mooring call {quote(name)} {example}")
    return found


def texts(name: str, wanted: Iterable[str], needed: Iterable[str], typed: Typed) -> dict[str, str]:
    """The arguments of a prompt, which are all texts."""
    known = list(wanted)
    schema = {
        "type": "object",
        "properties": {key: {"type": "string"} for key in known},
        "additionalProperties": False,
        "required": list(needed),
    }
    return {key: str(value) for key, value in arguments(name, schema, typed).items()}


def _document(written: str, typed: Typed) -> dict[str, JSON]:
    if written == "-":
        text, where = typed.stdin(), "stdin"
    elif written.startswith("@"):
        text, where = _file(written[1:], typed), f"`{written[1:]}`"
    else:
        text, where = written, "--json"
    value = _json(text, where)
    if not is_map(value):
        raise UsageError(f"{where} is no JSON object", hint="""--json '{"key": "value"}'""")
    return value


def _put(
    name: str,
    schema: Mapping[str, JSON],
    typed: Typed,
    word: str,
    into: tuple[dict[str, JSON], set[str]],
) -> None:
    """One word, written where its key says; a key that is repeated makes a list where one is wanted."""
    found, fresh = into
    key, sign, text = word.partition("=")
    if not sign or not key.rstrip(":"):
        raise UsageError(f"`{tidy(word, 60)}` is no `key=value`", hint=f"mooring tools {quote(name)} --full")
    is_json = key.endswith(":")
    key = key.removesuffix(":")
    path = _path(name, schema, key)
    field = field_of(schema, path)
    if is_json:
        value = _json(_content(text, typed), f"`{key}`")
    else:
        value = typed_value(key, field, _content(text, typed))
    holder = found
    for step in path[:-1]:
        inner = holder.get(step)
        holder[step] = dict(inner) if is_map(inner) else {}
        holder = holder[step]
    last = path[-1]
    if key not in fresh:
        fresh.add(key)
        holder[last] = value
        return
    before = holder[last]
    if not is_list(before) or not _wants_list(field):
        raise UsageError(f"`{key}` is given twice", hint="Only a list takes several")
    holder[last] = [*before, *(value if is_list(value) else [value])]


def _wants_list(field: Mapping[str, JSON]) -> bool:
    return not field or any(branch.get("type") == "array" for branch in branches(field))


def _path(name: str, schema: Mapping[str, JSON], key: str) -> tuple[str, ...]:
    """A key as it stands in the schema, else step by step at its dots; what nobody knows is an error."""
    here: Mapping[str, JSON] = schema
    path: list[str] = []
    rest = key
    while True:
        known = properties(here)
        if rest in known or "." not in rest:
            step, rest = rest, ""
        else:
            step, _, rest = rest.partition(".")
        is_closed = bool(known) or here.get("additionalProperties") is False
        if step not in known and is_closed and not _is_open(here):
            raise _unknown(name, ".".join([*path, step]), path, known)
        path.append(step)
        if not rest:
            return tuple(path)
        here = field_of(here, (step,))


def _is_open(schema: Mapping[str, JSON]) -> bool:
    """Whether it says that it takes keys that it does not name; saying nothing is no invitation to typos."""
    more = schema.get("additionalProperties")
    return more is True or is_map(more)


def _unknown(name: str, key: str, path: Sequence[str], known: Mapping[str, JSON]) -> UsageError:
    close = nearest(key.rpartition(".")[2], known, 1)
    if close:
        hint = f"Did you mean `{'.'.join([*path, close[0]])}`?"
    elif known:
        hint = f"It takes {', '.join(f'`{tidy(each, 60)}`' for each in list(known)[:12])}"
    else:
        hint = "It takes nothing"
    return UsageError(f"`{name}` takes no `{tidy(key, 60)}`", hint=hint)


def _content(text: str, typed: Typed) -> str:
    """`@FILE` is what the file holds, `@-` what stdin does; `@@` is a text that begins with one."""
    if text.startswith("@@"):
        return text[1:]
    if text == "@-":
        return typed.stdin()
    return _file(text[1:], typed) if text.startswith("@") and len(text) > 1 else text


def _file(name: str, typed: Typed) -> str:
    from mooring.system.files import read_text

    path = typed.cwd / Path(name).expanduser()
    text = read_text(path)
    if text is None:
        raise UsageError(f"There is no file `{path}`", hint="A text that begins with @ is written with two")
    return text


def _json(text: str, where: str) -> JSON:
    try:
        return json.loads(text)
    except ValueError as error:
        raise UsageError(f"{where} is no JSON: {error}", hint="Text stands in double quotes there") from error
    except RecursionError as error:
        raise UsageError(f"{where} is nested beyond measure", hint="Nobody needs that much") from error
