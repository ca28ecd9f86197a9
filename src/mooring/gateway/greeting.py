"""The first words with a client: which revision is spoken, who we are, and what there is."""

from __future__ import annotations

from collections.abc import Mapping

from mooring import __version__
from mooring.core.values import JSON
from mooring.gateway.translate import FRESH
from mooring.upstream.session.eras import HANDSHAKE, LATEST_HANDSHAKE, META, MODERN
from mooring.upstream.wire import encode

__all__ = ["agreed", "discovered", "initialized"]

ABOUT = {"name": "mooring", "title": "Mooring", "version": __version__}
CAPABILITIES: Mapping[str, JSON] = {
    "tools": {"listChanged": True},
    "resources": {"listChanged": True, "subscribe": True},
    "prompts": {"listChanged": True},
    "completions": {},
    "logging": {},
}


def agreed(wanted: str) -> str:
    """Of the versions that are greeted for: the client's, or the newest one."""
    return wanted if wanted in HANDSHAKE else LATEST_HANDSHAKE


def initialized(version: str, instructions: str) -> bytes:
    said: dict[str, JSON] = {
        "protocolVersion": version,
        "capabilities": CAPABILITIES,
        "serverInfo": ABOUT,
    }
    return encode({**said, "instructions": instructions} if instructions else said)


def discovered(instructions: str) -> bytes:
    said: dict[str, JSON] = {
        "supportedVersions": list(MODERN),
        "capabilities": CAPABILITIES,
        "_meta": {f"{META}serverInfo": ABOUT},
    }
    more = {"instructions": instructions} if instructions else {}
    return b"{%b,%b" % (FRESH, encode({**said, **more})[1:])
