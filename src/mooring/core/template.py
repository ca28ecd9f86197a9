"""Values that name other values: `{env:X}`, `{file:X}` and their like, found and filled in after parsing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, fields, replace
from enum import StrEnum
from typing import Any

from mooring.core.frozen import frozen
from mooring.core.redact import (
    hidden,
    mask_arguments,
    mask_url,
    names_secret,
    secret_values,
    with_bare,
)
from mooring.core.spec import LocalSpec, OAuth, RemoteSpec
from mooring.errors import MissingFile, MissingVariable

__all__ = [
    "Expanded",
    "LookUp",
    "Syntax",
    "Variable",
    "canonical",
    "expand",
    "expand_spec",
    "texts",
    "variables",
]


class Syntax(StrEnum):
    """Which foreign spellings a file may use besides our own."""

    OPENCODE = "opencode"
    SHELL = "shell"
    EDITOR = "editor"


@frozen
class Variable:
    """One reference inside a value."""

    kind: str
    name: str
    default: str | None = None

    def __str__(self) -> str:
        return f"{{{self.kind}:{self.name}}}"


LookUp = Callable[[Variable], str | None]

_OURS = re.compile(r"\{(env|file|credential|input):([^{}]+?)\}")
_SHELL = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^{}]*))?\}")
_EDITOR = re.compile(r"\$\{(env|input):([^{}]+)\}|\$\{([A-Za-z]+|/)\}")


def variables(text: str) -> Iterator[Variable]:
    """The references in a canonical text, in order."""
    if "{" in text:
        for match in _OURS.finditer(text):
            yield _variable(match)


def _variable(match: re.Match[str]) -> Variable:
    kind, name = match[1], match[2]
    if kind in ("file", "credential"):
        return Variable(kind, name)
    name, mark, default = name.partition(":-")
    return Variable(kind, name, default if mark else None)


def expand(text: str, look_up: LookUp, where: str) -> tuple[str, list[str]]:
    """The text with every reference filled in, and the values that were; `where` names the key in errors.

    What is filled in is never looked at again, so a value cannot smuggle in another reference.
    """
    if "{" not in text:
        return text, []
    used: list[str] = []

    def fill(match: re.Match[str]) -> str:
        variable = _variable(match)
        value = look_up(variable)
        if value is None:
            value = variable.default
        if value is None:
            raise _missing(variable, where)
        used.append(value)
        return value

    return _OURS.sub(fill, text), used


def _missing(variable: Variable, where: str) -> MissingVariable | MissingFile:
    match variable.kind:
        case "file":
            return MissingFile(
                f"`{variable.name}` cannot be read; {where} needs it",
                hint=f"Create the file, or change {where}",
            )
        case "credential":
            return MissingFile(
                f"There is no credential `{variable.name}`; {where} needs it",
                hint=f"Give it to the service (`LoadCredential={variable.name}:…`) or the container",
            )
        case "input":
            name = f"MOORING_INPUT_{re.sub(r'[^A-Za-z0-9]', '_', variable.name).upper()}"
            return MissingVariable(
                f"The input `{variable.name}` has no value; {where} needs it", hint=f"export {name}=…"
            )
        case _:
            return MissingVariable(
                f"The environment variable `{variable.name}` is not set; {where} needs it",
                hint=f"export {variable.name}=…",
            )


def canonical(text: str, syntax: Syntax, folders: Mapping[str, str], absolute: Callable[[str], str]) -> str:
    """The text in our own spelling, with file references made absolute.

    `folders` answers the editors' names (`workspaceFolder`, …); a name that nobody knows stays as it is.
    """
    if "{" not in text:
        return text

    def shell(match: re.Match[str]) -> str:
        name, default = match[1], match[2]
        return f"{{env:{name}}}" if default is None else f"{{env:{name}:-{default}}}"

    def editor(match: re.Match[str]) -> str:
        if match[1]:
            return f"{{{match[1]}:{match[2]}}}"
        return folders.get(match[3], match[0])

    if "${" in text:
        if syntax is Syntax.EDITOR:
            text = _EDITOR.sub(editor, text)
        if syntax in (Syntax.EDITOR, Syntax.SHELL):
            text = _SHELL.sub(shell, text)
    if "{file:" in text:
        text = _OURS.sub(lambda m: f"{{file:{absolute(m[2])}}}" if m[1] == "file" else m[0], text)
    return text


@frozen
class Expanded:
    """A spec ready to be dialled, and the values that must not show up anywhere."""

    spec: LocalSpec | RemoteSpec
    secrets: tuple[str, ...] = field(default=(), repr=False)


def texts(spec: LocalSpec | RemoteSpec) -> Iterator[tuple[str, str]]:
    """Every value of a spec that may hold references, with its key path."""
    match spec:
        case LocalSpec():
            yield "command", spec.command
            yield from ((f"args.{index}", value) for index, value in enumerate(spec.args))
            yield from ((f"environment.{key}", value) for key, value in spec.environment.items())
            yield from (
                (key, value) for key, value in (("cwd", spec.cwd), ("envFile", spec.env_file)) if value
            )
        case RemoteSpec():
            yield "url", spec.url
            yield from ((f"headers.{key}", value) for key, value in spec.headers.items())
            yield from ((f"headersCommand.{i}", value) for i, value in enumerate(spec.headers_command))
            if spec.oauth:
                yield from ((f"oauth.{name}", value) for name, value in _oauth_texts(spec.oauth))


def expand_spec(spec: LocalSpec | RemoteSpec, look_up: LookUp) -> Expanded:
    """Every reference of a spec filled in; the first one that cannot be is an error."""
    secrets: list[str] = []
    place = f" in `{spec.sources[-1]}`" if spec.sources else ""

    def fill(key: str, text: str) -> str:
        value, used = expand(text, look_up, f"`mcp.{spec.name}.{key}`{place}")
        secrets.extend(used)
        return value

    def fill_all(key: str, values: Sequence[str]) -> tuple[str, ...]:
        return tuple(fill(f"{key}.{index}", value) for index, value in enumerate(values))

    def fill_map(key: str, values: Mapping[str, str]) -> dict[str, str]:
        return {name: fill(f"{key}.{name}", value) for name, value in values.items()}

    filled: LocalSpec | RemoteSpec
    match spec:
        case LocalSpec():
            filled = replace(
                spec,
                command=fill("command", spec.command),
                args=fill_all("args", spec.args),
                environment=fill_map("environment", spec.environment),
                cwd=fill("cwd", spec.cwd) if spec.cwd else None,
                env_file=fill("envFile", spec.env_file) if spec.env_file else None,
            )
        case RemoteSpec():
            filled = replace(
                spec,
                url=fill("url", spec.url),
                headers=fill_map("headers", spec.headers),
                headers_command=fill_all("headersCommand", spec.headers_command),
                oauth=_fill_oauth(spec.oauth, fill) if spec.oauth else None,
            )
    secrets += _written_out(filled)
    return Expanded(filled, with_bare(secret for secret in secrets if secret))


def _written_out(spec: LocalSpec | RemoteSpec) -> Iterator[str]:
    """What nobody put into a variable is no less of a secret."""
    match spec:
        case LocalSpec(args=args):
            yield from secret_values(spec.environment)
            pairs = zip(args, mask_arguments(args), strict=True)
        case RemoteSpec(headers_command=args):
            yield from secret_values(spec.headers)
            yield from hidden(spec.url, mask_url(spec.url))
            pairs = zip(args, mask_arguments(args), strict=True)
            if spec.oauth is not None:
                yield from _of_login(spec.oauth)
    for written, shown in pairs:
        yield from hidden(written, shown)


def _of_login(oauth: OAuth) -> Iterator[str]:
    for each in fields(oauth):
        value = getattr(oauth, each.name)
        if isinstance(value, str) and (each.name == "assertion" or names_secret(each.name)):
            yield value


def _oauth_texts(oauth: OAuth) -> list[tuple[str, str]]:
    given = ((field.name, getattr(oauth, field.name)) for field in fields(oauth))
    return [(name, value) for name, value in given if isinstance(value, str) and value]


def _fill_oauth(oauth: OAuth, fill: Callable[[str, str], str]) -> OAuth:
    filled: dict[str, Any] = {name: fill(f"oauth.{name}", value) for name, value in _oauth_texts(oauth)}
    return replace(oauth, **filled)
