"""Every key that we read: its type, what it means, and how other clients spell it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from mooring.core.frozen import frozen

__all__ = ["OAUTH", "OWN", "SERVER", "TIMEOUTS", "TOOLS", "TOP", "Key", "known"]

Text = Annotated[str, Meta(min_length=1)]
Port = Annotated[int, Meta(ge=1, le=65535)]
# The longest that a timer of OpenCode can wait: 24 days.
Milliseconds = Annotated[int, Meta(ge=1, le=2_147_483_647)]
Scalar = str | int | float | bool


@frozen
class Key:
    """A key in our spelling; `aliases` are read as the same key."""

    name: str
    type: Any
    means: str
    aliases: tuple[str, ...] = ()
    kind: Literal["local", "remote", "both"] = "both"
    example: Any = None


SERVER = (
    Key("type", Literal["local", "remote"], "Inferred from `command` or `url` where it is missing."),
    Key("command", Text, "The program to start.", kind="local", example="npx"),
    Key(
        "args",
        list[str],
        "Its arguments.",
        kind="local",
        example=["-y", "@modelcontextprotocol/server-memory"],
    ),
    Key("cwd", Text, "Its working folder, from the file that says so.", ("workingDirectory",), "local"),
    Key("environment", dict[str, Scalar], "Variables it gets.", ("env",), "local", {"DEBUG": "true"}),
    Key("envFile", Text, "A file of NAME=value lines, read when it starts.", ("env_file",), "local", ".env"),
    Key(
        "inherit",
        list[str] | Literal[True],
        "Variables of ours it gets too; `true` is all.",
        ("env_vars",),
        "local",
    ),
    Key(
        "url",
        Text,
        "The server's address.",
        ("serverUrl", "httpUrl"),
        "remote",
        "https://mcp.example.com/mcp",
    ),
    Key("headers", dict[str, Scalar], "Sent with every request.", ("http_headers",), "remote"),
    Key(
        "headersCommand",
        list[str],
        "Prints more headers as JSON.",
        ("headersHelper", "headers_command"),
        "remote",
    ),
    Key(
        "transport",
        Literal["auto", "http", "sse"],
        "Which transport to use instead of finding out.",
        kind="remote",
    ),
    Key("oauth", dict[str, Any] | bool, "How to log in; `false` never does.", kind="remote", example=False),
    Key("enabled", bool, "Whether the server is used at all."),
    Key("required", bool, "Whether commands fail when this server does."),
    Key("lazy", bool, "Start at first use."),
    Key("trusted", bool, "Believe what its tools say of themselves (`readOnlyHint`).", ("trust",)),
    Key("protocol", Text, "`auto`, `legacy`, or one protocol version."),
    Key(
        "timeout",
        Milliseconds | dict[str, Milliseconds],
        "All budgets in milliseconds, or one by one.",
        example=30000,
    ),
    Key("tools", list[str] | dict[str, list[str]], "Which of its tools exist at all."),
)

TIMEOUTS = (
    Key(
        "start", Milliseconds, "Until the handshake is done, however often it takes.", ("startup", "connect")
    ),
    Key("list", Milliseconds, "Until a listing has arrived.", ("catalog",)),
    Key("call", Milliseconds, "How long a call may be silent.", ("execution", "tool")),
    Key("ceiling", Milliseconds, "How long a call may take at all."),
)

TOOLS = (
    Key("include", list[str], "Patterns; only these tools exist.", ("enabled", "includeTools")),
    Key("exclude", list[str], "Patterns; these tools do not exist.", ("disabled", "excludeTools")),
)

OAUTH = (
    Key("clientId", Text, "A client registered beforehand.", ("client_id",)),
    Key("clientSecret", Text, "Its secret, best as `{env:X}`.", ("client_secret",)),
    Key("scope", str, "What to ask for.", ("scopes",)),
    Key("callbackPort", Port, "The port of the page that ends a login.", ("callback_port",)),
    Key("redirectUri", Text, "The whole address of that page.", ("redirect_uri",)),
    Key(
        "authorizationUrl",
        Text,
        "Where to log in, for servers that do not say.",
        ("authorization_url", "authUrl"),
    ),
    Key("tokenUrl", Text, "Where tokens come from, for servers that do not say.", ("token_url",)),
    Key(
        "clientMetadataUrl",
        Text,
        "The https address of a document that describes this client, and is its id where that is understood.",
        ("client_metadata_url",),
    ),
    Key(
        "allowHosts",
        list[str],
        "Hosts that a login may use although they are in another network, or domain, than the server.",
        ("allow_hosts",),
    ),
    Key(
        "grant",
        Literal["authorization_code", "client_credentials", "jwt_bearer", "id_jag"],
        "How tokens are had: by a person in a browser, or without one.",
        ("grant_type", "grantType"),
    ),
    Key(
        "privateKey",
        Text,
        "The PEM key that the client signs with, best as `{file:X}` or `{credential:X}`.",
        ("private_key",),
    ),
    Key("algorithm", Text, "How it signs, where the key allows several: `RS256`, `PS256`, ..."),
    Key("assertion", Text, "Who we are, in the words of somebody else: a JWT.", ("id_token", "idToken")),
    Key("assertionFile", Text, "A file that always holds the present one.", ("assertion_file",)),
    Key(
        "idpTokenUrl",
        Text,
        "Where `id_jag` turns the assertion into one for the server's issuer.",
        ("idp_token_url",),
    ),
    Key("idpClientId", Text, "The client that we are there.", ("idp_client_id",)),
    Key("idpClientSecret", Text, "Its secret, best as `{env:X}`.", ("idp_client_secret",)),
)

OWN = (
    Key(
        "timeout",
        Milliseconds | dict[str, Milliseconds],
        "Budgets of servers that say nothing themselves.",
    ),
    Key(
        "pins",
        Literal["off", "warn", "block"],
        "What happens to tools that are not what was approved.",
        example="block",
    ),
    Key(
        "credentials",
        Literal["file", "keyring"],
        "Where the secrets of logins are kept: in private files, or in the system's own store.",
        example="keyring",
    ),
)

TOP = (
    Key("$schema", str, "Lets an editor complete and check this file."),
    Key("mcp", dict[str, Any], "The servers, by name."),
    Key("inputs", list[Any], "Values to be asked for, named by `${input:id}`."),
    Key("tools", dict[str, bool], "Which tools are offered, by pattern."),
    Key(
        "permission",
        dict[str, Any] | Literal["allow", "ask", "deny"],
        "Rules: allow, ask or deny, by pattern.",
    ),
    Key("agent", dict[str, Any], "The same for one agent: `agent.NAME.tools`, `agent.NAME.permission`."),
    Key("experimental", dict[str, Any], "`mcp_timeout` in milliseconds, for servers without a timeout."),
    Key("provider", dict[str, Any], "Model providers."),
    Key("model", str, "The model prompts run on, `provider/name`."),
    Key("instructions", list[str], "Files the model reads first."),
    Key("organisation", Text, "Address of the organisation that gives defaults; read from the global file."),
    Key("mooring", dict[str, Any], "Settings that only Mooring knows."),
)

# OpenCode's other keys: not ours to use, and no reason to call them unknown.
_OPENCODE = """
attachment autoshare autoupdate command compaction default_agent disabled_providers
enabled_providers enterprise formatter keybinds layout logLevel lsp mode plugin server share shell
skills small_model snapshot theme tool_output tui username watcher
"""


def known(keys: tuple[Key, ...]) -> tuple[str, ...]:
    """Our spellings first, then the others'; for the top level OpenCode's own keys too."""
    ours = [key.name for key in keys]
    others = [alias for key in keys for alias in key.aliases]
    return (*ours, *others, *(_OPENCODE.split() if keys is TOP else ()))
