"""A tool's JSON Schema as each model family accepts it."""

from __future__ import annotations

from mooring.core.schema.family import Family, family_of
from mooring.core.schema.repair import Repaired, for_family
from mooring.core.schema.repairs import Repair

__all__ = ["Family", "Repair", "Repaired", "family_of", "for_family"]
