"""A launch as whoever has to approve it must see it: nothing that could act is hidden behind a secret."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mooring.core.redact.arguments import mask_argument, mask_arguments, mask_pairs
from mooring.core.redact.secrets import HIDDEN
from mooring.core.redact.values import mask_value

__all__ = ["show_launch", "show_variable", "steers"]

# What a shell, or an interpreter, acts on; quotes stay with what they enclose.
_BETWEEN = re.compile(r"([\s;|&<>(){}$`\\]+)")
_HEADER = re.compile(r"[A-Za-z][\w-]{0,63}: *(?:[A-Za-z]{1,16} +)?[^\s;|&<>(){}$`\\]*")
_AUTHORIZATION = re.compile(r"(?i)(\bauthorization: *(?:[a-z]{1,16} +)?)[^\s;|&<>(){}$`\\'\"]+")
# Inside quotes nothing but a quote, an escape or one of these is more than text.
_TEXT = re.compile(r"[^;|&<>(){}$`\\\n\r\"'#]+")
# Variables that make programs load, run or believe something else.
_STEERING = re.compile(
    r"PATH|ENV|IFS|SHELLOPTS|BASHOPTS|BASH_ENV|BASH_FUNC_.*|PROMPT_COMMAND|PS4|ZDOTDIR|EDITOR|VISUAL|PAGER|BROWSER"
    r"|HOME|SHELL|(?:LD|DYLD)_.*|NODE_(?:OPTIONS|PATH|EXTRA_CA_CERTS|TLS_REJECT_UNAUTHORIZED)|PYTHON.*|PERL.*|RUBY.*"
    r"|GEM_.*|BUNDLE_.*|(?:_|JDK_)?JAVA_(?:TOOL_)?OPTIONS|CLASSPATH|GIT_.*|NPM_CONFIG_.*|UV_.*|PIP_.*|BUN_.*|DENO_.*"
    r"|DOCKER_.*|SSL_CERT_.*|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|(?:HTTPS?|ALL|NO)_PROXY",
    re.IGNORECASE,
)


def show_launch(command: Sequence[str]) -> tuple[str, ...]:
    """As `mask_arguments`, but of what is more than one word only words are hidden."""
    masked = mask_arguments(command)
    return tuple(
        shown if shown == word or not _could_act(word) else _word_by_word(word)
        for word, shown in zip(command, masked, strict=True)
    )


def show_variable(name: str, value: str) -> str:
    """As `mask_value`, but what a program is steered by is shown like an argument."""
    return show_launch((value,))[0] if steers(name) else mask_value(name, value)


def steers(name: str) -> bool:
    """Whether a variable of this name changes what programs do."""
    return _STEERING.fullmatch(name) is not None


def _could_act(word: str) -> bool:
    return bool(_BETWEEN.search(word)) and not _HEADER.fullmatch(word)


def _word_by_word(text: str) -> str:
    tidy = _AUTHORIZATION.sub(rf"\1{HIDDEN}", mask_pairs(text, lambda value: bool(_TEXT.fullmatch(value))))
    parts = _BETWEEN.split(tidy)
    parts[::2] = [mask_argument(part) for part in mask_arguments(parts[::2])]
    return "".join(parts)
