"""What a server and its authorization server say of themselves, as far as a login needs it."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar
from urllib.parse import urlsplit

from mooring.auth.guard import shown
from mooring.core.frozen import frozen
from mooring.core.values import JSON, is_list
from mooring.errors import LoginFailed

__all__ = ["Authority", "Resource", "canonical", "covers", "same_issuer"]

RESOURCE = "protected resource"
AUTHORITY = "authorization server"
MOST = 100
_T = TypeVar("_T")


@frozen
class Resource:
    """What a token is for, and who gives it out."""

    id: str
    issuers: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    wants_proof: bool = False

    @classmethod
    def read(cls, given: dict[str, JSON], url: str) -> Resource:
        """`url` is the server's: metadata of another resource is not for us."""
        resource = _text(given, "resource", RESOURCE)
        if resource is None:
            raise LoginFailed(f"{RESOURCE}: its metadata names no `resource`", step=RESOURCE)
        if not covers(resource, url):
            raise LoginFailed(
                f"{RESOURCE}: its metadata is of `{shown(resource)}`, which is not this server",
                hint="Is the `url` of its entry right?",
                step=RESOURCE,
            )
        return cls(
            resource,
            _texts(given, "authorization_servers", RESOURCE) or (),
            _texts(given, "scopes_supported", RESOURCE) or (),
            wants_proof=given.get("dpop_bound_access_tokens_required") is True,
        )


@frozen
class Authority:
    """An authorization server; `is_known` is False where only its place is known, and nothing of its ways."""

    issuer: str
    authorize: str
    token: str
    register: str | None = None
    revoke: str | None = None
    scopes: tuple[str, ...] = ()
    methods: tuple[str, ...] | None = None
    challenges: tuple[str, ...] = ()
    proofs: tuple[str, ...] = ()
    grants: tuple[str, ...] | None = None
    says_issuer: bool = False
    reads_documents: bool = False
    is_known: bool = True

    @classmethod
    def read(cls, given: dict[str, JSON], issuer: str) -> Authority:
        """`issuer` is whose metadata was asked for; anybody else's is refused."""
        said = _text(given, "issuer", AUTHORITY)
        if said is None or not same_issuer(said, issuer):
            raise LoginFailed(
                f"{AUTHORITY}: the metadata of `{shown(issuer)}` is of issuer `{shown(said or '')}`",
                hint="Tell whoever runs the server",
                step=AUTHORITY,
            )
        authorize = _text(given, "authorization_endpoint", AUTHORITY)
        token = _text(given, "token_endpoint", AUTHORITY)
        if token is None:
            raise LoginFailed(f"{AUTHORITY}: `{shown(issuer)}` names no token endpoint", step=AUTHORITY)
        return cls(
            said,
            authorize or "",
            token,
            register=_text(given, "registration_endpoint", AUTHORITY),
            revoke=_text(given, "revocation_endpoint", AUTHORITY),
            scopes=_texts(given, "scopes_supported", AUTHORITY) or (),
            methods=_texts(given, "token_endpoint_auth_methods_supported", AUTHORITY),
            challenges=_texts(given, "code_challenge_methods_supported", AUTHORITY) or (),
            proofs=_texts(given, "dpop_signing_alg_values_supported", AUTHORITY) or (),
            grants=_texts(given, "grant_types_supported", AUTHORITY),
            says_issuer=given.get("authorization_response_iss_parameter_supported") is True,
            reads_documents=given.get("client_id_metadata_document_supported") is True,
        )

    @classmethod
    def at(cls, origin: str) -> Authority:
        """Where the first revision of the protocol put everything, before there was metadata."""
        return cls(
            origin, f"{origin}/authorize", f"{origin}/token", register=f"{origin}/register", is_known=False
        )

    def moved(self, authorize: str | None, token: str | None) -> Authority:
        """With the addresses of the configuration in place of its own."""
        return replace(self, authorize=authorize or self.authorize, token=token or self.token)


def canonical(url: str) -> str:
    """A server's address as the name of a resource: its place, in lower case where case means nothing."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2].lower()
    path = parts.path if parts.path != "/" else ""
    return f"{parts.scheme.lower()}://{host}{path}"


def covers(resource: str, url: str) -> bool:
    """Whether a resource is this server, or a part of the tree above it."""
    try:
        ours, theirs = urlsplit(canonical(url)), urlsplit(canonical(resource))
        is_near = (ours.scheme, ours.hostname, _port(ours.scheme, ours.port)) == (
            theirs.scheme,
            theirs.hostname,
            _port(theirs.scheme, theirs.port),
        )
    except ValueError:
        return False
    return is_near and f"{ours.path.rstrip('/')}/".startswith(f"{theirs.path.rstrip('/')}/")


def same_issuer(one: str, other: str) -> bool:
    """The very same text; only an address without a path may end with a slash or not."""
    if one == other:
        return True
    shorter, longer = sorted((one, other), key=len)
    return longer == f"{shorter}/" and shorter.count("/") == 2


def _port(scheme: str, port: int | None) -> int | None:
    return port or {"https": 443, "http": 80}.get(scheme)


def _text(given: dict[str, JSON], key: str, step: str) -> str | None:
    value = given.get(key)
    if value is not None and not isinstance(value, str):
        raise LoginFailed(f"{step}: `{key}` in its metadata is no text", step=step)
    return value or None


def _texts(given: dict[str, JSON], key: str, step: str) -> tuple[str, ...] | None:
    value = given.get(key)
    if value is None:
        return None
    if not is_list(value) or not all(isinstance(item, str) for item in value):
        raise LoginFailed(f"{step}: `{key}` in its metadata is no list of texts", step=step)
    return tuple(value[:MOST])
