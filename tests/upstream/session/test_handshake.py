"""The first words with a server that does not take the first version it is offered."""

from __future__ import annotations

import asyncio
import gc

import pytest
from tests.turns import turns
from tests.upstream.scripted import LEGACY, MODERN, Scripted, order

from mooring.core.spec import Timeouts
from mooring.errors import BadMessage, NoCommonVersion, ServerError, StartTimeout
from mooring.testing import dial_to
from mooring.upstream.session import handshake


def hesitant(supported: list[str], times: int) -> Scripted:
    """Refuses the first questions of the new era, and says which versions it would take."""
    server = Scripted(MODERN, {})
    found = server._answers["server/discover"]

    def discover(identity: object, params: object) -> None:
        asked = [each for each in server.messages if each["method"] == "server/discover"]
        refusal = (-32022, "Unsupported protocol version", {"supported": supported})
        server.answer(identity, refusal if len(asked) <= times else found)

    server.on("server/discover", discover)
    return server


def asked(server: Scripted) -> list[str]:
    return [each["method"] for each in server.messages if "id" in each]


@pytest.mark.parametrize("protocol", ["auto", MODERN])
async def test_a_version_that_a_server_offers_instead_is_tried_once(protocol: str) -> None:
    server = hesitant([MODERN, "2031-01-01"], times=1)
    async with dial_to({"it": server})(order("it", protocol)) as session:
        assert session.agreed.protocol == MODERN
    assert asked(server) == ["server/discover", "server/discover"]


@pytest.mark.parametrize("protocol", ["auto", MODERN])
async def test_a_server_that_refuses_what_it_offers_is_not_asked_for_ever(protocol: str) -> None:
    server = hesitant([MODERN], times=100)
    with pytest.raises(NoCommonVersion):
        async with dial_to({"it": server})(order("it", protocol)):
            pass
    assert asked(server) == ["server/discover", "server/discover"]


async def test_a_server_that_offers_versions_of_the_old_era_only_is_greeted_in_the_old_way() -> None:
    server = Scripted(LEGACY, {"server/discover": (-32022, "Unsupported", {"supported": [LEGACY]})})
    async with dial_to({"it": server})(order("it")) as session:
        assert session.agreed.protocol == LEGACY


async def test_a_server_that_only_knows_versions_of_the_future_is_an_error_that_names_them() -> None:
    server = hesitant(["2031-01-01"], times=100)
    with pytest.raises(NoCommonVersion, match="2031-01-01"):
        async with dial_to({"it": server})(order("it")):
            pass


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
async def test_every_revision_of_the_old_era_is_spoken(version: str) -> None:
    server = Scripted(version, {})
    for protocol in ("auto", "legacy", version):
        async with dial_to({"it": server})(order("it", protocol)) as session:
            assert session.agreed.protocol == session.wire.protocol == version
            assert not session.agreed.is_modern
            assert session.agreed.name == "scripted"
    wanted = [params["protocolVersion"] for params in server.asked("initialize")]
    assert wanted == ["2025-11-25", "2025-11-25", version]
    assert len(server.asked("notifications/initialized")) == 3


async def test_another_version_than_the_one_that_is_set_is_refused() -> None:
    with pytest.raises(NoCommonVersion, match="`2025-11-25`, and not `2025-06-18`") as refused:
        async with dial_to({"it": Scripted(LEGACY, {})})(order("it", "2025-06-18")):
            pass
    assert "mcp.it.protocol" in refused.value.hint


@pytest.mark.parametrize("protocol", ["2031-01-01", "newest", ""])
async def test_a_version_that_nobody_knows_is_a_mistake_in_the_configuration(protocol: str) -> None:
    server = Scripted(LEGACY, {})
    with pytest.raises(NoCommonVersion, match="not known here"):
        async with dial_to({"it": server})(order("it", protocol)):
            pass
    assert server.messages == []


@pytest.mark.parametrize("version", ["1999-01-01", None, 7, "\x1b[31m"])
async def test_a_server_that_answers_a_version_of_its_own_is_refused(version: object) -> None:
    server = Scripted(LEGACY, {"initialize": {"protocolVersion": version, "capabilities": {}}})
    with pytest.raises(NoCommonVersion):
        async with dial_to({"it": server})(order("it")):
            pass


@pytest.mark.parametrize("answer", ["text", [1], {}, {"supportedVersions": "x"}, -32601, -32602, -32000, 0])
async def test_whatever_a_server_makes_of_the_probe_it_is_greeted_in_the_old_way(answer: object) -> None:
    server = Scripted(LEGACY, {"server/discover": answer})
    async with dial_to({"it": server})(order("it")) as session:
        assert session.agreed.protocol == LEGACY


async def test_a_greeting_that_is_no_map_is_an_error_that_says_so() -> None:
    with pytest.raises(BadMessage, match="`it` answered the handshake with no map"):
        async with dial_to({"it": Scripted(LEGACY, {"initialize": "hello"})})(order("it")):
            pass


async def test_odd_parts_of_a_greeting_count_as_missing() -> None:
    odd = {"protocolVersion": LEGACY, "capabilities": [], "serverInfo": "me", "instructions": {"a": 1}}
    async with dial_to({"it": Scripted(LEGACY, {"initialize": odd})})(order("it", "legacy")) as session:
        agreed = session.agreed
        assert (agreed.capabilities, agreed.name, agreed.version, agreed.instructions) == ({}, "", "", "")
        assert not agreed.can("tools")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handshake, "PROBE_WITHIN", 0.05)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("first", ["server/discover", "initialize"])
async def test_a_slow_server_of_the_new_era_alone_is_not_lost_by_its_refusal_of_the_greeting(
    first: str,
) -> None:
    server = Scripted(MODERN, {})
    waiting: dict[str, object] = {}

    def later(method: str):
        def keep(identity: object, params: object) -> None:
            waiting[method] = identity
            if len(waiting) == 2:
                answers = {"server/discover": server._answers["server/discover"], "initialize": -32601}
                for each in sorted(answers, key=lambda name: name != first):
                    server.answer(waiting[each], answers[each])

        return keep

    for method in ("server/discover", "initialize"):
        server.on(method, later(method))
    async with dial_to({"it": server})(order("it")) as session:
        assert session.agreed.protocol == session.wire.protocol == MODERN


@pytest.mark.usefixtures("impatient")
async def test_a_server_that_ignores_the_probe_is_greeted_meanwhile() -> None:
    server = Scripted(LEGACY, {})
    server.on("server/discover", lambda _identity, _params: None)
    async with dial_to({"it": server})(order("it")) as session:
        assert session.agreed.protocol == LEGACY
        assert session.wire.pending == 0


@pytest.mark.usefixtures("impatient")
async def test_a_server_that_refuses_the_greeting_and_ignores_the_probe_says_why() -> None:
    server = Scripted(LEGACY, {"initialize": (-32000, "no license", None)})
    server.on("server/discover", lambda _identity, _params: None)
    with pytest.raises(ServerError, match="no license"):
        async with dial_to({"it": server})(order("it")):
            pass


@pytest.mark.parametrize("protocol", ["auto", "legacy", MODERN])
async def test_a_silent_server_is_given_up_in_time(protocol: str) -> None:
    server = Scripted(LEGACY, {})
    for method in ("server/discover", "initialize"):
        server.on(method, lambda _identity, _params: None)
    with pytest.raises(StartTimeout, match=r"`it` did not answer the handshake within 0\.1 s") as late:
        async with dial_to({"it": server})(order("it", protocol, timeouts=Timeouts(start=0.1))):
            pass
    assert "mcp.it.timeout.start" in late.value.hint


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("after", range(1, 8))
async def test_a_greeting_that_is_given_up_twice_over_leaves_nobody_behind(after: int) -> None:
    problems: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, about: problems.append(about))
    server = Scripted(LEGACY, {})
    for method in ("server/discover", "initialize"):
        server.on(method, lambda _identity, _params: None)
    before = asyncio.all_tasks()

    async def dialled() -> None:
        async with dial_to({"it": server})(order("it")):
            pass

    dialling = asyncio.create_task(dialled())
    await server.heard("initialize")
    # the deadline, and a few turns of the loop later whoever stops the host
    dialling.cancel()
    await turns(after)
    dialling.cancel()
    await asyncio.wait([dialling], timeout=20)
    del dialling
    assert asyncio.all_tasks() == before
    gc.collect()
    assert problems == []


async def test_what_is_said_during_the_greeting_is_heard() -> None:
    server, heard = Scripted(LEGACY, {}), asyncio.Queue()

    def greet(identity: object, params: object) -> None:
        server.say(id="early", method="ping")
        server.say(method="notifications/message", params={"data": "starting"})
        server.answer(identity, server._answers["initialize"])
        server.say(method="notifications/message", params={"data": "started"})

    server.on("initialize", greet)
    wanted = order("it", "legacy", notice=lambda _method, params, _cause: heard.put_nowait(params["data"]))
    async with dial_to({"it": server})(wanted):
        assert [await heard.get(), await heard.get()] == ["starting", "started"]
        async with asyncio.timeout(5), server._came:
            await server._came.wait_for(lambda: any(each.get("id") == "early" for each in server.messages))
    assert {"jsonrpc": "2.0", "id": "early", "result": {}} in server.messages


async def test_in_the_new_era_every_request_says_who_asks() -> None:
    server = Scripted(MODERN, {"tools/list": {"tools": []}})
    async with dial_to({"it": server})(order("it")) as session:
        await session.ask("tools/list", {}, 5)
    for message in server.messages:
        meta = message["params"]["_meta"]
        assert meta["io.modelcontextprotocol/protocolVersion"] == MODERN
        assert meta["io.modelcontextprotocol/clientInfo"]["name"] == "mooring"
        assert meta["io.modelcontextprotocol/clientCapabilities"] == {}
