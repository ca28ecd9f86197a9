"""A door that opens only to whom a token was given: each request proves that, with a number of ours in it."""

from __future__ import annotations

import json
import time
from base64 import urlsafe_b64encode
from hashlib import sha256
from secrets import token_urlsafe
from typing import Any

import jwt
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

RECENT = 60.0
PUBLIC = ("crv", "kty", "x", "y")


class Proven:
    """In front of an app that reads `Bearer`; whether the token itself counts is that app's to say."""

    def __init__(self, app: ASGIApp, path: str, url: str, challenge: str) -> None:
        self._app = app
        self._path = path
        self._url = url
        self._challenge = challenge
        self._number = token_urlsafe(16)
        self._seen: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] != self._path:
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        why = self._wrong(request, token) if kind == "DPoP" else "invalid_token"
        if why is None:
            scope["headers"] = [pair for pair in scope["headers"] if pair[0] != b"authorization"]
            scope["headers"].append((b"authorization", f"Bearer {token}".encode()))
            await self._app(scope, receive, send)
        else:
            said = {"www-authenticate": f'DPoP error="{why}", algs="ES256", {self._challenge}'}
            await Response(None, 401, {**said, "dpop-nonce": self._number})(scope, receive, send)

    def _wrong(self, request: Request, token: str) -> str | None:
        try:
            (proof,) = request.headers.getlist("dpop")
            head = jwt.get_unverified_header(proof)
            said = jwt.decode(proof, jwt.PyJWK(head["jwk"], "ES256"), ["ES256"])
            bound = jwt.decode(token, options={"verify_signature": False})["cnf"]["jkt"]
            told = (head["typ"], said["htm"], said["htu"], said["ath"], thumbprint(head["jwk"]))
            number, jti, is_recent = said.get("nonce"), said["jti"], abs(time.time() - said["iat"]) < RECENT
        except (jwt.PyJWTError, LookupError, ValueError):
            return "invalid_dpop_proof"
        wanted = ("dpop+jwt", request.method, self._url, digest(token.encode()), bound)
        if number != self._number:
            return "use_dpop_nonce"
        if told != wanted or jti in self._seen or not is_recent:
            return "invalid_dpop_proof"
        self._seen.add(jti)
        return None


def thumbprint(key: dict[str, Any]) -> str:
    """What a token that is bound to this key says of it (RFC 7638)."""
    needed = {name: key[name] for name in PUBLIC}
    return digest(json.dumps(needed, separators=(",", ":"), sort_keys=True).encode())


def digest(raw: bytes) -> str:
    return urlsafe_b64encode(sha256(raw).digest()).decode().rstrip("=")
