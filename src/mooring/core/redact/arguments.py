"""A command line as it may be shown to anybody."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from mooring.core.redact.secrets import HIDDEN
from mooring.core.redact.shapes import mask_literal, mask_shapes, names_secret
from mooring.core.redact.values import mask_url, mask_value

__all__ = ["mask_argument", "mask_arguments", "mask_pairs"]

_HEADER_FLAGS = frozenset({"-H", "--header", "--headers", "--http-header"})
_VARIABLE_FLAGS = frozenset({"-e", "--env"})
_USER_FLAGS = frozenset({"-u", "--login", "--proxy-user", "--user"})

_NESTED = 3  # `--env=NAME=value` is the deepest that makes sense

_FLAG = re.compile(r"--?[A-Za-z][\w.-]*\Z")
_ASSIGNMENT = re.compile(r"(?P<name>-{0,2}[A-Za-z_][\w.-]{0,127})=(?P<value>.*)", re.DOTALL)
_HEADER = re.compile(r"(?P<short>(?:-H)?)(?P<name>[A-Za-z][\w-]{0,63}):(?!//)")
_HEADER_INSIDE = re.compile(r"(?i)(\b[\w-]{0,32}(?:authorization|cookie|token|secret|api-?key): *)[^'\"\n]+")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,31}://[^\s'\"]+")
_BEGINS_AS_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.:-]{0,63}://")
# A name, and what stands between it and its value: `Password=…;` in an address, `"token": "…"` in JSON.
_NAMED = re.compile(
    r"(?<![\w.-])(?P<name>[A-Za-z_][\w.-]{0,127})(?:[\"']?\s{0,4}=\s{0,4}|[\"']\s{0,4}:\s{0,4})(?P<quote>[\"']?)"
)
_BARE = re.compile(r"(?:\$?\{[^{}]*\}|[^\s;,&\"'{}()])+")
_SPACE = re.compile(r"(\s+)")


def mask_arguments(args: Sequence[str]) -> tuple[str, ...]:
    """`args` with every secret hidden; flags, paths and package names stay."""
    shown: list[str] = []
    flag = ""
    for argument in args:
        shown.append(_behind(flag, argument, _NESTED))
        flag = argument if _FLAG.match(argument) else ""
    return tuple(shown)


def mask_argument(argument: str) -> str:
    """One argument, whatever stands before it."""
    return _behind("", argument, _NESTED)


def _behind(flag: str, argument: str, left: int) -> str:
    """What follows `flag`, as the next argument or after its `=`."""
    if flag in _HEADER_FLAGS:
        return _header(argument)
    if flag in _VARIABLE_FLAGS and "=" in argument:
        name, _, value = argument.partition("=")
        return f"{name}={mask_value(name, value)}"
    if flag in _USER_FLAGS and ":" in argument:
        return f"{argument.partition(':')[0]}:{HIDDEN}"
    if names_secret(flag) and not flag.startswith("--no-"):
        return mask_literal(argument) if argument else argument
    if assignment := _ASSIGNMENT.fullmatch(argument):
        name = assignment["name"]
        return f"{name}={_behind(name, assignment['value'], left - 1)}" if left else HIDDEN
    return _alone(argument)


def _alone(argument: str) -> str:
    header = _HEADER.match(argument)
    if header and (argument.startswith("-H") or names_secret(header["name"])):
        return header["short"] + _header(argument[header.start("name") :])
    if _BEGINS_AS_ADDRESS.match(argument):
        return mask_url(argument)
    if _SPACE.search(argument.strip()):
        return _script(argument)
    return mask_shapes(_ADDRESS.sub(lambda address: mask_url(address[0]), mask_pairs(argument)))


def _header(text: str) -> str:
    name, colon, value = text.partition(":")
    space = value[: len(value) - len(value.lstrip())]
    return f"{name}:{space}{mask_value(name, value.lstrip())}" if colon else mask_literal(text)


def _script(text: str) -> str:
    """An argument that is itself a command line, as for `sh -c`."""
    words = _SPACE.split(_HEADER_INSIDE.sub(rf"\1{HIDDEN}", mask_pairs(text)))
    words[::2] = mask_arguments(words[::2])
    return mask_shapes("".join(words))


def mask_pairs(text: str, may_hide: Callable[[str], bool] = bool) -> str:
    """`text` without the values that stand beside a telling name, as far as they may be hidden."""
    parts: list[str] = []
    end = 0
    for named in _NAMED.finditer(text):
        if named.start() < end or not names_secret(named["name"]):
            continue
        start, quote = named.end(), named["quote"]
        bare = _BARE.match(text, start)
        closing = text.find(quote, start) if quote else (bare.end() if bare else start)
        stop = closing if closing >= 0 else len(text)
        if may_hide(text[start:stop]):
            parts += (text[end:start], mask_literal(text[start:stop]))
            end = stop
    return "".join((*parts, text[end:]))
