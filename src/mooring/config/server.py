"""One server's merged entry as a spec, or as everything that is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from shlex import quote
from typing import Any
from urllib.parse import urlsplit

from mooring.config.check import SpotOf, fits, mistyped, origin_of
from mooring.config.keys import OAUTH, SERVER, TIMEOUTS, TOOLS, Key
from mooring.core.merge import Branch, Leaf, Node, find, leaves, plain
from mooring.core.redact import visible
from mooring.core.spec import (
    BadServer,
    Entry,
    LocalSpec,
    OAuth,
    Origin,
    RemoteSpec,
    Source,
    Timeouts,
    ToolFilter,
)
from mooring.core.values import is_list, is_map
from mooring.errors import BadEntry, IgnoredEntry, IgnoredValue, MooringError

__all__ = ["LAUNCH", "mistypes", "server"]

_SHAPES = 'Local: {"command": "npx", "args": ["-y", "PACKAGE"]}; remote: {"url": "https://HOST/mcp"}'

# The keys that say what is started or called, and with what; whoever writes one has a say in it.
LAUNCH = frozenset(
    ("args", "command", "cwd", "envFile", "environment", "headers", "headersCommand", "inherit", "oauth")
) | {"transport", "type", "url"}


def server(
    name: str,
    node: Node,
    base: Mapping[str, int],
    order: Mapping[Source, int],
    spot: SpotOf,
    problems: list[MooringError],
) -> Entry | None:
    """The server, or None where it is only switched; `order` knows which source is stronger."""
    check = _Check(name, spot)
    if isinstance(node, Leaf):
        check.bad("should be a map", node)
        return BadServer(name, tuple(check.errors), (node.origin,))
    origins = _origins(node, order)
    if not origins:
        sentence = f"`mcp.{name}` is switched here, but no layer says what it is"
        hint = f"mooring add {quote(name)} …, or remove it"
        problems.append(IgnoredEntry(sentence, hint=hint, spot=spot(origin_of(node))))
        return None
    values = {key: plain(child) for key, child in node.children.items()}
    given = {key: value for key, value in values.items() if value is not None}
    if "type" not in given and ("command" in given) != ("url" in given):
        given["type"] = "local" if "command" in given else "remote"
    check.all(node, given)
    if check.errors:
        return BadServer(name, tuple(check.errors), origins)
    common: dict[str, Any] = {
        "name": name,
        "origins": origins,
        "timeouts": _timeouts(base, given.get("timeout", {})),
        "tools": ToolFilter(
            **{k: tuple(v) for k, v in given.get("tools", {}).items() if k in _FILTER and v is not None}
        ),
        "trusted": _trusted(name, node, spot, problems),
        **{key: given[key] for key in ("enabled", "required", "lazy", "protocol") if key in given},
    }
    return _local(given, common) if given["type"] == "local" else _remote(given, common)


def mistypes(name: str, node: Branch) -> tuple[MooringError, ...]:
    """The values of the wrong type in a part of an entry."""
    check = _Check(name, lambda _: None)
    check.types(node)
    return tuple(check.errors)


def _origins(node: Branch, order: Mapping[Source, int]) -> tuple[Origin, ...]:
    """Who says what is started or called: one place for each source, the weakest first."""
    found: dict[Source, Origin] = {}
    for key, child in node.children.items():
        # An empty map that covers a value says something, too: that the value does not hold.
        covering = [child.origin] if isinstance(child, Branch) and child.covers and child.origin else []
        for origin in (*covering, *(leaf.origin for _, leaf in leaves(child))) if key in LAUNCH else ():
            found.setdefault(origin.source, origin)
    return tuple(sorted(found.values(), key=lambda origin: order.get(origin.source, 0)))


class _Check:
    """Every mistake is collected, so that one look at the file mends them all."""

    def __init__(self, name: str, spot: SpotOf) -> None:
        self._path = f"mcp.{name}"
        self._name = name
        self._spot = spot
        self.errors: list[MooringError] = []

    def bad(self, what: str, node: Node, hint: str = _SHAPES) -> None:
        self.errors.append(BadEntry(f"`{self._path}` {what}", hint=hint, spot=self._spot(origin_of(node))))

    def all(self, node: Branch, values: Mapping[str, Any]) -> None:
        name = self._name
        if not name or len(name) > 128 or visible(name) != name:
            self._path = f"mcp.{visible(name[:40])!r}"
            self.bad("has a name that no server can have", node, "A name is 1 to 128 visible characters")
        self.types(node)
        match values.get("type"):
            case "local":
                self._local(node, values)
            case "remote":
                self._remote(node, values)
            case None if "command" in values and "url" in values:
                self.bad("has both `command` and `url`", node, 'Keep one of them, or add "type"')
            case None:
                self.bad("has neither `command` nor `url`", node)
            case _:
                pass  # the check of types has said it

    def types(self, node: Branch) -> None:
        for key in SERVER:
            child = node.children.get(key.name)
            if child is not None:
                self._fits(key, child, f"{self._path}.{key.name}")

    def _fits(self, key: Key, node: Node, path: str) -> None:
        inner = _INNER.get(key.name, ()) if isinstance(node, Branch) and not _is_one_value(node) else ()
        for part in inner:
            child = node.children.get(part.name) if isinstance(node, Branch) else None
            if child is not None:
                self._fits(part, child, f"{path}.{part.name}")
        value = _without_nulls(plain(node))
        if not inner and value is not None and not fits(key, value):
            self.errors.append(mistyped(BadEntry, path, key, self._spot(origin_of(node))))

    def _local(self, node: Branch, values: Mapping[str, Any]) -> None:
        if "command" not in values:
            self.bad("is local and has no `command`", node)
        args, environment = values.get("args"), values.get("environment")
        texts: list[Any] = [values.get("command"), *(args if is_list(args) else ())]
        texts += [*environment, *environment.values()] if is_map(environment) else []
        if any(isinstance(text, str) and "\0" in text for text in texts):
            self.bad("holds a NUL character", node, "Remove it; no program can be given one")

    def _remote(self, node: Branch, values: Mapping[str, Any]) -> None:
        url = values.get("url")
        if "url" not in values:
            self.bad("is remote and has no `url`", node)
        elif isinstance(url, str) and url and not _is_address(url):
            self.bad("has a `url` that is no address", node.children["url"], "https://HOST/PATH, or http://")
        headers = values.get("headers")
        for header, value in headers.items() if is_map(headers) else ():
            if any(mark in f"{header}{value}" for mark in "\r\n\0"):
                child = find(node, ("headers", header)) or node
                self.bad("has a header with a line break", child, "A header is one line")


_INNER = {"timeout": TIMEOUTS, "tools": TOOLS, "oauth": OAUTH}


def _is_one_value(node: Branch) -> bool:
    """Whether a map was made from one value, such as one number for all budgets."""
    return len({leaf.origin for _, leaf in leaves(node)}) == 1 < len(node.children)


def _without_nulls(value: Any) -> Any:
    return {key: item for key, item in value.items() if item is not None} if is_map(value) else value


def _local(given: Mapping[str, Any], common: Mapping[str, Any]) -> LocalSpec:
    inherit = given.get("inherit", ())
    return LocalSpec(
        command=given["command"],
        args=tuple(given.get("args", ())),
        cwd=given.get("cwd"),
        environment=_texts(given.get("environment", {})),
        env_file=given.get("envFile"),
        inherit=True if inherit is True else tuple(inherit),
        **common,
    )


def _remote(given: Mapping[str, Any], common: Mapping[str, Any]) -> RemoteSpec:
    return RemoteSpec(
        url=given["url"],
        headers=_texts(given.get("headers", {})),
        headers_command=tuple(given.get("headersCommand", ())),
        transport=given.get("transport", "auto"),
        oauth=_oauth(given.get("oauth", {})),
        **common,
    )


def _timeouts(base: Mapping[str, int], given: Mapping[str, int]) -> Timeouts:
    """A call that may be silent for longer than the ceiling raises the ceiling, unless that was set."""
    own = {key: value for key, value in given.items() if key in _BUDGETS and value}
    budgets = {key: value / 1000 for key, value in {**base, **own}.items()}
    timeouts = Timeouts(**budgets)
    if "ceiling" in budgets or timeouts.call <= timeouts.ceiling:
        return timeouts
    return Timeouts(**{**budgets, "ceiling": timeouts.call})


def _trusted(name: str, node: Branch, spot: SpotOf, problems: list[MooringError]) -> bool:
    """Only the user can say that a server's word about its tools is good."""
    leaf = node.children.get("trusted")
    if not isinstance(leaf, Leaf) or leaf.value is not True:
        return False
    if leaf.origin.source.layer.is_the_users:
        return True
    sentence = f"`mcp.{name}.trusted` has no effect in a file that is not your own"
    problems.append(IgnoredValue(sentence, hint="Say it in your global file", spot=spot(leaf.origin)))
    return False


_BUDGETS = frozenset(key.name for key in TIMEOUTS)
_FILTER = frozenset(key.name for key in TOOLS)
_OAUTH_FIELDS = {
    "clientId": "client_id",
    "clientSecret": "client_secret",
    "scope": "scope",
    "callbackPort": "callback_port",
    "redirectUri": "redirect_uri",
    "authorizationUrl": "authorization_url",
    "tokenUrl": "token_url",
    "clientMetadataUrl": "client_metadata_url",
    "allowHosts": "allow_hosts",
    "grant": "grant",
    "privateKey": "private_key",
    "algorithm": "algorithm",
    "assertion": "assertion",
    "assertionFile": "assertion_file",
    "idpTokenUrl": "idp_token_url",
    "idpClientId": "idp_client_id",
    "idpClientSecret": "idp_client_secret",
}


def _oauth(value: Any) -> OAuth | None:
    if value is False:
        return None
    given = value if is_map(value) else {}
    said: dict[str, Any] = {
        field: tuple(given[key]) if is_list(given[key]) else given[key]
        for key, field in _OAUTH_FIELDS.items()
        if given.get(key) is not None
    }
    return OAuth(**said)


def _texts(values: Mapping[str, Any]) -> dict[str, str]:
    """Numbers and switches as a shell would write them."""
    return {
        key: str(value).lower() if isinstance(value, bool) else str(value)
        for key, value in values.items()
        if value is not None
    }


def _is_address(url: str) -> bool:
    """Judged as far as it is known: a reference may still fill in any part."""
    if "{" in url:
        return True
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
