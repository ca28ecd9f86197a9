"""Secrets that are known: every form in which one may turn up becomes `***`."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Collection, Iterator
from urllib.parse import quote, quote_plus

__all__ = ["HIDDEN", "mask"]

HIDDEN = "***"
SHORTEST = 4  # less than this is a word like any other, and masking it would garble the text
_SHORTEST_INSIDE = 8


def mask(text: str, secrets: Collection[str]) -> str:
    """`text` without any of `secrets`, as they are, URL-encoded, escaped for JSON or in base64."""
    forms = {form for secret in secrets if len(secret) >= SHORTEST for form in _forms(secret)}
    spans = sorted(span for form in forms if len(form) >= SHORTEST for span in _spans(text, form))
    if not spans:
        return text
    parts: list[str] = []
    covered = 0
    for start, end in spans:
        # Secrets may overlap: what two of them cover together is hidden as one.
        if start >= covered:
            parts += (text[covered:start], HIDDEN)
        covered = max(covered, end)
    parts.append(text[covered:])
    return "".join(parts)


def _spans(text: str, form: str) -> Iterator[tuple[int, int]]:
    start = text.find(form)
    while start != -1:
        yield start, start + len(form)
        start = text.find(form, start + 1)


def _forms(secret: str) -> Iterator[str]:
    yield secret
    yield secret.strip()
    data = secret.encode("utf-8", "surrogatepass")
    for encoded in (quote(data, safe=""), quote(data), quote(data, safe="!'()*"), quote_plus(data)):
        yield encoded
        yield _lower_escapes(encoded)
    for escaped in (
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
        repr(secret)[1:-1],
    ):
        yield escaped
        yield escaped.replace("/", r"\/")
    yield from _base64_forms(data)


def _base64_forms(data: bytes) -> Iterator[str]:
    """The whole, and its inside as it looks after 0, 1 or 2 bytes of something else (`user:` in Basic)."""
    whole = b64encode(data).decode()
    forms = [whole, whole.rstrip("=")]
    for before in range(3):
        known = (before + len(data)) * 8 // 6
        inside = b64encode(bytes(before) + data).decode()[-(-before * 8 // 6) : known]
        if len(inside) >= _SHORTEST_INSIDE:
            forms.append(inside)
    for form in forms:
        yield form
        yield form.replace("+", "-").replace("/", "_")


def _lower_escapes(encoded: str) -> str:
    head, *rest = encoded.split("%")
    return "%".join([head, *(part[:2].lower() + part[2:] for part in rest)])
