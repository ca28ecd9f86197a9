"""A small authorization server: it registers, gives out codes and tokens, renews each once, and revokes."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from typing import Any
from urllib.parse import parse_qsl, unquote_plus, urlencode, urlsplit

from tests.auth.authority import Asked, Place, Said, place, trust


def no(error: str, status: int = 400, **more: str) -> Said:
    return Said(status, json.dumps({"error": error, **more}).encode())


@dataclass
class Issuer:
    """`lasts` is how long an access token lives; `clients` may be registered beforehand."""

    here: Place
    lasts: float = 3600
    clients: dict[str, dict[str, Any]] = field(default_factory=dict)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    refresh: dict[str, dict[str, str]] = field(default_factory=dict)
    access: set[str] = field(default_factory=set)
    visits: list[dict[str, str]] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def url(self) -> str:
        return f"{self.here.origin}/mcp"

    def register(self, asked: Asked) -> Said:
        given = asked.json
        client = {**given, "client_id": f"client-{len(self.clients)}"}
        if given["token_endpoint_auth_method"] != "none":
            client |= {"client_secret": secrets.token_hex(8), "client_secret_expires_at": 0}
        self.clients[client["client_id"]] = client
        return Said(201, json.dumps(client).encode())

    def authorize(self, asked: Asked) -> Said:
        given = dict(parse_qsl(urlsplit(asked.path).query))
        self.visits.append(given)
        client = self.clients[given["client_id"]]
        assert given["redirect_uri"] in client["redirect_uris"]
        assert given["code_challenge_method"] == "S256"
        code = secrets.token_hex(8)
        self.codes[code] = given
        back = urlencode({"code": code, "state": given["state"], "iss": self.here.origin})
        return Said(302, b"", {"location": f"{given['redirect_uri']}?{back}"})

    def token(self, asked: Asked) -> Said:
        with self.lock:
            form, client = asked.form, self._client(asked)
            if client is None:
                return no("invalid_client", 401)
            match form["grant_type"]:
                case "authorization_code":
                    begun = self.codes.pop(form["code"], None)
                    if begun is None or begun["client_id"] != client["client_id"]:
                        return no("invalid_grant")
                    digest = hashlib.sha256(form["code_verifier"].encode()).digest()
                    shown = base64.urlsafe_b64encode(digest).decode().rstrip("=")
                    if shown != begun["code_challenge"] or form["redirect_uri"] != begun["redirect_uri"]:
                        return no("invalid_grant")
                    return self._give(begun)
                case "refresh_token":
                    begun = self.refresh.pop(form["refresh_token"], None)
                    if begun is None or begun["client_id"] != client["client_id"]:
                        return no("invalid_grant", error_description=f"unknown: {form['refresh_token']}")
                    return self._give(begun)
                case _:
                    return no("unsupported_grant_type")

    def revoke(self, asked: Asked) -> Said:
        if self._client(asked) is None:
            return no("invalid_client", 401)
        self.access.discard(asked.form["token"])
        self.refresh.pop(asked.form["token"], None)
        return Said(200)

    def _client(self, asked: Asked) -> dict[str, Any] | None:
        form, given = asked.form, asked.headers.get("authorization", "")
        name, secret = form.get("client_id", ""), form.get("client_secret")
        if given.startswith("Basic "):
            name, _, secret = base64.b64decode(given[6:]).decode().partition(":")
            name, secret = unquote_plus(name), unquote_plus(secret)
        client = self.clients.get(name)
        return client if client is not None and client.get("client_secret") == secret else None

    def _give(self, begun: dict[str, str]) -> Said:
        access, refresh = secrets.token_hex(8), secrets.token_hex(8)
        self.access.add(access)
        self.refresh[refresh] = begun
        given = {
            "access_token": access,
            "token_type": "Bearer",
            "expires_in": self.lasts,
            "refresh_token": refresh,
            "scope": begun.get("scope", ""),
        }
        return Said(200, json.dumps(given).encode())


@contextmanager
def issuer(**changes: Any) -> Iterator[Issuer]:
    """At one place with the server that trusts it; `changes` are of its metadata."""
    with place() as here:
        found = Issuer(here)
        trust(here, **changes)
        here.answers |= {
            "POST /register": found.register,
            "GET /authorize": found.authorize,
            "POST /token": found.token,
            "POST /revoke": found.revoke,
        }
        yield found


def visit(url: str) -> str:
    """Somebody who says yes at once; where the browser is sent then."""
    parts = urlsplit(url)
    browser = HTTPConnection(parts.netloc, timeout=10)
    try:
        browser.request("GET", f"{parts.path}?{parts.query}")
        answer = browser.getresponse()
        assert answer.status == 302, answer.status
        return answer.headers["location"]
    finally:
        browser.close()
