"""From a server to its authorization server: every way there, and every trap on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from tests.auth.authority import Place, Said, describe, place, trust

from mooring.auth.challenge import Challenge
from mooring.auth.discover import Discovery, Found, authority_places
from mooring.auth.fetch import Fetcher
from mooring.auth.guard import Guard
from mooring.auth.metadata import canonical, covers, same_issuer
from mooring.core.spec import OAuth, RemoteSpec
from mooring.errors import HttpRefused, LoginFailed, MooringError, NeedsRegistration, UnsafeAddress

RESOURCE = "/.well-known/oauth-protected-resource"
AUTHORITY = "/.well-known/oauth-authorization-server"
OPENID = "/.well-known/openid-configuration"


@pytest.fixture
def here() -> Iterator[Place]:
    with place() as found:
        yield found


def discovery(
    here: Place, header: str = "", path: str = "/mcp", kept: str | None = None, **oauth: Any
) -> Discovery:
    spec = RemoteSpec(name="docs", url=f"{here.origin}{path}", oauth=OAuth(**oauth))
    guard = Guard("docs", spec.url, oauth.get("allow_hosts", ()))
    return Discovery(Fetcher(guard, {}), spec, Challenge.of(header), kept)


def discover(here: Place, header: str = "", path: str = "/mcp", **oauth: Any) -> Found:
    return discovery(here, header, path, **oauth).run()


def test_nothing_is_asked_for_but_metadata(here: Place) -> None:
    trust(here)
    found = discover(here)
    assert found.resource.id == f"{here.origin}/mcp"
    assert found.authority.register == f"{here.origin}/register"
    assert here.paths() == [f"GET {RESOURCE}/mcp", f"GET {AUTHORITY}"]


def test_the_place_that_the_server_names_comes_first(here: Place) -> None:
    trust(here)
    here.answers["/elsewhere"] = {"resource": f"{here.origin}/mcp", "authorization_servers": [here.origin]}
    discover(here, f'Bearer resource_metadata="{here.origin}/elsewhere"')
    assert here.paths()[0] == "GET /elsewhere"


def test_without_metadata_at_the_path_the_root_is_asked(here: Place) -> None:
    trust(here)
    here.answers[RESOURCE] = here.answers.pop(f"{RESOURCE}/mcp")
    here.answers[f"{RESOURCE}/mcp"] = Said(200, b"<html>our beautiful app</html>")
    discover(here)
    assert here.paths()[:3] == [f"GET {RESOURCE}/mcp", f"GET {RESOURCE}", f"GET {AUTHORITY}"]


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_server_in_trouble_is_not_a_server_without_metadata(here: Place, status: int) -> None:
    trust(here)
    here.answers[f"{RESOURCE}/mcp"] = status
    with pytest.raises(HttpRefused):
        discover(here)
    assert here.paths() == [f"GET {RESOURCE}/mcp"]


@pytest.mark.parametrize(
    ("issuer", "places"),
    [
        ("https://a.example", [f"https://a.example{AUTHORITY}", f"https://a.example{OPENID}"]),
        (
            "https://a.example/tenant/",
            [
                f"https://a.example{AUTHORITY}/tenant",
                f"https://a.example{OPENID}/tenant",
                f"https://a.example/tenant{OPENID}",
            ],
        ),
    ],
)
def test_an_issuer_is_looked_for_where_it_may_describe_itself(issuer: str, places: list[str]) -> None:
    assert authority_places(issuer) == places


@pytest.mark.parametrize("where", [f"{AUTHORITY}/tenant", f"{OPENID}/tenant", f"/tenant{OPENID}"])
def test_any_of_its_places_will_do(here: Place, where: str) -> None:
    issuer = f"{here.origin}/tenant"
    here.answers[RESOURCE] = {"resource": here.origin, "authorization_servers": [issuer]}
    here.answers[where] = describe(here, issuer=issuer)
    assert discover(here, path="").authority.issuer == issuer


def test_of_several_the_one_of_the_last_login_is_asked_again(here: Place) -> None:
    issuers = [f"{here.origin}/first", f"{here.origin}/second"]
    here.answers[RESOURCE] = {"resource": here.origin, "authorization_servers": issuers}
    for issuer in issuers:
        here.answers[AUTHORITY + issuer.removeprefix(here.origin)] = describe(here, issuer=issuer)
    assert discover(here, path="").authority.issuer == issuers[0]
    assert discovery(here, path="", kept=issuers[1]).run().authority.issuer == issuers[1]
    assert discovery(here, path="", kept="https://gone.example").run().authority.issuer == issuers[0]


@pytest.mark.parametrize(
    "first", [404, 503, Said(200, b"<html>"), "nobody there"], ids=["gone", "ill", "page", "silent"]
)
def test_of_several_the_next_is_asked_where_one_cannot_be(here: Place, first: Any) -> None:
    trust(here)
    other = f"{here.origin}/other"
    if first == "nobody there":
        other = "http://127.0.0.1:1"
    else:
        here.answers |= {place.removeprefix(here.origin): first for place in authority_places(other)}
    here.answers[f"{RESOURCE}/mcp"] = {
        "resource": f"{here.origin}/mcp",
        "authorization_servers": [other, here.origin],
    }
    assert discover(here).authority.issuer == here.origin


def test_one_that_lies_is_refused_also_where_there_are_others(here: Place) -> None:
    trust(here)
    other = f"{here.origin}/other"
    here.answers[authority_places(other)[0].removeprefix(here.origin)] = describe(
        here, issuer="https://e.example"
    )
    here.answers[f"{RESOURCE}/mcp"] = {
        "resource": f"{here.origin}/mcp",
        "authorization_servers": [other, here.origin],
    }
    with pytest.raises(LoginFailed, match="of issuer"):
        discover(here)


def test_the_issuer_of_the_last_login_is_not_given_up_for_another(here: Place) -> None:
    trust(here)
    other = f"{here.origin}/other"
    here.answers |= {place.removeprefix(here.origin): 503 for place in authority_places(other)}
    here.answers[f"{RESOURCE}/mcp"] = {
        "resource": f"{here.origin}/mcp",
        "authorization_servers": [here.origin, other],
    }
    with pytest.raises(HttpRefused):
        discovery(here, kept=other).run()


@pytest.mark.parametrize("body", [b"<html>", b"", b"[]", b"\xff"], ids=["page", "empty", "list", "bytes"])
def test_what_the_server_itself_names_has_to_be_metadata(here: Place, body: bytes) -> None:
    trust(here)
    here.answers["/elsewhere"] = Said(200, body)
    with pytest.raises(LoginFailed, match=r"protected resource: .*/elsewhere.* is no JSON object"):
        discover(here, f'Bearer resource_metadata="{here.origin}/elsewhere"')


def test_before_there_was_metadata_of_resources_the_server_was_its_own_authority(here: Place) -> None:
    here.answers[AUTHORITY] = describe(here)
    found = discover(here)
    assert (found.authority.issuer, found.resource.id) == (here.origin, f"{here.origin}/mcp")


def test_and_before_there_was_any_everything_had_its_place(here: Place) -> None:
    here.answers["/authorize"] = 400
    authority = discover(here).authority
    assert not authority.is_known
    assert authority.token == f"{here.origin}/token"


def test_a_server_that_says_nothing_at_all_needs_words_in_the_configuration(here: Place) -> None:
    with pytest.raises(NeedsRegistration) as caught:
        discover(here)
    for key in ("authorizationUrl", "tokenUrl", "clientId"):
        assert key in caught.value.hint
    assert all(asked.method == "GET" for asked in here.asked)


def test_the_configuration_can_say_it_all(here: Place) -> None:
    found = discover(here, authorization_url=f"{here.origin}/a", token_url=f"{here.origin}/t")
    assert (found.authority.authorize, found.authority.token) == (f"{here.origin}/a", f"{here.origin}/t")
    assert found.authority.challenges == ("S256",)
    assert here.asked == []


def test_or_one_address_only(here: Place) -> None:
    trust(here)
    found = discover(here, token_url=f"{here.origin}/t")
    assert (found.authority.authorize, found.authority.token) == (
        f"{here.origin}/authorize",
        f"{here.origin}/t",
    )


REFUSED: Mapping[str, tuple[dict[str, Any], str]] = {
    "no PKCE": ({"code_challenge_methods_supported": None}, "pkce"),
    "plain PKCE": ({"code_challenge_methods_supported": ["plain"]}, "pkce"),
    "another issuer": ({"issuer": "https://other.example"}, "authorization server"),
    "no issuer": ({"issuer": None}, "authorization server"),
    "no token endpoint": ({"token_endpoint": None}, "authorization server"),
    "numbers for texts": ({"token_endpoint": 7}, "authorization server"),
    "a text for a list": ({"scopes_supported": "a b"}, "authorization server"),
    "javascript": ({"authorization_endpoint": "javascript:alert(1)"}, "authorization endpoint"),
    "file": ({"authorization_endpoint": "file:///etc/passwd"}, "authorization endpoint"),
    "shell": ({"authorization_endpoint": "https://a.example/$(calc.exe)"}, "authorization endpoint"),
    "password": ({"token_endpoint": "https://me:pw@a.example/token"}, "token endpoint"),
    "plain http": ({"token_endpoint": "http://a.example/token"}, "token endpoint"),
    "cloud metadata": ({"registration_endpoint": "https://169.254.169.254/latest"}, "registration endpoint"),
    "private": ({"revocation_endpoint": "https://10.0.0.1/revoke"}, "revocation endpoint"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_hostile_metadata_is_refused_at_the_step_it_belongs_to(here: Place, case: str) -> None:
    changes, step = REFUSED[case]
    trust(here, **changes)
    looking = discovery(here)
    with pytest.raises(LoginFailed) as caught:
        looking.run()
    assert caught.value.step == step
    assert caught.value.sentence.startswith(f"{step}: ")
    assert looking.steps[-1].outcome == "failed"
    assert "pw" not in caught.value.sentence
    assert {asked.method for asked in here.asked} == {"GET"}


@pytest.mark.parametrize("key", ["authorization_endpoint", "token_endpoint"])
def test_another_house_is_trusted_only_with_a_signature_or_the_users_word(here: Place, key: str) -> None:
    away = {key: "https://1.1.1.1/x"}
    trust(here, **away, authorization_response_iss_parameter_supported=None)
    with pytest.raises(UnsafeAddress, match=r"1\.1\.1\.1"):
        discover(here)
    assert discover(here, allow_hosts=("1.1.1.1",))
    trust(here, **away)
    assert discover(here)


@pytest.mark.parametrize(
    "resource", ["https://other.example/mcp", "{}/mcp/deeper", "{}/mc", "http://127.0.0.1:1/mcp"]
)
def test_metadata_of_another_resource_is_refused(here: Place, resource: str) -> None:
    trust(here)
    here.answers[f"{RESOURCE}/mcp"] = {"resource": resource.format(here.origin)}
    with pytest.raises(LoginFailed, match="protected resource") as caught:
        discover(here)
    assert caught.value.step == "protected resource"


def test_a_metadata_address_of_the_server_is_checked_before_it_is_asked(here: Place) -> None:
    trust(here)
    for url in ("https://169.254.169.254/", "file:///etc/passwd", "http://a.example/x"):
        with pytest.raises(UnsafeAddress):
            discover(here, f'Bearer resource_metadata="{url}"')
    assert here.asked == []


def test_the_steps_tell_what_was_looked_at(here: Place) -> None:
    trust(here)
    looking = discovery(here)
    looking.run()
    assert [(step.name, step.outcome) for step in looking.steps] == [
        ("protected resource", "ok"),
        ("authorization server", "ok"),
        ("pkce", "ok"),
    ]


def test_hostile_words_are_shown_harmlessly(here: Place) -> None:
    trust(here, issuer="https://a.example/\x1b[2J\x07" + "x" * 5000)
    with pytest.raises(MooringError) as caught:
        discover(here)
    assert caught.value.sentence.isprintable()
    assert len(caught.value.sentence) < 600


@pytest.mark.parametrize(
    ("resource", "url", "is_covered"),
    [
        ("https://a.example/mcp", "https://a.example/mcp", True),
        ("https://a.example/mcp/", "https://a.example/mcp", True),
        ("https://A.example:443", "https://a.example/mcp", True),
        ("https://a.example/", "https://a.example/mcp?x=y", True),
        ("https://a.example/mcp", "https://a.example/mcp2", False),
        ("https://a.example:444/mcp", "https://a.example/mcp", False),
        ("http://a.example/mcp", "https://a.example/mcp", False),
        ("https://a.example.evil/mcp", "https://a.example/mcp", False),
        ("https://[a/mcp", "https://a.example/mcp", False),
        ("", "https://a.example/mcp", False),
    ],
)
def test_a_resource_covers_what_is_below_it(resource: str, url: str, *, is_covered: bool) -> None:
    assert covers(resource, url) is is_covered


def test_the_name_of_a_resource_is_its_place() -> None:
    assert canonical("HTTPS://me:pw@A.Example:8443/Mcp?token=x#y") == "https://a.example:8443/Mcp"
    assert canonical("https://a.example/") == "https://a.example"


def test_issuers_are_the_same_text() -> None:
    assert same_issuer("https://a.example", "https://a.example/")
    assert not same_issuer("https://a.example/x", "https://a.example/x/")
    assert not same_issuer("https://a.example", "https://A.example")
