"""What must outlive a process: which calls were made, what tools were when approved, what was allowed."""

from __future__ import annotations

from mooring.store.calls import Asked
from mooring.store.store import Store

__all__ = ["Asked", "Store"]
