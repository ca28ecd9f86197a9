"""The JSON shape of every value that leaves the process; nothing in one is a secret."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from mooring.core.merge import Node, leaves, plain
from mooring.core.redact import clean, mask_arguments, mask_tree, mask_url, mask_value
from mooring.core.spec import BadServer, Entry, LocalSpec, OAuth, Origin, RemoteSpec
from mooring.core.values import is_map
from mooring.errors import MooringError, Spot

__all__ = ["entry_view", "error_view", "origin_view", "problem_views", "tree_view", "value_views"]


def error_view(error: MooringError) -> dict[str, Any]:
    """An error, also as a value inside something larger."""
    view: dict[str, Any] = {"code": error.code, "message": clean(error.sentence), "hint": clean(error.hint)}
    return view | (spot_view(error.spot) if error.spot else {})


def problem_views(problems: Iterable[MooringError]) -> list[dict[str, Any]]:
    """Errors and notices, told apart by `severity`."""
    return [{"severity": problem.severity, **error_view(problem)} for problem in problems]


def spot_view(spot: Spot) -> dict[str, Any]:
    view = {"file": spot.file, "line": spot.line, "column": spot.column, "text": spot.text}
    return {key: value for key, value in view.items() if value is not None}


def origin_view(origin: Origin | None, spot: Spot | None) -> dict[str, Any]:
    """Which layer and file a value comes from."""
    layer = {"layer": origin.source.layer.value} if origin else {}
    return layer | (spot_view(spot) if spot else {})


def entry_view(entry: Entry) -> dict[str, Any]:
    """One configured server, its references as written, its literal secrets masked."""
    if isinstance(entry, BadServer):
        return {"name": entry.name, "errors": [error_view(error) for error in entry.errors]}
    view: dict[str, Any] = {"name": entry.name, "enabled": entry.enabled}
    match entry:
        case LocalSpec():
            view |= {
                "type": "local",
                "command": [entry.command, *mask_arguments(entry.args)],
                "environment": _masked(entry.environment),
                "cwd": entry.cwd,
            }
        case RemoteSpec():
            view |= {
                "type": "remote",
                "url": mask_url(entry.url),
                "headers": _masked(entry.headers),
                "headersCommand": list(mask_arguments(entry.headers_command)),
                "transport": entry.transport,
                "oauth": False if entry.oauth is None else _oauth_view(entry.oauth),
            }
    return view


def _oauth_view(oauth: OAuth) -> dict[str, Any]:
    view = {
        "clientId": oauth.client_id,
        "clientSecret": mask_value("clientSecret", oauth.client_secret) if oauth.client_secret else None,
        "scope": oauth.scope,
        "callbackPort": oauth.callback_port,
        "redirectUri": oauth.redirect_uri,
        "authorizationUrl": oauth.authorization_url,
        "tokenUrl": oauth.token_url,
    }
    return {key: value for key, value in view.items() if value is not None}


def _masked(values: Mapping[str, str]) -> dict[str, str]:
    return {clean(key): mask_value(key, value) for key, value in values.items()}


def tree_view(tree: Node, path: tuple[str, ...] = ()) -> Any:
    """A part of the configuration, secrets masked by all that stands above them; None where nothing is."""
    masked = mask_tree(plain(tree))
    for key in path:
        if not is_map(masked) or key not in masked:
            return None
        masked = masked[key]
    return masked


def value_views(
    tree: Node, spot: Callable[[Origin], Spot | None], typed: Callable[[tuple[str, ...]], str]
) -> list[dict[str, Any]]:
    """Every value of the configuration, its key as it is typed, and where it was written."""
    masked = tree_view(tree)
    found: list[dict[str, Any]] = []
    for path, leaf in leaves(tree):
        value = masked
        for key in path:
            value = value[key]
        found.append({"key": typed(path), "value": value, **origin_view(leaf.origin, spot(leaf.origin))})
    return found
