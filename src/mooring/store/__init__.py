"""What must outlive a process: which calls were made, and how they went."""

from __future__ import annotations

from mooring.store.calls import Asked
from mooring.store.store import Store

__all__ = ["Asked", "Store"]
