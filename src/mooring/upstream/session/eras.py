"""The revisions of the protocol that we speak, and what is written differently in each era."""

from __future__ import annotations

__all__ = ["HANDSHAKE", "LATEST_HANDSHAKE", "META", "MODERN", "UNSUPPORTED_VERSION", "is_modern"]

HANDSHAKE = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
LATEST_HANDSHAKE = HANDSHAKE[-1]
MODERN = ("2026-07-28",)
META = "io.modelcontextprotocol/"
UNSUPPORTED_VERSION = -32022


def is_modern(version: str) -> bool:
    return version in MODERN
