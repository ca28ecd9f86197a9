"""Templates of addresses: which addresses could have been made from one."""

from __future__ import annotations

import re

__all__ = ["could_be"]

_GAP = re.compile(r"\{([^{}]*)\}")


def could_be(template: str, uri: str) -> bool:
    """The text around the gaps; what stands in them is for the server to judge."""
    pattern, at = "", 0
    for gap in _GAP.finditer(template):
        pattern += re.escape(template[at : gap.start()]) + (".*" if gap[1][:1] in "+#/?&;." else "[^/]*")
        at = gap.end()
    return re.fullmatch(pattern + re.escape(template[at:]), uri) is not None
