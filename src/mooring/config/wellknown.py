"""An organisation's defaults, fetched from its `/.well-known/opencode` and remembered."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from mooring.config.load import Organisation
from mooring.config.places import Place
from mooring.core.frozen import frozen
from mooring.core.merge import Branch, Leaf
from mooring.core.redact import mask_url
from mooring.core.spec import Layer
from mooring.core.values import is_map, is_number
from mooring.errors import MooringError, OrganisationRefused, OrganisationUnreachable, Unreachable
from mooring.system.dirs import Dirs
from mooring.system.files import private_dir, read_text, write_private
from mooring.system.net import fetch, is_safe, origin

__all__ = ["Login", "logins", "organisation"]

DEADLINE = 3.0
LIMIT = 1024 * 1024
FRESH_FOR = 600  # seconds in which an answer is not asked for again
SPARED_FOR = 60  # seconds in which an address that did not answer is left alone


@frozen
class Login:
    """An organisation the user has logged in to; the token answers `{env:KEY}` in its own defaults."""

    address: str
    key: str = ""
    token: str = ""

    def __repr__(self) -> str:
        return f"Login({self.address!r})"


def organisation(dirs: Dirs, env: Mapping[str, str], *, anew: bool = False) -> Organisation:
    """Asks whom the user has named: in the global file, in the environment, or by an OpenCode login.

    An answer is used for a while, unless it is to be asked for `anew`.
    """

    def ask(own: Branch) -> Iterator[Place | MooringError]:
        named = own.children.get("organisation")
        in_file = named.value if isinstance(named, Leaf) and isinstance(named.value, str) else ""
        address = env.get("MOORING_ORGANISATION") or in_file
        known = {login.address.rstrip("/"): login for login in logins(dirs)}
        if address:
            known.setdefault(address.rstrip("/"), Login(address))
        for login in known.values():
            yield from _defaults(login, dirs.cache / "organisation", anew=anew)

    return ask


def logins(dirs: Dirs) -> tuple[Login, ...]:
    """OpenCode's stored well-known logins; a file that cannot be read holds none."""
    try:
        tree = json.loads(read_text(dirs.opencode_data / "auth.json") or "{}")
    except (MooringError, ValueError, RecursionError):
        return ()
    return tuple(
        Login(address, str(entry.get("key", "")), str(entry.get("token", "")))
        for address, entry in (tree.items() if is_map(tree) else ())
        if is_map(entry) and entry.get("type") == "wellknown"
    )


def _defaults(login: Login, cache: Path, *, anew: bool) -> Iterator[Place | MooringError]:
    url = f"{login.address.rstrip('/')}/.well-known/opencode"
    if not is_safe(url):
        sentence = f"`{mask_url(login.address)}` is not asked for defaults"
        yield OrganisationRefused(sentence, hint="An organisation's address starts with https://")
        return
    file = cache / f"{hashlib.sha256(url.encode()).hexdigest()}.json"
    kept = _kept(file)
    now = time.time()
    # A clock that was set back makes an answer of the future, which is not to be kept until then.
    is_fresh = 0 <= now - kept.get("asked", 0) <= (SPARED_FOR if kept.get("failed") else FRESH_FOR)
    if anew or not is_fresh:
        kept = _asked(login, url, kept, now)
        _keep(file, kept)
    if kept.get("failed"):
        hint = (
            "The defaults of the last good answer are used" if "config" in kept else "It has no say for now"
        )
        yield OrganisationUnreachable(str(kept["failed"]), hint=hint)
    if is_map(kept.get("config")):
        yield Place(Layer.ORGANISATION, mask_url(url), cache.anchor, text=json.dumps(kept["config"]))


def _asked(login: Login, url: str, kept: Mapping[str, Any], now: float) -> dict[str, Any]:
    """What is to be remembered; a failure keeps the configuration that was known."""
    until = time.monotonic() + DEADLINE
    try:
        answer = _json(url, {}, until)
        config = answer.get("config")
        config = config if is_map(config) else {}
        more = answer.get("remote_config")
        if is_map(more) and isinstance(more.get("url"), str):
            config = {**config, **_more(login, url, more, until)}
    except Unreachable as error:
        return {**kept, "asked": now, "failed": error.sentence}
    return {"asked": now, "config": config}


def _more(login: Login, url: str, more: Mapping[str, Any], until: float) -> dict[str, Any]:
    """The answer may point to a second one; the user's token goes to the organisation's own origin only."""
    address = str(more["url"])
    if not is_safe(address):
        raise Unreachable(f"`{mask_url(url)}` points to an address that is not https")
    headers: dict[str, str] = {}
    if origin(address) == origin(url):
        given = more.get("headers")
        reference = f"{{env:{login.key}}}"
        pairs = given.items() if is_map(given) else ()
        headers = {name: str(value).replace(reference, login.token) for name, value in pairs}
    answer = _json(address, headers, until)
    config = answer.get("config", answer)
    return config if is_map(config) else {}


def _json(url: str, headers: Mapping[str, str], until: float) -> dict[str, Any]:
    """One deadline holds for all that an organisation is asked, so each question gets what is left."""
    body = fetch(url, headers, deadline=max(until - time.monotonic(), 0.001), limit=LIMIT)
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Unreachable(f"`{mask_url(url)}` did not answer with JSON") from error
    if not is_map(answer):
        raise Unreachable(f"`{mask_url(url)}` did not answer with a JSON object")
    return answer


def _kept(file: Path) -> dict[str, Any]:
    try:
        kept = json.loads(read_text(file) or "{}")
    except (MooringError, ValueError, RecursionError):
        return {}
    return kept if is_map(kept) and is_number(kept.get("asked")) else {}


def _keep(file: Path, kept: Mapping[str, Any]) -> None:
    """A cache that cannot be written costs time, not correctness."""
    try:
        private_dir(file.parent)
        write_private(file, json.dumps(kept))
    except MooringError:
        return
