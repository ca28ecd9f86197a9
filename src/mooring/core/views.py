"""The JSON shape of every value that leaves the process; nothing in one is a secret."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from mooring.core import catalog
from mooring.core.account import Account
from mooring.core.items import Item, Prompt, Resource, Template, Tool
from mooring.core.merge import Node, leaves, plain
from mooring.core.redact import clean, mask_arguments, mask_shapes, mask_tree, mask_url, mask_value
from mooring.core.results import is_error
from mooring.core.search import Hit
from mooring.core.server_view import ServerView
from mooring.core.spec import BadServer, Entry, LocalSpec, OAuth, Origin, RemoteSpec
from mooring.core.status import Connected, Failed
from mooring.core.trial import Trial
from mooring.core.values import JSON, is_list, is_map
from mooring.errors import MooringError, Spot

__all__ = [
    "account",
    "completion",
    "contents",
    "entry_view",
    "error_view",
    "hit",
    "messages",
    "origin_view",
    "problem_views",
    "prompt",
    "resource",
    "result",
    "server",
    "servers",
    "template",
    "tool",
    "tree_view",
    "trial",
    "value_views",
]


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
    def hidden(value: str | None) -> str | None:
        return mask_value("secret", value) if value else None

    view = {
        "clientId": oauth.client_id,
        "clientSecret": hidden(oauth.client_secret),
        "scope": oauth.scope,
        "callbackPort": oauth.callback_port,
        "redirectUri": oauth.redirect_uri,
        "authorizationUrl": oauth.authorization_url,
        "tokenUrl": oauth.token_url,
        "clientMetadataUrl": oauth.client_metadata_url,
        "allowHosts": list(oauth.allow_hosts) or None,
        "grant": oauth.grant if oauth.needs_nobody else None,
        "privateKey": hidden(oauth.private_key),
        "algorithm": oauth.algorithm,
        "assertion": hidden(oauth.assertion),
        "assertionFile": oauth.assertion_file,
        "idpTokenUrl": oauth.idp_token_url,
        "idpClientId": oauth.idp_client_id,
        "idpClientSecret": hidden(oauth.idp_client_secret),
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


def server(view: ServerView) -> dict[str, Any]:
    """One server as it stands; every key is always there, moments are in seconds of Unix time."""
    status = view.status
    failed = status if isinstance(status, Failed) else None
    return {
        "name": clean(view.name),
        "status": view.word,
        "transport": view.transport,
        "protocol": view.protocol or None,
        "serverName": clean(status.server_name) if isinstance(status, Connected) else None,
        "serverVersion": clean(status.server_version) if isinstance(status, Connected) else None,
        "required": view.required,
        "lazy": view.lazy,
        "counts": {
            "tools": view.tools,
            "resources": view.resources,
            "templates": view.templates,
            "prompts": view.prompts,
        },
        "pins": {
            "changed": [clean(tool) for tool in view.unapproved.changed],
            "new": [clean(tool) for tool in view.unapproved.new],
            "blocked": view.unapproved.blocked,
        },
        "latencyMs": None if view.latency is None else _ms(view.latency),
        "since": view.since,
        "lastOk": view.last_ok,
        "nextTry": view.next_try,
        "reason": mask_shapes(view.reason) or None,
        "hint": view.hint or None,
        "error": error_view(failed.error) if failed else None,
        "exitCode": failed.exit_code if failed else None,
        "stderr": [mask_shapes(clean(line)) for line in failed.stderr] if failed else [],
    }


def account(account: Account) -> dict[str, Any]:
    """A login as far as anybody may know it; the moment is in seconds of Unix time."""
    return {
        "name": clean(account.server),
        "url": mask_url(account.url),
        "status": account.standing.value,
        "issuer": None if account.issuer is None else mask_url(account.issuer),
        "scopes": [clean(scope) for scope in account.scopes],
        "expiresAt": account.expires_at,
        "renews": account.renews,
        "source": account.source or None,
        "stored": account.stored or None,
        "configured": account.configured,
    }


def servers(views: Iterable[ServerView]) -> list[dict[str, Any]]:
    return [server(view) for view in views]


def trial(tried: Trial) -> dict[str, Any]:
    """One server tried out; `error` is what went wrong first."""
    return {
        "name": clean(tried.server),
        "works": tried.error is None,
        "transport": tried.transport,
        "protocol": tried.protocol or None,
        "serverName": tried.server_name or None,
        "serverVersion": tried.server_version or None,
        "ms": _ms(tried.seconds),
        "steps": [
            {
                "step": step.name,
                "verdict": step.verdict,
                "ms": None if step.verdict == "skipped" else _ms(step.seconds),
                "says": step.says or None,
                "notes": list(step.notes),
            }
            for step in tried.steps
        ],
        "error": error_view(tried.error) if tried.error else None,
        "exitCode": tried.exit_code,
        "stderr": [mask_shapes(clean(line)) for line in tried.stderr],
    }


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 1)


def tool(entry: catalog.Entry[Tool]) -> dict[str, Any]:
    """One tool; `name` is what to call it by, `tool` what its server calls it."""
    item = entry.item
    return {
        "name": entry.name,
        "server": clean(entry.server),
        "tool": item.name,
        "title": item.title,
        "description": item.description,
        "readOnly": item.read_only,
        "destructive": item.destructive,
        "openWorld": item.open_world,
        "inputSchema": item.input_schema,
        "outputSchema": item.output_schema,
    }


def resource(entry: catalog.Entry[Resource]) -> dict[str, Any]:
    item = entry.item
    return {
        "uri": item.uri,
        "server": clean(entry.server),
        "name": item.name,
        "title": item.title,
        "description": item.description,
        "mimeType": item.mime,
        "size": item.size,
    }


def template(entry: catalog.Entry[Template]) -> dict[str, Any]:
    item = entry.item
    return {
        "uriTemplate": item.uri_template,
        "server": clean(entry.server),
        "name": item.name,
        "title": item.title,
        "description": item.description,
        "mimeType": item.mime,
    }


def prompt(entry: catalog.Entry[Prompt]) -> dict[str, Any]:
    """One prompt; `name` is what to ask for, `prompt` what its server calls it."""
    item = entry.item
    return {
        "name": entry.name,
        "server": clean(entry.server),
        "prompt": item.name,
        "title": item.title,
        "description": item.description,
        "arguments": [
            {"name": clean(gap.name), "description": gap.description, "required": gap.required}
            for gap in item.arguments
        ],
    }


def hit(found: Hit) -> dict[str, Any]:
    """Something found, in one line: what is wanted of it whole is asked for by its name."""
    item: Item = found.entry.item
    description = (item.description or item.title).strip().partition("\n")[0]
    return {
        "kind": found.kind.value,
        "name": found.entry.name,
        "server": clean(found.entry.server),
        "description": description,
        "required": _required(item),
        "readOnly": item.read_only if isinstance(item, Tool) else None,
        "destructive": item.destructive if isinstance(item, Tool) else None,
        "openWorld": item.open_world if isinstance(item, Tool) else None,
        "score": found.score,
    }


def _required(item: Item) -> list[str]:
    match item:
        case Tool():
            return [name for name in _listed(item.input_schema.get("required")) if isinstance(name, str)]
        case Prompt():
            return [gap.name for gap in item.arguments if gap.required]
        case Resource() | Template():
            return []


def log_record(record: Mapping[str, Any]) -> dict[str, Any]:
    """One line of what a server said; `from` is its `stderr`, its `log`, or `mooring` itself."""
    return {
        "at": record["at"],
        "run": str(record.get("run", "")),
        "from": str(record.get("from", "")),
        "level": record.get("level"),
        "logger": record.get("logger"),
        "text": mask_shapes(clean(record["text"])),
    }


def result(value: Mapping[str, JSON]) -> dict[str, Any]:
    """The result of a call, its parts as the server sent them; `structured` is None where there is none."""
    return {
        "content": _listed(value.get("content")),
        "structured": value.get("structuredContent"),
        "isError": is_error(value),
    }


def contents(value: Mapping[str, JSON]) -> dict[str, Any]:
    """What was read of a resource, as the server sent it."""
    return {"contents": _listed(value.get("contents"))}


def completion(value: Mapping[str, JSON]) -> dict[str, Any]:
    """What could stand there; `total` is None where the server does not say how much there is."""
    found = value.get("completion")
    given = found if is_map(found) else {}
    return {
        "values": _listed(given.get("values")),
        "total": given.get("total"),
        "hasMore": given.get("hasMore"),
    }


def messages(value: Mapping[str, JSON]) -> dict[str, Any]:
    """What a prompt became, as the server sent it."""
    return {"description": value.get("description"), "messages": _listed(value.get("messages"))}


def _listed(value: JSON) -> list[JSON]:
    return value if is_list(value) else [] if value is None else [value]
