"""Servers met anew, without what is remembered of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.host.conftest import config, spec
from tests.host.scripted import TOOL, Scripted

from mooring.core.changes import Changes, Delta
from mooring.core.renewal import Known, Renewal
from mooring.core.server_view import ServerView
from mooring.core.spec import BadServer, Entry
from mooring.core.status import Connected, Disabled, Failed, NeedsAuth
from mooring.errors import BadEntry
from mooring.host import open_host
from mooring.testing import dial_to

OTHER = {**TOOL, "name": "tock"}


async def renewed(folder: Path, server: Any, entry: Entry | None = None) -> Renewal:
    entry = entry or spec("it")
    async with open_host(
        config(entry, mooring={"pins": "off"}), cwd=folder, dial=dial_to({"it": server}), only=()
    ) as host:
        return await host.renew("it")


async def test_a_server_is_asked_everything_again_and_compared_with_what_was_known(tmp_path: Path) -> None:
    server = Scripted([TOOL, {**TOOL, "name": "gone"}])
    first = await renewed(tmp_path, server)
    assert (first.known, server.asked["server/discover"]) == (None, 1)
    again = await renewed(tmp_path, server)
    assert again.known == Known("legacy", "1", 2, 0, 0, 0)
    assert (again.changes, again.is_different) == (Changes(), False)
    # What is remembered would have spared it this question.
    assert server.asked["server/discover"] == 2
    server.tools = [{**TOOL, "description": "new words"}, OTHER]
    found = await renewed(tmp_path, server)
    assert found.changes == Changes(Delta(added=("it_tock",), removed=("it_gone",), changed=("it_tick",)))
    assert found.is_different
    assert not (await renewed(tmp_path, server)).is_different


async def test_a_server_that_is_connected_gets_a_new_connection(tmp_path: Path) -> None:
    server = Scripted()
    async with open_host(
        config(spec("it"), mooring={"pins": "off"}), cwd=tmp_path, dial=dial_to({"it": server})
    ) as host:
        await host.ready()
        server.tools = [TOOL, OTHER]
        found = await host.renew("it")
        assert found.changes.tools == Delta(added=("it_tock",))
        assert (await host.call(None, "it_tock")).text == "tock done"
    assert server.connections == 2


async def test_a_lazy_server_starts_with_what_it_lists_now(tmp_path: Path) -> None:
    server, lazy = Scripted(), spec("it", lazy=True)
    await renewed(tmp_path, server, lazy)
    server.tools = [OTHER]
    await renewed(tmp_path, server, lazy)
    async with open_host(
        config(lazy, mooring={"pins": "off"}), cwd=tmp_path, dial=dial_to({"it": server})
    ) as host:
        assert [tool.name for tool in host.catalog.tools()] == ["it_tock"]
    assert server.connections == 2


async def test_of_one_that_does_not_work_nothing_is_remembered_and_nothing_is_said_to_be_gone(
    tmp_path: Path,
) -> None:
    server = Scripted()
    await renewed(tmp_path, server)
    server.on["tools_list"] = {"error": {"code": -32603, "message": "no"}}
    found = await renewed(tmp_path, server)
    assert isinstance(found.view.status, Failed)
    assert (found.known is not None, found.changes) == (True, Changes())
    del server.on["tools_list"]
    assert (await renewed(tmp_path, server)).known is None


async def test_one_that_is_switched_off_or_makes_no_sense_is_not_started(tmp_path: Path) -> None:
    server = Scripted()
    await renewed(tmp_path, server)
    found = await renewed(tmp_path, server, spec("it", enabled=False))
    assert (found.view.status, found.known is not None) == (Disabled(), True)
    bad = await renewed(tmp_path, server, BadServer("it", (BadEntry("x"),)))
    assert isinstance(bad.view.status, Failed)
    assert server.connections == 1


def test_an_era_or_a_version_that_is_another_one_is_a_difference():
    def met(status: Any, protocol: str) -> Renewal:
        return Renewal(ServerView(name="it", status=status), Known(protocol, "1", 0, 0, 0, 0), Changes())

    new = Connected("2026-07-28", server_version="2")
    assert met(new, "legacy").protocol == ("legacy", "2026-07-28")
    assert met(new, "2026-07-28").protocol is None
    assert met(new, "auto").protocol is None
    assert met(new, "legacy").version == ("1", "2")
    assert met(Connected("2025-06-18", server_version="1"), "legacy").is_different is False
    assert met(Connected("2025-06-18"), "2026-07-28").protocol == ("2026-07-28", "2025-06-18")
    assert met(NeedsAuth(), "legacy").is_different is False
