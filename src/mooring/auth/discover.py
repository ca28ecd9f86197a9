"""From a server to the authorization server that it trusts, without leaving a trace at either."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from urllib.parse import urlsplit

from mooring.auth.challenge import Challenge
from mooring.auth.fetch import Fetched, Fetcher
from mooring.auth.guard import shown
from mooring.auth.metadata import AUTHORITY, RESOURCE, Authority, Resource, canonical
from mooring.auth.near import is_near
from mooring.core.frozen import frozen
from mooring.core.spec import OAuth, RemoteSpec
from mooring.errors import (
    HttpRefused,
    Interrupted,
    LoginFailed,
    MooringError,
    NeedsRegistration,
    Unreachable,
    UnsafeAddress,
)
from mooring.system.address import Address

__all__ = ["Discovery", "Found", "Step"]

PKCE = "pkce"
MOST_ISSUERS = 5
_GONE = (404, 405, 410)


@frozen
class Step:
    """What was looked at, and how that went: `ok`, `absent` or `failed`."""

    name: str
    outcome: str
    said: str


@frozen
class Found:
    """All that a login needs to know of a server before it begins."""

    resource: Resource
    authority: Authority
    challenge: Challenge

    @property
    def wants_proof(self) -> bool:
        """Whether the server takes tokens only from whom they were given to."""
        return self.resource.wants_proof or "dpop" in self.challenge.schemes


class Discovery:
    """`kept` is the issuer of an earlier login: of several that a server trusts, it is asked again."""

    def __init__(
        self, fetcher: Fetcher, spec: RemoteSpec, challenge: Challenge, kept: str | None = None
    ) -> None:
        self.steps: list[Step] = []
        self._fetcher = fetcher
        self._spec = spec
        self._oauth = spec.oauth or OAuth()
        self._challenge = challenge
        self._kept = kept

    def run(self) -> Found:
        resource = self._resource()
        authority = self._authority(resource)
        with self._step(AUTHORITY):
            self._check(authority)
        with self._step(PKCE):
            self._check_pkce(authority)
        return Found(resource, authority, self._challenge)

    # --- the resource

    def _resource(self) -> Resource:
        url = self._spec.url
        if self._is_told:
            self._took(RESOURCE, "absent", "the configuration says where to log in")
            return Resource(canonical(url))
        with self._step(RESOURCE):
            for place in self._resource_places():
                answer = self._fetcher.get(RESOURCE, place)
                if place == self._challenge.metadata and answer.status == 200 and answer.json is None:
                    raise LoginFailed(
                        f"{RESOURCE}: `{shown(place)}`, which the server names, is no JSON object",
                        hint="Tell whoever runs the server",
                        step=RESOURCE,
                    )
                if given := self._object(RESOURCE, place, answer):
                    found = Resource.read(given, url)
                    self._took(RESOURCE, "ok", f"`{place}` names {_listed(found.issuers)}")
                    return found
        self._took(RESOURCE, "absent", "the server says nothing of who gives out its tokens")
        return Resource(canonical(url))

    def _resource_places(self) -> list[str]:
        address = Address.of(self._spec.url)
        root = f"{address.origin}/.well-known/oauth-protected-resource"
        path = urlsplit(self._spec.url).path
        named = [self._challenge.metadata] if self._challenge.metadata else []
        return list(dict.fromkeys([*named, *([root + path] if path not in ("", "/") else []), root]))

    # --- the authorization server

    @property
    def _is_told(self) -> bool:
        oauth = self._oauth
        return bool(oauth.token_url and (oauth.authorization_url or oauth.needs_nobody))

    def _authority(self, resource: Resource) -> Authority:
        authorize, token = self._oauth.authorization_url, self._oauth.token_url
        if token and self._is_told:
            said = Address.of(authorize or token).origin
            return Authority(said, authorize or "", token, challenges=("S256",), is_known=False)
        with self._step(AUTHORITY):
            issuers = (self._kept,) if self._kept in resource.issuers else resource.issuers
            return self._first_of(issuers).moved(authorize, token)

    def _first_of(self, issuers: tuple[str | None, ...]) -> Authority:
        """The next where one has no metadata or is out of reach; whoever says wrong things is refused."""
        for issuer in issuers[:MOST_ISSUERS][:-1]:
            try:
                found = self._described(issuer or "")
            except (HttpRefused, Interrupted, Unreachable) as error:
                self._took(AUTHORITY, "absent", error.sentence)
            else:
                if found is not None:
                    return found
        last = issuers[:MOST_ISSUERS][-1] if issuers else None
        return self._described(last or Address.of(self._spec.url).origin) or self._undescribed(last)

    def _described(self, issuer: str) -> Authority | None:
        for place in authority_places(issuer):
            answer = self._fetcher.get(AUTHORITY, place)
            if given := self._object(AUTHORITY, place, answer):
                found = Authority.read(given, issuer)
                self._took(AUTHORITY, "ok", f"`{place}` describes `{shown(found.issuer)}`")
                return found
            self._took(AUTHORITY, "absent", f"`{place}` answers {answer.status}, and no metadata")
        return None

    def _undescribed(self, issuer: str | None) -> Authority:
        """Before there was metadata everything was at the server itself; if it is not, nobody knows."""
        origin = Address.of(self._spec.url).origin
        is_there = issuer is None and self._fetcher.get(AUTHORITY, f"{origin}/authorize").status not in _GONE
        if is_there:
            self._took(AUTHORITY, "ok", f"no metadata, but `{origin}/authorize` answers")
            return Authority.at(origin)
        keys = f"`mcp.{self._spec.name}.oauth.authorizationUrl`, `tokenUrl` and `clientId`"
        raise NeedsRegistration(
            f"`{self._spec.name}` says nothing of how to log in: `{shown(issuer or origin)}` has no metadata",
            hint=f"Set {keys}, or give it a header",
        )

    def _object(self, step: str, place: str, answer: Fetched) -> dict[str, object] | None:
        """The metadata, if there is any here; a server in trouble is not a server without."""
        if answer.status == 429 or answer.status >= 500:
            raise HttpRefused(
                f"{step}: `{place}` answers {answer.status}",
                hint="Try again later",
                status=answer.status,
                headers=answer.headers,
            )
        return answer.json if answer.status == 200 else None

    def _check(self, authority: Authority) -> None:
        vet = self._fetcher.vet
        if authority.authorize:
            vet("authorization endpoint", authority.authorize, is_for_a_browser=True)
        vet("token endpoint", authority.token)
        if authority.register:
            vet("registration endpoint", authority.register)
        if authority.revoke:
            vet("revocation endpoint", authority.revoke)
        if authority.says_issuer or not authority.is_known:
            return
        home = Address.of(authority.issuer).host
        for url in (authority.authorize, authority.token):
            host = Address.of(url).host if url else home
            is_ours = url in (self._oauth.authorization_url, self._oauth.token_url)
            if not (is_near(host, home) or is_ours or self._fetcher.guard.allows(host)):
                raise UnsafeAddress(
                    f"{AUTHORITY}: `{home}` sends logins to `{host}`, and would not sign what comes back",
                    hint=f"If that is right, add `{host}` to `mcp.{self._spec.name}.oauth.allowHosts`",
                    step=AUTHORITY,
                )

    def _check_pkce(self, authority: Authority) -> None:
        if self._oauth.needs_nobody or not authority.authorize:
            return
        if authority.is_known and "S256" not in authority.challenges:
            raise LoginFailed(
                f"{PKCE}: `{shown(authority.issuer)}` offers {_listed(authority.challenges)} and no `S256`",
                hint="Without it a stolen code could be used; tell whoever runs it",
                step=PKCE,
            )
        self._took(PKCE, "ok", "S256")

    # --- what was done

    def _took(self, name: str, outcome: str, said: str) -> None:
        self.steps.append(Step(name, outcome, said))

    @contextmanager
    def _step(self, name: str) -> Generator[None]:
        try:
            yield
        except MooringError as error:
            self._took(name, "failed", error.sentence)
            raise


def authority_places(issuer: str) -> list[str]:
    """Where an issuer may describe itself: as an authorization server first, then as OpenID does."""
    parts = urlsplit(issuer)
    root, path = f"{parts.scheme}://{parts.netloc}", parts.path.rstrip("/")
    oauth = f"{root}/.well-known/oauth-authorization-server{path}"
    openid = f"{root}/.well-known/openid-configuration{path}"
    return [oauth, openid, *([f"{root}{path}/.well-known/openid-configuration"] if path else [])]


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{shown(name)}`" for name in names[:5]) or "nothing"
