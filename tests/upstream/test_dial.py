"""The kind of an entry decides how it is dialled."""

from __future__ import annotations

from pathlib import Path

import pytest

from mooring.core.spec import LocalSpec
from mooring.errors import CommandNotFound
from mooring.upstream.dial import dialer
from mooring.upstream.ground import Ground
from mooring.upstream.order import Order
from mooring.upstream.stdio.reaper import Reaper


async def test_a_local_entry_is_a_program_to_start(tmp_path: Path) -> None:
    dial = dialer(Ground({"PATH": "/nowhere"}, tmp_path, Reaper()))
    with pytest.raises(CommandNotFound, match="no-such-program"):
        async with dial(Order(LocalSpec(name="notes", command="no-such-program"))):
            pass
