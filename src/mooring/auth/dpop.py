"""Proof, with every request, that a token is used by whom it was given to."""

from __future__ import annotations

import base64
import hashlib
import secrets
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

__all__ = ["ALGORITHM", "Prover", "new_key"]

ALGORITHM = "ES256"
TOLERATED = 20.0


def new_key() -> str:
    """A private key, as text to be kept beside the token that is bound to it."""
    from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 - few servers ask for it
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415

    return (
        ec.generate_private_key(ec.SECP256R1())
        .private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        .decode()
    )


class Prover:
    """Holds a key, and for each origin the number that it wants to see in the next proof."""

    def __init__(self, pem: str) -> None:
        from cryptography.hazmat.primitives.serialization import load_pem_private_key  # noqa: PLC0415

        key: Any = load_pem_private_key(pem.encode(), None)
        self._key: EllipticCurvePrivateKey = key
        self._public = _public(self._key)
        self._nonces: dict[str, str] = {}
        self._ahead = 0.0

    def proof(self, method: str, url: str, now: float, token: str | None = None) -> str:
        """For one request, and with a token for no other."""
        import jwt  # noqa: PLC0415

        said: dict[str, Any] = {
            "jti": secrets.token_urlsafe(16),
            "htm": method,
            "htu": _plain(url),
            "iat": int(now + self._ahead),
        }
        if token is not None:
            said["ath"] = _encoded(hashlib.sha256(token.encode()).digest())
        if (nonce := self._nonces.get(_origin(url))) is not None:
            said["nonce"] = nonce
        head = {"typ": "dpop+jwt", "jwk": self._public}
        return jwt.encode(said, self._key, algorithm=ALGORITHM, headers=head)

    def set_clock(self, ahead: float) -> bool:
        """Whether others are so far ahead of us, or behind, that one more try is worth it."""
        if abs(ahead - self._ahead) < TOLERATED:
            return False
        self._ahead = ahead
        return True

    def learn(self, url: str, nonce: str | None) -> bool:
        """Whether that is another number than the last one, so that one more try is worth it."""
        if not nonce or self._nonces.get(_origin(url)) == nonce:
            return False
        self._nonces[_origin(url)] = nonce
        return True

    def knows_more(self, url: str, proof: str) -> bool:
        """Whether a number was heard since: of many that are refused at once, only one hears it first."""
        import jwt  # noqa: PLC0415

        if not proof:
            return False
        said: dict[str, Any] = jwt.decode(proof, options={"verify_signature": False})
        return said.get("nonce") != self._nonces.get(_origin(url))


def _public(key: EllipticCurvePrivateKey) -> dict[str, str]:
    point = key.public_key().public_numbers()
    x, y = (_encoded(each.to_bytes(32, "big")) for each in (point.x, point.y))
    return {"kty": "EC", "crv": "P-256", "x": x, "y": y}


def _encoded(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _plain(url: str) -> str:
    return urlsplit(url)._replace(query="", fragment="").geturl()
