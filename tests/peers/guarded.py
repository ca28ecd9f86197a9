"""A server on the SDK that lets in whom the authorization server sends: `guarded.py ISSUER PORT [proofs]`."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from typing import Any

import jwt
import uvicorn
from mcp.server import MCPServer
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from proofs import Proven
from pydantic import AnyHttpUrl
from starlette.types import ASGIApp


class Verifier:
    """A token counts if the authority signed it for exactly this server."""

    def __init__(self, issuer: str, resource: str) -> None:
        self._issuer = issuer
        self._resource = resource
        self._keys = jwt.PyJWKClient(f"{issuer}/jwks")

    async def verify_token(self, token: str) -> AccessToken | None:
        try:
            claims = await asyncio.to_thread(self._claims, token)
        except jwt.PyJWTError:
            return None
        return AccessToken(
            token=token,
            client_id=claims["client_id"],
            scopes=claims.get("scope", "").split(),
            expires_at=claims["exp"],
            resource=claims["aud"],
        )

    def _claims(self, token: str) -> dict[str, Any]:
        key = self._keys.get_signing_key_from_jwt(token)
        return jwt.decode(token, key, ["RS256"], audience=self._resource, issuer=self._issuer)


def main() -> None:
    issuer, port = sys.argv[1], int(sys.argv[2])
    resource = f"http://127.0.0.1:{port}/mcp"
    server = MCPServer(
        "guarded",
        token_verifier=Verifier(issuer, resource),
        auth=AuthSettings(
            issuer_url=AnyHttpUrl(issuer),
            resource_server_url=AnyHttpUrl(resource),
            required_scopes=["notes:read"],
            validate_token_resource=True,
        ),
    )

    @server.tool()
    def add(title: str) -> str:
        """Keeps a note."""
        return f"kept: {title}"

    listening = socket.socket(fileno=int(os.environ["LISTEN_FD"]))
    app: ASGIApp = server.streamable_http_app()
    if "proofs" in sys.argv[3:]:
        metadata = f"http://127.0.0.1:{port}/.well-known/oauth-protected-resource/mcp"
        app = Proven(app, "/mcp", resource, f'resource_metadata="{metadata}", scope="notes:read"')
    config = uvicorn.Config(app, log_level="error")
    uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
