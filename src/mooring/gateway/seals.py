"""What a server wants to be told again, closed so that a client can neither change nor use it elsewhere."""

from __future__ import annotations

import base64
import binascii
import hmac
import secrets
from hashlib import sha256

from msgspec import DecodeError, Raw, Struct, ValidationError
from msgspec.json import Decoder

from mooring.errors import NotUnderstood
from mooring.gateway.messages import INVALID_PARAMS
from mooring.upstream.wire import encode

__all__ = ["Seals"]

DIGEST = 32


class _Head(Struct, rename="camel"):
    result_type: str = "complete"
    request_state: str | None = None


_HEAD = Decoder(_Head).decode
_MAP = Decoder(dict[str, Raw]).decode


class Seals:
    """A key of this process; `of` is whose state it is, and what it is about."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(DIGEST)

    def closed(self, result: bytes, of: tuple[object, ...]) -> bytes:
        """A result that asks back, with its state closed; every other one as it is."""
        if b'"input_required"' not in result:
            return result
        try:
            head = _HEAD(result)
            if head.result_type != "input_required" or head.request_state is None:
                return result
            members = _MAP(result)
        except (DecodeError, ValidationError, RecursionError):
            return result
        state = head.request_state.encode()
        sealed = base64.urlsafe_b64encode(self._digest(state, of) + state).decode()
        return encode({**members, "requestState": sealed})

    def opened(self, sealed: str, of: tuple[object, ...]) -> str:
        try:
            whole = base64.b64decode(sealed.encode(), altchars=b"-_", validate=True)
        except (binascii.Error, ValueError):
            whole = b""
        digest, state = whole[:DIGEST], whole[DIGEST:]
        if not hmac.compare_digest(digest, self._digest(state, of)):
            raise NotUnderstood(
                "`requestState` is not what this request was given", hint="Begin anew", number=INVALID_PARAMS
            )
        return state.decode()

    def _digest(self, state: bytes, of: tuple[object, ...]) -> bytes:
        return hmac.new(self._key, repr(of).encode() + b"\0" + state, sha256).digest()
