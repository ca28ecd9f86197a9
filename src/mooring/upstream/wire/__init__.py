"""JSON-RPC over byte streams, fast: what is not needed is not parsed."""

from __future__ import annotations

from mooring.upstream.wire.engine import Carrier, OnNotice, Wire
from mooring.upstream.wire.envelope import decode, encode
from mooring.upstream.wire.serving import Inbound, OnRequest
from mooring.upstream.wire.slot import Progress, Slot, Terms

__all__ = [
    "Carrier",
    "Inbound",
    "OnNotice",
    "OnRequest",
    "Progress",
    "Slot",
    "Terms",
    "Wire",
    "decode",
    "encode",
]
