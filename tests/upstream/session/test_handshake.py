"""The first words with a server that does not take the first version it is offered."""

from __future__ import annotations

import pytest
from tests.upstream.scripted import LEGACY, MODERN, Scripted, order

from mooring.errors import NoCommonVersion
from mooring.testing import dial_to


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
