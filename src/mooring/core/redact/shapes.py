"""What gives a secret away: the name it stands under, or the shape it has."""

from __future__ import annotations

import re

from mooring.core.redact.secrets import HIDDEN

__all__ = ["TEMPLATE", "is_random", "mask_literal", "mask_shapes", "names_secret"]

# Parts of a name, wherever they stand in it.
_TELLING_PARTS = re.compile(
    r"secret|token|passw|passphrase|credential|api_?key|access_?key|private_?key|author?i[sz]ation|cookie|bearer|jwt"
    r"|conn(?:ection)?_?str"
)
# Words that tell only when they stand alone: `auth` but not `author`, `key` but not `keyboard`.
_TELLING_WORDS = frozenset(
    {
        "auth",
        "code",
        "cred",
        "creds",
        "dsn",
        "key",
        "keys",
        "otp",
        "pass",
        "pat",
        "pin",
        "pwd",
        "salt",
        "session",
        "sid",
        "sig",
    }
    | {"signature", "webhook"}
)
# `TOKEN_FILE` says where a secret is, not what it is.
_HARMLESS_ENDS = frozenset({"dir", "directory", "endpoint", "file", "header", "path", "uri", "url"})

_WORD_BORDER = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+")

_NAME = r"[A-Za-z_][\w.-]{0,127}"
TEMPLATE = re.compile(
    rf"\{{(?:env|input):{_NAME}\}}|\{{(?:file|credential):[^{{}}]*\}}|\$\{{(?:(?:env|input):)?{_NAME}\}}"
)

_SCHEME = re.compile(r"(?i)(?:basic|bearer|token|apikey|digest|key) +\Z")
_PUNCTUATION = re.compile(r"[\s:;,./@|-]{1,3}\Z")

# A word may begin like a token (`sk-learn`); a token has digits. The bounds keep the search linear.
_DIGIT = r"(?=[\w-]{0,40}[0-9])"
_KNOWN_SHAPES = re.compile(
    rf"\b(?:(?:sk|pk|rk|pplx|tvly|nvapi|tskey|fc)-|(?:sk|pk|rk)_(?:live|test)_){_DIGIT}[\w-]{{8,}}"
    rf"|\b(?:whsec|ntn|lin_api|npm|pypi|dop_v1|shp[a-z]{{2}}|figd|gsk|r8|hf|secret)_{_DIGIT}[\w-]{{8,}}"
    r"|\bgh[oprsu]_\w{10,}|\bgithub_pat_\w{10,}|\bglpat-[\w-]{10,}|\bxox[a-z]-[\w-]{8,}|\bxapp-[\w-]{8,}"
    r"|\b(?:AKIA|ASIA)[A-Z0-9]{12,}|\beyJ[\w-]{6,}(?:\.[\w-]*){0,4}|\bAIza[\w-]{10,}|\bya29\.[\w.-]{8,}"
    r"|-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----.*",
    re.DOTALL,
)
_LONG_RUN = re.compile(
    r"(?<![\w./:-])[A-Za-z0-9+][A-Za-z0-9+/]{31,}={0,2}(?![\w.-])"  # base64, where `/` is no folder
    r"|[A-Za-z0-9+_=-]{32,}"
)
_PIECES = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_DIGEST_OF_A_VERSION = re.compile(r"(?:sha256:|sha512:|@)\Z")


def names_secret(name: str) -> bool:
    """Whether what stands under this name is expected to be a secret."""
    words = [word.lower() for word in _WORD_BORDER.split(name) if word]
    if words and words[-1] in _HARMLESS_ENDS:
        return False
    return not _TELLING_WORDS.isdisjoint(words) or _TELLING_PARTS.search("_".join(words)) is not None


def mask_shapes(text: str) -> str:
    """`text` without what looks like a token, whatever it stands under."""
    text = _KNOWN_SHAPES.sub(HIDDEN, text)
    return _LONG_RUN.sub(_hide_if_random, text)


def mask_literal(text: str) -> str:
    """Only the templates of `text`, and the scheme word before one; everything else is hidden."""
    parts: list[str] = []
    end = 0
    for template in TEMPLATE.finditer(text):
        parts.append(_literal(text[end : template.start()]))
        parts.append(mask_shapes(template[0]))
        end = template.end()
    parts.append(_literal(text[end:]) if end else HIDDEN)
    return "".join(parts)


def _literal(text: str) -> str:
    if not text or _PUNCTUATION.match(text):
        return text
    scheme = _SCHEME.match(text)
    return scheme[0] if scheme else HIDDEN


def _hide_if_random(run: re.Match[str]) -> str:
    text = run[0]
    if _DIGEST_OF_A_VERSION.search(run.string, max(0, run.start() - 8), run.start()):
        return text
    return HIDDEN if is_random(text) else text


def is_random(text: str) -> bool:
    """Words change between letters and digits, small and capital, rarely; random characters all the time."""
    blocks = [block for block in re.split(r"[+/_=-]+", text) if block]
    changes = sum(len(_PIECES.findall(block)) - 1 for block in blocks)
    return changes * 5 >= sum(map(len, blocks)) and any(character.isdigit() for character in text)
