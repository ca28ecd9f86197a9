"""Tokens in use: renewed before they run out, once for each, and never at the cost of newer ones."""

from __future__ import annotations

import asyncio
import json
import threading
from dataclasses import replace
from typing import Any

import pytest
from tests.auth.authority import ASKED, Asked, Said, Turned
from tests.auth.issuer import Issuer, no, visit

from mooring.auth.accounts import Accounts
from mooring.auth.bearer import Bearer
from mooring.auth.vault import Record, Tokens, Vault
from mooring.core.spec import OAuth, RemoteSpec
from mooring.errors import HttpRefused, LoginFailed

BACK = "http://127.0.0.1:19876/mcp/oauth/callback"


class Clock:
    now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def spec(there: Issuer, **oauth: Any) -> RemoteSpec:
    return RemoteSpec(name="docs", url=there.url, oauth=OAuth(**oauth))


async def logged_in(vault: Vault, there: Issuer, clock: Clock) -> Bearer:
    accounts = Accounts(vault, clock=clock)
    login = await accounts.begin(spec(there), BACK)
    await accounts.deliver(spec(there), login, visit(login.visit))
    there.here.asked.clear()
    return again(vault, there, clock)


def again(vault: Vault, there: Issuer, clock: Clock) -> Bearer:
    """As another process, or a later one, would begin."""
    bearer = Accounts(vault, clock=clock).credentials(spec(there))
    assert bearer is not None
    return bearer


def kept(vault: Vault, there: Issuer) -> Record:
    record = vault.open("docs", there.url)
    assert record is not None
    return record


async def test_a_token_that_is_good_is_sent_without_asking_anybody(
    vault: Vault, there: Issuer, clock: Clock
) -> None:
    bearer = await logged_in(vault, there, clock)
    first = await bearer.headers("POST", ASKED)
    clock.now += 3500
    assert await bearer.headers("POST", ASKED) == first
    assert there.here.asked == []


async def test_a_restart_with_an_old_token_renews_it_silently(
    vault: Vault, there: Issuer, clock: Clock
) -> None:
    first = await (await logged_in(vault, there, clock)).headers("POST", ASKED)
    clock.now += 100_000
    second = await again(vault, there, clock).headers("POST", ASKED)
    assert second != first
    assert there.here.paths() == ["POST /token"]
    assert second == await again(vault, there, clock).headers("POST", ASKED)
    (asked,) = there.here.asked
    assert asked.form["grant_type"] == "refresh_token"
    assert asked.form["resource"] == there.url


async def test_many_tasks_renew_once(vault: Vault, there: Issuer, clock: Clock) -> None:
    bearer = await logged_in(vault, there, clock)
    clock.now += 3600
    found = await asyncio.gather(*(bearer.headers("POST", ASKED) for _ in range(50)))
    assert len({shown["authorization"] for shown in found}) == 1
    assert there.here.paths() == ["POST /token"]


async def test_many_connections_renew_once(vault: Vault, there: Issuer, clock: Clock) -> None:
    await logged_in(vault, there, clock)
    bearers = [again(vault, there, clock) for _ in range(6)]
    clock.now += 3600
    found = await asyncio.gather(*(bearer.headers("POST", ASKED) for bearer in bearers))
    assert len({shown["authorization"] for shown in found}) == 1
    assert there.here.paths() == ["POST /token"]


async def test_a_refusal_of_an_old_token_takes_the_newer_one_of_another_process(
    vault: Vault, there: Issuer, clock: Clock
) -> None:
    ours = await logged_in(vault, there, clock)
    sent = await ours.headers("POST", ASKED)
    clock.now += 3600
    theirs = await again(vault, there, clock).headers("POST", ASKED)
    clock.now -= 3600
    assert await ours.refused(ASKED, Turned(), sent)
    assert await ours.headers("POST", ASKED) == theirs
    assert there.here.paths() == ["POST /token"]


async def test_a_token_that_was_taken_back_is_renewed_once_and_not_for_ever(
    vault: Vault, there: Issuer, clock: Clock
) -> None:
    bearer = await logged_in(vault, there, clock)
    sent = await bearer.headers("POST", ASKED)
    assert await bearer.refused(ASKED, Turned(401, 'Bearer error="invalid_token"'), sent)
    newer = await bearer.headers("POST", ASKED)
    assert newer != sent
    assert await bearer.refused(ASKED, Turned(), sent), "who sent the old one only has to send the new one"
    assert not await bearer.refused(ASKED, Turned(), newer)
    assert there.here.paths() == ["POST /token"]


async def test_many_that_are_refused_at_once_wait_for_the_same_renewal(
    vault: Vault, there: Issuer, clock: Clock
) -> None:
    bearer = await logged_in(vault, there, clock)
    sent = await bearer.headers("POST", ASKED)
    refused = await asyncio.gather(*(bearer.refused(ASKED, Turned(), sent) for _ in range(10)))
    assert refused == [True] * 10
    assert there.here.paths() == ["POST /token"]


async def test_more_scope_is_nothing_that_renewing_brings(vault: Vault, there: Issuer, clock: Clock) -> None:
    bearer = await logged_in(vault, there, clock)
    challenge = 'Bearer error="insufficient_scope", scope="write"'
    assert not await bearer.refused(ASKED, Turned(403, challenge), await bearer.headers("POST", ASKED))
    assert there.here.asked == []


async def test_a_login_that_is_over_sends_nothing_and_keeps_the_client(
    vault: Vault, there: Issuer, clock: Clock
) -> None:
    bearer = await logged_in(vault, there, clock)
    sent = await bearer.headers("POST", ASKED)
    there.refresh.clear()
    clock.now += 4000
    assert await bearer.headers("POST", ASKED) == {}
    assert not await bearer.refused(ASKED, Turned(), {})
    assert not await bearer.refused(ASKED, Turned(), sent)
    assert kept(vault, there).tokens is None
    assert kept(vault, there).client is not None
    assert there.here.paths() == ["POST /token"]
    assert Accounts(vault, clock=clock).credentials(spec(there)) is None


async def test_while_the_old_token_still_works_it_is_used(vault: Vault, there: Issuer, clock: Clock) -> None:
    bearer = await logged_in(vault, there, clock)
    sent = await bearer.headers("POST", ASKED)
    there.refresh.clear()
    clock.now += 3590
    assert await bearer.headers("POST", ASKED) == sent
    clock.now += 5
    assert await bearer.headers("POST", ASKED) == sent
    assert there.here.paths() == ["POST /token"]


async def test_a_client_that_is_not_known_any_more_is_forgotten(
    vault: Vault, there: Issuer, clock: Clock
) -> None:
    bearer = await logged_in(vault, there, clock)
    there.clients.clear()
    clock.now += 4000
    assert await bearer.headers("POST", ASKED) == {}
    assert kept(vault, there).client is None


@pytest.mark.parametrize("answer", [Said(503), Said(429), Said(500, b"<html>")])
async def test_trouble_at_the_token_endpoint_costs_nothing(
    vault: Vault, there: Issuer, clock: Clock, answer: Said
) -> None:
    bearer = await logged_in(vault, there, clock)
    before, sent = kept(vault, there), await bearer.headers("POST", ASKED)
    healthy, there.here.answers["POST /token"] = there.here.answers["POST /token"], answer
    clock.now += 3550
    assert await bearer.headers("POST", ASKED) == sent
    assert await bearer.headers("POST", ASKED) == sent
    assert len(there.here.asked) == 1, "it is left alone for a while"
    clock.now += 60
    with pytest.raises(HttpRefused):
        await bearer.headers("POST", ASKED)
    assert kept(vault, there) == before
    there.here.answers["POST /token"] = healthy
    assert await bearer.headers("POST", ASKED) != sent


async def test_another_no_changes_nothing_and_is_said(vault: Vault, there: Issuer, clock: Clock) -> None:
    bearer = await logged_in(vault, there, clock)
    before = kept(vault, there)
    assert before.tokens is not None
    assert before.tokens.refresh is not None
    there.here.answers["POST /token"] = no("invalid_scope", error_description=f"of {before.tokens.refresh}")
    clock.now += 4000
    with pytest.raises(LoginFailed, match="invalid_scope") as caught:
        await bearer.headers("POST", ASKED)
    assert before.tokens.refresh not in caught.value.sentence
    assert kept(vault, there) == before


async def test_a_login_that_comes_in_between_is_never_overwritten(
    vault: Vault, there: Issuer, clock: Clock
) -> None:
    bearer = await logged_in(vault, there, clock)

    def meanwhile(asked: Asked) -> Said:
        vault.put(replace(kept(vault, there), tokens=Tokens("newest", "newest-refresh", clock.now + 9999)))
        return no("invalid_grant")

    there.here.answers["POST /token"] = meanwhile
    clock.now += 4000
    assert await bearer.headers("POST", ASKED) == {"authorization": "Bearer newest"}
    tokens = kept(vault, there).tokens
    assert tokens is not None
    assert tokens.refresh == "newest-refresh"


async def test_a_logout_elsewhere_ends_it_here(vault: Vault, there: Issuer, clock: Clock) -> None:
    bearer = await logged_in(vault, there, clock)
    vault.forget("docs", there.url)
    clock.now += 4000
    assert await bearer.headers("POST", ASKED) == {}
    assert there.here.asked == []


async def test_who_stops_waiting_does_not_stop_the_renewal(vault: Vault, there: Issuer, clock: Clock) -> None:
    bearer = await logged_in(vault, there, clock)
    asked, go = asyncio.Event(), threading.Event()
    loop, healthy = asyncio.get_running_loop(), there.token

    def slow(request: Asked) -> Said:
        loop.call_soon_threadsafe(asked.set)
        go.wait(10)
        return healthy(request)

    there.here.answers["POST /token"] = slow
    clock.now += 4000
    waiting = asyncio.create_task(bearer.headers("POST", ASKED))
    await asked.wait()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    go.set()
    assert await bearer.headers("POST", ASKED) != {}
    assert len(there.here.asked) == 1
    assert kept(vault, there).generation == 2


async def test_an_answer_without_a_refresh_token_keeps_the_old_one(
    vault: Vault, there: Issuer, clock: Clock
) -> None:
    bearer = await logged_in(vault, there, clock)
    before = kept(vault, there).tokens
    there.here.answers["POST /token"] = {"access_token": "next", "token_type": "bearer", "expires_in": "60"}
    clock.now += 4000
    assert await bearer.headers("POST", ASKED) == {"authorization": "Bearer next"}
    tokens = kept(vault, there).tokens
    assert before is not None
    assert tokens == Tokens("next", before.refresh, clock.now + 60, before.scope, clock.now)


async def test_a_token_without_an_end_is_used_until_it_is_refused(
    vault: Vault, there: Issuer, clock: Clock
) -> None:
    bearer = await logged_in(vault, there, clock)
    there.here.answers["POST /token"] = {"access_token": "endless"}
    clock.now += 4000
    assert await bearer.headers("POST", ASKED) == {"authorization": "Bearer endless"}
    clock.now += 10_000_000
    assert await bearer.headers("POST", ASKED) == {"authorization": "Bearer endless"}
    assert len(there.here.asked) == 1


async def test_what_came_from_elsewhere_without_an_issuer_is_used_and_never_renewed(
    vault: Vault, there: Issuer, clock: Clock
) -> None:
    """A server could name its own authorization server, and would be sent the refresh token of another."""
    vault.put(Record("docs", there.url, tokens=Tokens("theirs", "refresh", clock.now - 1), source="opencode"))
    bearer = again(vault, there, clock)
    assert await bearer.headers("POST", ASKED) == {"authorization": "Bearer theirs"}
    assert not await bearer.refused(ASKED, Turned(), await bearer.headers("POST", ASKED))
    assert there.here.asked == []


@pytest.mark.parametrize("skew", [-300, 300])
async def test_a_clock_that_is_wrong_by_minutes_does_no_harm(
    vault: Vault, there: Issuer, clock: Clock, skew: float
) -> None:
    bearer = await logged_in(vault, there, clock)
    clock.now += 3600 + skew
    sent = await bearer.headers("POST", ASKED)
    if skew < 0:
        # We think that it is good, and the server knows that it is not.
        assert await bearer.refused(ASKED, Turned(401, 'Bearer error="invalid_token"'), sent)
    assert await bearer.headers("POST", ASKED) != {}
    assert len(there.here.asked) == 1


async def test_short_lives_are_renewed_in_their_last_fifth(vault: Vault, there: Issuer, clock: Clock) -> None:
    there.lasts = 10
    bearer = await logged_in(vault, there, clock)
    clock.now += 7
    await bearer.headers("POST", ASKED)
    assert there.here.asked == []
    clock.now += 2
    await bearer.headers("POST", ASKED)
    assert len(there.here.asked) == 1


async def test_a_full_disk_does_not_lose_what_came(
    vault: Vault, there: Issuer, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mooring.errors import StorageError

    bearer = await logged_in(vault, there, clock)

    def full(record: Record) -> Record:
        raise StorageError("no space")

    monkeypatch.setattr(vault, "put", full)
    clock.now += 4000
    shown = await bearer.headers("POST", ASKED)
    assert shown["authorization"].removeprefix("Bearer ") in there.access
    assert json.dumps(shown)


async def test_a_process_that_hangs_in_its_renewal_is_not_waited_for_without_end(
    vault: Vault, there: Issuer, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    bearer = await logged_in(vault, there, clock)
    turn = vault.turn
    monkeypatch.setattr(vault, "turn", lambda name, url: turn(name, url, 0.05))
    clock.now += 4000
    other = Vault(vault._folder)
    with other.turn("docs", there.url), pytest.raises(LoginFailed, match="another process"):
        await bearer.headers("POST", ASKED)
    assert there.here.asked == []
    assert await bearer.headers("POST", ASKED) != {}


async def test_a_refresh_token_that_is_bad_in_somebodys_own_words_is_over(
    vault: Vault, there: Issuer, clock: Clock
) -> None:
    bearer = await logged_in(vault, there, clock)
    there.here.answers["POST /token"] = Said(200, b'{"error": "bad_refresh_token"}')
    clock.now += 4000
    assert await bearer.headers("POST", ASKED) == {}
    assert kept(vault, there).tokens is None
