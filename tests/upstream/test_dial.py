"""The kind of an entry decides how it is dialled."""

from __future__ import annotations

from pathlib import Path

import pytest

from mooring.core.spec import LocalSpec, RemoteSpec
from mooring.errors import CommandNotFound, MooringError
from mooring.upstream.dial import dialer
from mooring.upstream.ground import Ground
from mooring.upstream.order import Order
from mooring.upstream.stdio.reaper import Reaper


async def test_a_local_entry_is_a_program_to_start(tmp_path: Path) -> None:
    dial = dialer(Ground({"PATH": "/nowhere"}, tmp_path, Reaper()))
    with pytest.raises(CommandNotFound, match="no-such-program"):
        async with dial(Order(LocalSpec(name="notes", command="no-such-program"))):
            pass


SECRET = "hunter2-xyzzy"


@pytest.mark.parametrize(
    "spec",
    [
        LocalSpec(name="x", command=SECRET),
        LocalSpec(name="x", command=f"/nowhere/{SECRET}"),
        LocalSpec(name="x", command="/bin/sh", cwd=f"/nowhere/{SECRET}"),
        LocalSpec(name="x", command="/bin/sh", env_file=f"/nowhere/{SECRET}"),
        RemoteSpec(name="x", url=f"ftp://{SECRET}"),
        RemoteSpec(name="x", url=f"http://127.0.0.1:99999/{SECRET}"),
        RemoteSpec(name="x", url="http://127.0.0.1:9", headers_command=(SECRET,)),
    ],
    ids=["command", "path", "cwd", "envFile", "scheme", "port", "headersCommand"],
)
async def test_what_a_reference_stood_for_is_in_no_error(
    tmp_path: Path, spec: LocalSpec | RemoteSpec
) -> None:
    dial = dialer(Ground({"PATH": "/nowhere"}, tmp_path, Reaper()))
    with pytest.raises(MooringError) as caught:
        async with dial(Order(spec, secrets=(SECRET,))):
            pass
    assert SECRET not in f"{caught.value} {caught.value.sentence} {caught.value.hint}"
    assert "***" in caught.value.sentence
