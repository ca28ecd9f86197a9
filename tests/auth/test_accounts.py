"""Logins from beginning to end: begun, delivered, used, given up; and what must not happen on the way."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import msgspec
import pytest
from tests.auth.authority import ASKED, Said, describe
from tests.auth.issuer import Issuer, issuer, no, visit

from mooring.auth.accounts import Accounts
from mooring.auth.login import Login
from mooring.auth.vault import Record, Vault
from mooring.core.spec import OAuth, RemoteSpec
from mooring.core.status import NeedsAuth, NeedsClientRegistration
from mooring.errors import LoginDenied, LoginFailed, MooringError, NeedsRegistration

BACK = "http://127.0.0.1:19876/mcp/oauth/callback"
NOW = 1_800_000_000.0


@pytest.fixture
def accounts(vault: Vault) -> Accounts:
    return Accounts(vault, clock=lambda: NOW)


def spec(there: Issuer, **oauth: Any) -> RemoteSpec:
    return RemoteSpec(name="docs", url=there.url, oauth=OAuth(**oauth))


async def log_in(accounts: Accounts, ours: RemoteSpec, challenge: str = "") -> Record:
    login = await accounts.begin(ours, BACK, challenge=challenge)
    return await accounts.deliver(ours, login, visit(login.visit))


def stored(vault: Vault) -> list[Record | MooringError]:
    return vault.records()


# --- all is well


async def test_a_login_ends_in_a_record_that_opens_the_door(
    accounts: Accounts, vault: Vault, there: Issuer
) -> None:
    ours = spec(there)
    assert accounts.credentials(ours) is None
    record = await log_in(accounts, ours)
    assert stored(vault) == [record]
    assert record.issuer == there.here.origin
    assert record.resource == there.url
    assert record.tokens is not None
    assert record.tokens.expires_at == NOW + 3600
    bearer = accounts.credentials(ours)
    assert bearer is not None
    assert await bearer.headers("POST", ASKED) == {"authorization": f"Bearer {record.tokens.access}"}


async def test_what_is_asked_for_is_what_the_protocol_wants(accounts: Accounts, there: Issuer) -> None:
    await log_in(accounts, spec(there))
    (begun,) = there.visits
    assert begun["resource"] == there.url
    assert begun["redirect_uri"] == BACK
    assert len(begun["state"]) >= 32
    assert "scope" not in begun
    (registration,) = there.here.to("/register")
    assert registration.json["token_endpoint_auth_method"] == "none"
    assert registration.json["application_type"] == "native"
    assert registration.json["redirect_uris"] == [BACK]
    (exchange,) = there.here.to("/token")
    assert exchange.form["resource"] == there.url
    assert exchange.form["client_id"] == "client-0"


async def test_nothing_is_stored_before_the_browser_comes_back(
    accounts: Accounts, vault: Vault, there: Issuer
) -> None:
    login = await accounts.begin(spec(there), BACK)
    assert stored(vault) == []
    kept = msgspec.json.decode(msgspec.json.encode(login), type=Login)
    assert kept == login
    for secret in (login.state, login.verifier, login.visit):
        assert secret not in repr(login)
    assert await accounts.deliver(spec(there), kept, visit(login.visit))


async def test_a_second_login_is_the_same_client(accounts: Accounts, vault: Vault, there: Issuer) -> None:
    first = await log_in(accounts, spec(there))
    second = await log_in(accounts, spec(there))
    assert len(there.here.to("/register")) == 1
    assert stored(vault) == [second]
    assert second.generation == first.generation + 1


@pytest.mark.parametrize("change", ["another way back", "a secret that has run out", "another issuer"])
async def test_a_client_that_is_good_no_more_is_registered_again(
    accounts: Accounts, vault: Vault, there: Issuer, change: str
) -> None:
    record = await log_in(accounts, spec(there))
    assert record.client is not None
    match change:
        case "another way back":
            vault.put(replace(record, client=replace(record.client, redirect_uris=("http://127.0.0.1:1/",))))
        case "a secret that has run out":
            vault.put(replace(record, client=replace(record.client, secret_expires_at=NOW - 1)))
        case _:
            vault.put(replace(record, issuer="https://elsewhere.example"))
    await log_in(accounts, spec(there))
    assert len(there.here.to("/register")) == 2


@pytest.mark.parametrize(
    ("offered", "method"),
    [
        (["client_secret_basic"], "client_secret_basic"),
        (["client_secret_post"], "client_secret_post"),
        (["none"], "none"),
        (None, "none"),
        (["private_key_jwt", "client_secret_basic"], "client_secret_basic"),
    ],
)
async def test_we_prove_ourselves_as_the_server_can_take_it(
    accounts: Accounts, offered: list[str] | None, method: str
) -> None:
    with issuer(token_endpoint_auth_methods_supported=offered) as there:
        record = await log_in(accounts, spec(there))
        assert record.client is not None
        assert record.client.method == method
        (exchange,) = there.here.to("/token")
        assert ("authorization" in exchange.headers) is (method == "client_secret_basic")
        assert ("client_secret" in exchange.form) is (method == "client_secret_post")


async def test_a_client_of_the_configuration_is_not_registered_and_its_secret_not_stored(
    accounts: Accounts, vault: Vault, there: Issuer
) -> None:
    odd = "se:cret/ +%"
    there.clients["ours"] = {"client_id": "ours", "client_secret": odd, "redirect_uris": [BACK]}
    ours = spec(there, client_id="ours", client_secret=odd)
    record = await log_in(accounts, ours)
    assert there.here.to("/register") == []
    assert record.client is not None
    assert record.client.secret is None
    assert all(odd not in file.read_text() for file in vault._folder.glob("*.json"))
    assert accounts.credentials(ours) is not None
    assert accounts.credentials(spec(there, client_id="other")) is None
    assert accounts.credentials(spec(there)) is None


async def test_a_document_that_describes_us_is_the_id_where_it_is_read(accounts: Accounts) -> None:
    document = "https://mooring.example/client.json"
    with issuer(client_id_metadata_document_supported=True) as there:
        there.clients[document] = {"client_id": document, "redirect_uris": [BACK]}
        record = await log_in(accounts, spec(there, client_metadata_url=document))
        assert record.client is not None
        assert record.client.id == document
        assert there.here.to("/register") == []
    with issuer() as there:
        await log_in(accounts, spec(there, client_metadata_url=document))
        assert len(there.here.to("/register")) == 1


# --- scopes


async def test_scopes_come_from_the_challenge_before_the_metadata(accounts: Accounts, there: Issuer) -> None:
    resource = there.here.answers["/.well-known/oauth-protected-resource/mcp"]
    assert isinstance(resource, dict)
    resource["scopes_supported"] = ["read", "write"]
    await log_in(accounts, spec(there))
    await log_in(accounts, spec(there), 'Bearer scope="read"')
    await log_in(accounts, spec(there, scope="mine"), 'Bearer scope="read"')
    assert [begun["scope"] for begun in there.visits] == ["read write", "read", "mine"]


async def test_refreshing_is_asked_for_where_it_is_offered(accounts: Accounts) -> None:
    with issuer(scopes_supported=["read", "offline_access"]) as there:
        await log_in(accounts, spec(there), 'Bearer scope="read"')
        assert there.visits[0]["scope"] == "read offline_access"
        assert there.visits[0]["prompt"] == "consent"
    with issuer(scopes_supported=["offline_access"], grant_types_supported=["authorization_code"]) as there:
        await log_in(accounts, spec(there), 'Bearer scope="read"')
        assert there.visits[0]["scope"] == "read"
        assert there.here.to("/register")[0].json["grant_types"] == ["authorization_code"]


async def test_more_is_asked_for_once_and_keeps_what_there_was(accounts: Accounts, there: Issuer) -> None:
    ours, more = spec(there), 'Bearer error="insufficient_scope", scope="write"'
    await log_in(accounts, ours, 'Bearer scope="read"')
    await log_in(accounts, ours, more)
    assert there.visits[-1]["scope"] == "read write"
    with pytest.raises(LoginFailed) as caught:
        await accounts.begin(ours, BACK, challenge=more)
    assert caught.value.step == "scope"
    with pytest.raises(LoginFailed, match="does not say what"):
        await accounts.begin(ours, BACK, challenge='Bearer error="insufficient_scope"')
    assert len(there.visits) == 2


# --- looking


async def test_looking_registers_nothing_and_stores_nothing(
    accounts: Accounts, vault: Vault, there: Issuer
) -> None:
    status = await accounts.look(spec(there), 'Bearer scope="read"')
    assert isinstance(status, NeedsAuth)
    assert status.scope == "read"
    assert {asked.method for asked in there.here.asked} == {"GET"}
    assert there.visits == []
    assert stored(vault) == []


async def test_a_server_without_registration_needs_a_client_from_the_configuration(
    accounts: Accounts,
) -> None:
    with issuer(registration_endpoint=None) as there:
        status = await accounts.look(spec(there), "")
        assert isinstance(status, NeedsClientRegistration)
        assert "mcp.docs.oauth.clientId" in status.reason
        with pytest.raises(NeedsRegistration):
            await accounts.begin(spec(there), BACK)
        assert isinstance(await accounts.look(spec(there, client_id="ours"), ""), NeedsAuth)


async def test_a_server_without_metadata_needs_its_addresses_too(accounts: Accounts, there: Issuer) -> None:
    there.here.answers.clear()
    status = await accounts.look(spec(there), "")
    assert isinstance(status, NeedsClientRegistration)
    for key in ("authorizationUrl", "tokenUrl", "clientId"):
        assert key in status.reason


async def test_with_its_addresses_in_the_configuration_it_works(accounts: Accounts, there: Issuer) -> None:
    for path in [path for path in there.here.answers if "well-known" in path]:
        del there.here.answers[path]
    there.clients["ours"] = {"client_id": "ours", "redirect_uris": [BACK]}
    addresses = {
        "authorization_url": f"{there.here.origin}/authorize",
        "token_url": f"{there.here.origin}/token",
    }
    ours = spec(there, client_id="ours", **addresses)
    assert isinstance(await accounts.look(ours, ""), NeedsAuth)
    await log_in(accounts, ours)
    assert there.visits[0]["code_challenge_method"] == "S256"
    assert isinstance(await accounts.look(spec(there, **addresses), ""), NeedsClientRegistration)
    assert accounts.credentials(ours) is not None
    assert (
        accounts.credentials(spec(there, client_id="ours", token_url="https://elsewhere.example/t")) is None
    )


async def test_before_there_was_metadata_we_are_registered_where_everybody_was(
    accounts: Accounts, there: Issuer
) -> None:
    for path in [path for path in there.here.answers if "well-known" in path]:
        del there.here.answers[path]
    there.here.answers["GET /authorize"] = lambda asked: (
        there.authorize(asked) if "?" in asked.path else Said(400)
    )
    assert isinstance(await accounts.look(spec(there), ""), NeedsAuth)
    assert await log_in(accounts, spec(there))


async def test_what_goes_wrong_while_looking_is_the_reason(accounts: Accounts) -> None:
    with issuer(code_challenge_methods_supported=None) as there:
        status = await accounts.look(spec(there), "")
    assert isinstance(status, NeedsAuth)
    assert status.reason.startswith("pkce: ")


async def test_where_logins_are_off_or_a_header_is_set_nobody_is_asked(
    accounts: Accounts, there: Issuer
) -> None:
    off = replace(spec(there), oauth=None)
    header = replace(spec(there), headers={"AUTHORIZATION": "Bearer mine"})
    for ours in (off, header):
        assert isinstance(await accounts.look(ours, ""), NeedsAuth)
        assert accounts.credentials(ours) is None
    with pytest.raises(LoginFailed):
        await accounts.begin(off, BACK)
    assert there.here.asked == []


async def test_the_walk_names_every_step_and_ends_where_it_fails(accounts: Accounts) -> None:
    with issuer() as there:
        steps = await accounts.walk(spec(there), "")
        assert [(step.name, step.outcome) for step in steps] == [
            ("protected resource", "ok"),
            ("authorization server", "ok"),
            ("pkce", "ok"),
            ("registration", "ok"),
        ]
        assert there.here.to("/register") == []
    with issuer(registration_endpoint=None) as there:
        assert (await accounts.walk(spec(there), ""))[-1].outcome == "failed"
    with issuer(token_endpoint="http://evil.example/token") as there:
        last = (await accounts.walk(spec(there), ""))[-1]
        assert (last.name, last.outcome) == ("authorization server", "failed")


# --- what comes back


def changed(redirected: str, **changes: str | None) -> str:
    parts = urlsplit(redirected)
    given = {**dict(parse_qsl(parts.query)), **changes}
    query = urlencode({key: value for key, value in given.items() if value is not None})
    return parts._replace(query=query).geturl()


BAD = {
    "a wrong state": ({"state": "x" * 43}, "state"),
    "no state": ({"state": None}, "state"),
    "a state that is no ASCII": ({"state": "\u00e9"}, "state"),
    "another issuer": ({"iss": "https://evil.example"}, "iss"),
    "an issuer with a slash too many": ({"iss": "{}/"}, "iss"),
    "no issuer": ({"iss": None}, "iss"),
    "no code": ({"code": None}, "authorization answer"),
    "an error of somebody else": ({"error": "evil", "iss": "https://evil.example"}, "iss"),
}


@pytest.mark.parametrize("case", BAD)
async def test_a_bad_answer_is_refused_before_a_token_is_asked_for(
    accounts: Accounts, vault: Vault, there: Issuer, case: str
) -> None:
    changes, step = BAD[case]
    login = await accounts.begin(spec(there), BACK)
    good = visit(login.visit)
    bad = changed(good, **{key: value and value.format(there.here.origin) for key, value in changes.items()})
    with pytest.raises(LoginFailed) as caught:
        await accounts.deliver(spec(there), login, bad)
    assert caught.value.step == step
    assert "evil" not in caught.value.sentence
    assert login.state not in caught.value.sentence
    assert there.here.to("/token") == []
    assert stored(vault) == []
    assert await accounts.deliver(spec(there), login, good), "the right one still counts"


async def test_an_issuer_that_signs_without_saying_so_is_compared_too(accounts: Accounts) -> None:
    with issuer(authorization_response_iss_parameter_supported=None) as there:
        login = await accounts.begin(spec(there), BACK)
        good = visit(login.visit)
        with pytest.raises(LoginFailed):
            await accounts.deliver(spec(there), login, changed(good, iss="https://evil.example"))
        assert await accounts.deliver(spec(there), login, changed(good, iss=None))


async def test_a_no_is_said_as_one_line_of_harmless_text(accounts: Accounts, there: Issuer) -> None:
    login = await accounts.begin(spec(there), BACK)
    said = changed(
        visit(login.visit),
        code=None,
        error="access_denied",
        error_description="go\x1b[2J away\n token=ghp_0123456789abcdefghijABCDEFGHIJ012345 " + "x" * 5000,
    )
    with pytest.raises(LoginDenied) as caught:
        await accounts.deliver(spec(there), login, said)
    assert "access_denied" in caught.value.sentence
    assert caught.value.sentence.isprintable()
    assert len(caught.value.sentence) < 500
    assert "ghp_" not in caught.value.sentence


async def test_an_answer_counts_once_and_not_too_late(vault: Vault, there: Issuer) -> None:
    now = [NOW]
    accounts = Accounts(vault, clock=lambda: now[0])
    login = await accounts.begin(spec(there), BACK)
    back = visit(login.visit)
    now[0] = NOW + 601
    with pytest.raises(LoginFailed, match="too late"):
        await accounts.deliver(spec(there), login, back)
    now[0] = NOW
    await accounts.deliver(spec(there), login, back)
    with pytest.raises(LoginFailed, match="delivered before"):
        await accounts.deliver(spec(there), login, back)
    assert len(there.here.to("/token")) == 1


async def test_logins_at_the_same_time_do_not_mix(accounts: Accounts, there: Issuer) -> None:
    first, second = [await accounts.begin(spec(there), BACK) for _ in range(2)]
    back = visit(first.visit)
    with pytest.raises(LoginFailed):
        await accounts.deliver(spec(there), second, back)
    assert await accounts.deliver(spec(there), second, visit(second.visit))
    assert await accounts.deliver(spec(there), first, back)


REFUSED_TOKENS = {
    "an error": no("invalid_grant", error_description="no \x1b[2J such code"),
    "an error that calls itself fine": Said(200, b'{"error": "bad_verification_code"}'),
    "no token": Said(200, b"{}"),
    "a number": Said(200, b'{"access_token": 7}'),
    "a line break": Said(200, b'{"access_token": "a\\nb"}'),
    "another kind": Said(200, b'{"access_token": "a", "token_type": "mac"}'),
    "a page": Said(200, b"<html>"),
    "trouble": Said(503),
    "no end": Said(200, b'{"access_token": "' + b"a" * (2 * 1024 * 1024)),
    "another place": Said(307, b"", {"location": "https://elsewhere.example/token"}),
}


@pytest.mark.parametrize("case", REFUSED_TOKENS)
async def test_a_code_that_brings_no_token_leaves_nothing(
    accounts: Accounts, vault: Vault, there: Issuer, case: str
) -> None:
    login = await accounts.begin(spec(there), BACK)
    back = visit(login.visit)
    there.here.answers["POST /token"] = REFUSED_TOKENS[case]
    with pytest.raises(MooringError) as caught:
        await accounts.deliver(spec(there), login, back)
    assert caught.value.sentence.startswith("token: ")
    assert caught.value.sentence.isprintable()
    assert dict(parse_qsl(urlsplit(back).query))["code"] not in caught.value.sentence
    assert stored(vault) == []


async def test_a_no_with_a_status_that_says_yes_is_a_no(accounts: Accounts, there: Issuer) -> None:
    login = await accounts.begin(spec(there), BACK)
    back = visit(login.visit)
    there.here.answers["POST /token"] = Said(200, b'{"error": "bad_verification_code"}')
    with pytest.raises(LoginFailed, match="bad_verification_code"):
        await accounts.deliver(spec(there), login, back)


@pytest.mark.parametrize(
    "answer", [no("invalid_redirect_uri"), Said(201, b"{}"), Said(403), Said(201, b'{"client_id": 7}')]
)
async def test_a_registration_that_fails_is_said_with_the_way_round_it(
    accounts: Accounts, there: Issuer, answer: Said
) -> None:
    there.here.answers["POST /register"] = answer
    with pytest.raises(LoginFailed, match="registration: ") as caught:
        await accounts.begin(spec(there), BACK)
    assert caught.value.step == "registration"


@pytest.mark.parametrize("query", ["client_id=evil", "redirect_uri=x", "state=1&state=2", "request_uri=x"])
async def test_an_address_that_speaks_for_us_is_refused(accounts: Accounts, query: str) -> None:
    with issuer() as there:
        address = f"{there.here.origin}/authorize?{query}"
        there.here.answers["/.well-known/oauth-authorization-server"] = describe(
            there.here, authorization_endpoint=address
        )
        with pytest.raises(LoginFailed, match="only we may say"):
            await accounts.begin(spec(there), BACK)


async def test_its_other_words_stay(accounts: Accounts) -> None:
    with issuer() as there:
        there.here.answers["/.well-known/oauth-authorization-server"] = describe(
            there.here, authorization_endpoint=f"{there.here.origin}/authorize?tenant=a%20b"
        )
        login = await accounts.begin(spec(there), BACK)
    assert "/authorize?tenant=a%20b&response_type=code&" in login.visit


async def test_another_address_is_another_login(accounts: Accounts, there: Issuer) -> None:
    ours = spec(there)
    await log_in(accounts, ours)
    moved = replace(ours, url=f"{there.url}/elsewhere")
    assert accounts.credentials(moved) is None
    login = await accounts.begin(ours, BACK)
    with pytest.raises(LoginFailed, match="another address"):
        await accounts.deliver(moved, login, visit(login.visit))


# --- given up


async def test_a_logout_takes_back_and_forgets(accounts: Accounts, vault: Vault, there: Issuer) -> None:
    await log_in(accounts, spec(there))
    gone = await accounts.logout(spec(there))
    assert (gone.had, gone.revoked, gone.note) == (True, True, "")
    assert there.access == set()
    assert there.refresh == {}
    assert stored(vault) == []
    assert accounts.credentials(spec(there)) is None
    assert not (await accounts.logout(spec(there))).had


@pytest.mark.parametrize("answer", [Said(503), no("invalid_request"), Said(404)])
async def test_what_cannot_be_taken_back_is_forgotten_all_the_same(
    accounts: Accounts, vault: Vault, there: Issuer, answer: Said
) -> None:
    await log_in(accounts, spec(there))
    there.here.answers["POST /revoke"] = answer
    gone = await accounts.logout(spec(there))
    assert (gone.had, gone.revoked) == (True, False)
    assert gone.note
    assert stored(vault) == []


async def test_a_server_that_takes_nothing_back_is_said_so(accounts: Accounts) -> None:
    with issuer(revocation_endpoint=None) as there:
        await log_in(accounts, spec(there))
        gone = await accounts.logout(spec(there))
    assert gone.had
    assert "no way" in gone.note


def test_only_who_is_registered_each_time_may_come_back_elsewhere(accounts: Accounts) -> None:
    def may_move(**oauth: Any) -> bool:
        return accounts.may_move(
            RemoteSpec(name="docs", url="https://docs.example.com", oauth=OAuth(**oauth))
        )

    assert may_move()
    assert not may_move(client_id="x")
    assert not may_move(client_metadata_url="https://a.example/x")
    assert not may_move(redirect_uri=BACK)
    assert not may_move(callback_port=1)
