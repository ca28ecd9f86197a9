"""Small things fetched from the web, within a deadline and a size."""

from __future__ import annotations

import queue
import threading
from collections.abc import Mapping
from urllib.parse import urlsplit

from mooring.core.redact import mask_url
from mooring.errors import Unreachable

__all__ = ["fetch", "is_safe", "origin"]


def origin(url: str) -> tuple[str, str, int | None]:
    """Scheme, host and port: who an address belongs to."""
    parts = urlsplit(url)
    default = {"https": 443, "http": 80}.get(parts.scheme)
    return parts.scheme, (parts.hostname or "").lower(), parts.port or default


def is_safe(url: str) -> bool:
    """Whether nobody on the way can read or change it: https, or http to this machine."""
    try:
        scheme, host, _ = origin(url)
    except ValueError:
        return False
    return bool(host) and (
        scheme == "https" or (scheme == "http" and host in ("localhost", "127.0.0.1", "::1"))
    )


def fetch(url: str, headers: Mapping[str, str], *, deadline: float, limit: int) -> bytes:
    """The body of a 200 answer. The deadline holds for all of it, however slowly the bytes drip."""
    answers: queue.SimpleQueue[bytes | Unreachable] = queue.SimpleQueue()
    worker = threading.Thread(target=lambda: answers.put(_get(url, headers, deadline, limit)), daemon=True)
    worker.start()
    try:
        answer = answers.get(timeout=deadline)
    except queue.Empty:
        answer = Unreachable(f"`{mask_url(url)}` did not answer within {deadline:g} s")
    if isinstance(answer, Unreachable):
        raise answer
    return answer


def _get(url: str, headers: Mapping[str, str], deadline: float, limit: int) -> bytes | Unreachable:
    import httpx2  # noqa: PLC0415 - only who fetches pays for it

    try:
        with (
            httpx2.Client(timeout=deadline, follow_redirects=False) as client,
            client.stream("GET", url, headers={"accept": "application/json", **headers}) as response,
        ):
            if response.status_code != 200:
                return Unreachable(f"`{mask_url(url)}` answered {response.status_code}")
            body = bytearray()
            for chunk in response.iter_bytes():
                body += chunk
                if len(body) > limit:
                    return Unreachable(f"`{mask_url(url)}` sent more than {limit // 1024} kB")
            return bytes(body)
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError, ValueError) as error:
        return Unreachable(f"`{mask_url(url)}` cannot be reached: {type(error).__name__}")
