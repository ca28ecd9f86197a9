"""One login shared by many processes."""

from __future__ import annotations

import asyncio
import json
import sys
import textwrap
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest
from tests.auth.issuer import issuer, visit

from mooring.auth.accounts import Accounts
from mooring.auth.vault import Vault
from mooring.core.spec import RemoteSpec

pytestmark = pytest.mark.process

BACK = "http://127.0.0.1:19876/mcp/oauth/callback"
USE = textwrap.dedent(
    """
    import asyncio, json, sys
    from pathlib import Path
    from mooring.auth.accounts import Accounts
    from mooring.auth.vault import Vault
    from mooring.core.spec import RemoteSpec

    async def main():
        bearer = Accounts(Vault(Path(sys.argv[1]))).credentials(RemoteSpec(name="docs", url=sys.argv[2]))
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        shown = await asyncio.gather(*(bearer.headers("POST", sys.argv[2]) for _ in range(10)))
        print(json.dumps([each["authorization"] for each in shown]))

    asyncio.run(main())
    """
)


async def test_five_processes_with_ten_tasks_each_renew_a_token_once(tmp_path: Path) -> None:
    folder = tmp_path / "credentials"
    with issuer() as there:
        there.lasts = 0
        ours = RemoteSpec(name="docs", url=there.url)
        accounts = Accounts(Vault(folder))
        login = await accounts.begin(ours, BACK)
        await accounts.deliver(ours, login, visit(login.visit))
        there.here.asked.clear()
        there.lasts = 3600
        words = ["-c", USE, str(folder), there.url]
        running = [
            await asyncio.create_subprocess_exec(sys.executable, *words, stdin=PIPE, stdout=PIPE)
            for _ in range(5)
        ]
        try:
            for process in running:
                assert process.stdout is not None
                assert await process.stdout.readline() == b"ready\n"
            async with asyncio.timeout(50):
                said = await asyncio.gather(*(process.communicate(b"go\n") for process in running))
        finally:
            for process in running:
                if process.returncode is None:
                    process.kill()
                await process.wait()
        shown = {each for out, _ in said for each in json.loads(out)}
        assert len(shown) == 1
        assert there.here.paths() == ["POST /token"]


IN_VAIN = """
import sys
from pathlib import Path
from mooring.auth.accounts import Accounts
from mooring.auth.vault import Vault
from mooring.core.spec import RemoteSpec

spec = RemoteSpec(name="docs", url="https://a.example")
assert Accounts(Vault(Path(sys.argv[1]))).credentials(spec) is None
print([name for name in ("http.client", "httpx2", "jwt", "mcp", "mooring.auth.fetch") if name in sys.modules])
"""


async def test_where_nobody_has_logged_in_nothing_is_imported_to_find_that_out(tmp_path: Path) -> None:
    words = [sys.executable, "-c", IN_VAIN, str(tmp_path / "credentials")]
    process = await asyncio.create_subprocess_exec(*words, stdout=PIPE)
    async with asyncio.timeout(50):
        out, _ = await process.communicate()
    assert out.decode().strip() == "[]"
