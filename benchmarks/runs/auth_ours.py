"""Seconds of fifty calls at once over HTTP, logged in to a server that wants that (`in`) or not (`out`).

It is the median of many such batches.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from serving import serving
from sessions import session_with

from mooring.auth.accounts import Accounts
from mooring.auth.bearer import Bearer
from mooring.auth.vault import Record, Registration, Tokens, Vault
from mooring.core.spec import RemoteSpec

AT_ONCE = 50
TOKEN = "20261120"


def logged_in(folder: Path, spec: RemoteSpec) -> Bearer:
    """As after a login that is good for an hour."""
    vault = Vault(folder)
    tokens = Tokens(TOKEN, expires_at=time.time() + 3600, refresh="more")
    vault.put(Record(spec.name, spec.url, spec.url, tokens, Registration("benchmark"), resource=spec.url))
    bearer = Accounts(vault).credentials(spec)
    assert bearer is not None
    return bearer


async def main(how: str, batches: int, program: Sequence[str]) -> float:
    wants = ("--token", TOKEN) if how == "in" else ()
    with serving([*program, *wants]) as address, tempfile.TemporaryDirectory() as folder:
        spec = RemoteSpec(name="echo", url=address)
        bearer = logged_in(Path(folder), spec) if how == "in" else None
        async with session_with(spec, bearer) as session:
            taken: list[float] = []
            for _ in range(batches + 1):
                started = time.perf_counter()
                calls = (session.call("echo", {"text": "hello"}) for _ in range(AT_ONCE))
                results = await asyncio.gather(*calls)
                taken.append(time.perf_counter() - started)
                assert not any(result.is_error for result in results)
            return statistics.median(taken[1:])


print(asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3:])))
