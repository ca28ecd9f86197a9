"""A client's word about itself, signed with its key."""

from __future__ import annotations

import secrets
from dataclasses import field
from typing import Any

from mooring.core.frozen import frozen
from mooring.errors import LoginFailed

__all__ = ["Signer"]

WITHIN = 300
KIND = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
_BY_CURVE = {"secp256r1": "ES256", "secp384r1": "ES384", "secp521r1": "ES512"}
_KNOWN = ("ES256", "ES384", "ES512", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "EdDSA")


@frozen
class Signer:
    """`pem` is a private key; without an algorithm it is the usual one of such a key."""

    client: str
    pem: str = field(repr=False)
    algorithm: str | None = None

    def form(self, audience: str, now: float) -> dict[str, str]:
        """What stands in a request for tokens instead of a secret; `audience` is whose word it is for."""
        said = {
            "iss": self.client,
            "sub": self.client,
            "aud": audience,
            "iat": int(now),
            "exp": int(now) + WITHIN,
            "jti": secrets.token_urlsafe(16),
        }
        return {
            "client_id": self.client,
            "client_assertion_type": KIND,
            "client_assertion": self._signed(said),
        }

    def _signed(self, said: dict[str, Any]) -> str:
        import jwt  # noqa: PLC0415 - only who signs pays for it
        from cryptography.hazmat.primitives.serialization import load_pem_private_key  # noqa: PLC0415

        try:
            key = load_pem_private_key(self.pem.encode(), None)
            return jwt.encode(said, self.pem, algorithm=self.algorithm or _usual(key))
        except (ValueError, TypeError, NotImplementedError, jwt.PyJWTError) as error:
            raise LoginFailed(
                f"client: `{self.client}` has a key that cannot sign",
                hint=f"It is the text of a PEM file; `oauth.algorithm` is one of {', '.join(_KNOWN)}",
                step="client",
            ) from error


def _usual(key: object) -> str:
    from cryptography.hazmat.primitives.asymmetric import ec, rsa  # noqa: PLC0415

    match key:
        case ec.EllipticCurvePrivateKey():
            return _BY_CURVE.get(key.curve.name, "ES256")
        case rsa.RSAPrivateKey():
            return "RS256"
        case _:
            return "EdDSA"
