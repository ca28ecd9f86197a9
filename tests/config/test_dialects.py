"""Every client's way to write servers down, read as what that client would do with it."""

from __future__ import annotations

import pytest

from mooring.config.dialects import read_tree
from mooring.config.places import Dialect, Place
from mooring.core.spec import Input, Layer, OAuth
from mooring.errors import UnknownKey

OPENCODE, CLAUDE, CURSOR = "opencode.json", ".mcp.json", ".cursor/mcp.json"
VSCODE, CODEX = ".vscode/mcp.json", ".codex/config.toml"


def problems(world) -> list[str]:
    return [problem.sentence for problem in world.load().config.problems]


# --- OpenCode


def test_opencode_local_and_remote(world):
    local = {"type": "local", "command": ["bun", "x"], "environment": {"A": "1"}, "cwd": "w", "timeout": 5000}
    remote = {"type": "remote", "url": "https://h.example", "headers": {"K": "{env:K}"}, "oauth": False}
    world.put(OPENCODE, {"mcp": {"a": local, "b": remote}})
    one, other = world.local("a"), world.remote("b")
    assert (one.command, one.args, one.environment) == ("bun", ("x",), {"A": "1"})
    assert (one.cwd, one.timeouts.call) == (str(world.project / "w"), 5)
    assert (other.url, other.headers, other.oauth) == ("https://h.example", {"K": "{env:K}"}, None)
    assert problems(world) == []


def test_opencode_2_has_its_own_containers(world):
    servers = {
        "a": {"type": "local", "command": ["x"], "disabled": True, "codemode": True},
        "b": {
            "type": "remote",
            "url": "https://h.example",
            "oauth": {
                "client_id": "i",
                "client_secret": "s",
                "callback_port": 3000,
                "redirect_uri": "http://r",
            },
        },
    }
    timeout = {"startup": 1000, "catalog": 2000, "execution": 3000}
    world.put(OPENCODE, {"mcp": {"timeout": timeout, "servers": servers}})
    budgets = world.local("a").timeouts
    assert not world.local("a").enabled
    assert (budgets.start, budgets.list, budgets.call) == (1, 2, 3)
    assert world.remote("b").oauth == OAuth("i", "s", None, 3000, "http://r")
    assert problems(world) == []


def test_both_shapes_of_opencode_in_one_file_and_the_second_wins(world):
    servers = {"x": {"command": ["new"]}}
    world.put(
        OPENCODE, {"mcp": {"x": {"command": ["old", "a"]}, "y": {"command": ["y"]}, "servers": servers}}
    )
    assert (world.local("x").command, world.local("x").args, world.local("y").command) == ("new", (), "y")


@pytest.mark.parametrize(
    "entry",
    [
        {"type": "local", "command": ["a"]},
        {"command": "a"},
        {"url": "https://h.example", "timeout": 5},
        {"type": "remote", "url": "https://h.example", "enabled": False},
    ],
)
def test_servers_may_be_called_servers_or_timeout(world, entry: dict[str, object]):
    world.put(OPENCODE, {"mcp": {"servers": entry, "timeout": entry, "x": {"command": ["x"]}}})
    loaded = world.load().config
    assert sorted(loaded.servers) == ["servers", "timeout", "x"]
    assert loaded.problems == ()


def test_a_switch_for_a_server_called_servers_is_no_container(world):
    world.put("~/.config/opencode/opencode.json", {"mcp": {"servers": {"command": ["a"]}}})
    world.put(OPENCODE, {"mcp": {"servers": {"enabled": False}}})
    assert not world.local("servers").enabled


def test_the_old_toml_file_without_an_ending_is_read(world):
    world.put("~/.config/opencode/config", '[mcp.x]\ntype = "local"\ncommand = ["a"]\n')
    assert world.local("x").command == "a"


def test_a_dollar_in_opencodes_own_entries_is_a_dollar(world):
    entry = {"command": ["sh", "-c", "echo ${HOME}"]}
    world.put("mooring.json", {"mcp": {"x": entry}, "mcpServers": {"y": entry}})
    assert world.local("x").args[1] == "echo ${HOME}"
    assert world.local("y").args[1] == "echo {env:HOME}"


# --- what everybody may write


@pytest.mark.parametrize(
    ("entry", "command", "args"),
    [
        ({"command": "npx", "args": ["-y", "p"]}, "npx", ("-y", "p")),
        ({"command": ["npx", "-y", "p"]}, "npx", ("-y", "p")),
        ({"command": ["npx"], "args": ["-y", "p"]}, "npx", ("-y", "p")),
        ({"command": "npx", "args": None}, "npx", ()),
        ({"command": ["npx", "p"], "args": None}, "npx", ("p",)),
        ({"command": {"path": "npx", "args": ["p"], "env": {"A": "1"}}}, "npx", ("p",)),
        ({"type": "stdio", "command": "npx"}, "npx", ()),
    ],
)
def test_a_command_has_many_shapes(world, entry: dict[str, object], command: str, args: tuple[str, ...]):
    world.put(OPENCODE, {"mcp": {"x": entry}})
    assert (world.local("x").command, world.local("x").args) == (command, args)
    assert problems(world) == []


@pytest.mark.parametrize(
    ("entry", "transport"),
    [
        ({"url": "u"}, "auto"),
        ({"type": "remote", "url": "u"}, "auto"),
        ({"type": "http", "url": "u"}, "http"),
        ({"type": "streamable-http", "url": "u"}, "http"),
        ({"type": "streamableHttp", "url": "u"}, "http"),
        ({"type": "sse", "url": "u"}, "sse"),
        ({"type": "remote", "transport": "sse", "url": "u"}, "sse"),
        ({"transport": "streamable-http", "url": "u"}, "http"),
        ({"httpUrl": "u"}, "http"),
        ({"serverUrl": "u"}, "auto"),
    ],
)
def test_an_address_has_many_names_and_may_pin_its_transport(world, entry: dict[str, str], transport: str):
    address = "https://h.example/mcp"
    world.put(OPENCODE, {"mcp": {"x": {k: address if v == "u" else v for k, v in entry.items()}}})
    assert (world.remote("x").url, world.remote("x").transport) == (address, transport)
    assert problems(world) == []


@pytest.mark.parametrize(
    ("oauth", "expected"),
    [
        (True, OAuth()),
        ({}, OAuth()),
        (None, OAuth()),
        (False, None),
        ({"clientId": "i", "scope": "a b"}, OAuth("i", None, "a b")),
        ({"client_id": "i", "callback_port": 9}, OAuth("i", callback_port=9)),
        (
            {"authUrl": "https://a", "tokenUrl": "https://t"},
            OAuth(authorization_url="https://a", token_url="https://t"),
        ),
    ],
)
def test_oauth_is_a_switch_or_a_map_in_either_spelling(world, oauth: object, expected: OAuth | None):
    world.put(OPENCODE, {"mcp": {"x": {"url": "https://h.example", "oauth": oauth}}})
    assert world.remote("x").oauth == expected
    assert problems(world) == []


def test_oauth_true_wins_over_a_weaker_false_and_over_weaker_details(world):
    world.put(
        "~/.config/opencode/opencode.json", {"mcp": {"x": {"url": "https://h.example", "oauth": False}}}
    )
    world.put(OPENCODE, {"mcp": {"x": {"oauth": True}}})
    assert world.remote("x").oauth == OAuth()
    world.put(".mooring/mooring.json", {"mcp": {"x": {"oauth": False}}})
    assert world.remote("x").oauth is None


# --- Claude Code


def test_claude_codes_variables_headers_helper_and_login(world):
    api = {
        "type": "http",
        "url": "${API_BASE:-https://api.example}/mcp",
        "headers": {"Authorization": "Bearer ${API_KEY}"},
        "headersHelper": "./headers.sh --for 'my api'",
        "oauth": {"clientId": "i", "callbackPort": 8080, "scopes": "a b"},
    }
    db = {"command": "${HOME}/bin/db", "args": ["--dsn", "${DSN:-sqlite://}"], "env": {"CACHE": "${CACHE}"}}
    world.put(CLAUDE, {"mcpServers": {"api": api, "db": db}})
    one, other = world.remote("api"), world.local("db")
    assert one.url == "{env:API_BASE:-https://api.example}/mcp"
    assert one.headers == {"Authorization": "Bearer {env:API_KEY}"}
    assert one.headers_command == ("./headers.sh", "--for", "my api")
    assert one.oauth == OAuth("i", None, "a b", 8080)
    assert (other.command, other.args) == ("{env:HOME}/bin/db", ("--dsn", "{env:DSN:-sqlite://}"))
    assert other.environment == {"CACHE": "{env:CACHE}"}
    assert problems(world) == []


# --- editors


def test_vscode_names_folders_variables_inputs_and_an_env_file(world):
    servers = {
        "a": {
            "type": "stdio",
            "command": "${workspaceFolder}/run",
            "args": [
                "${workspaceFolderBasename}",
                "${userHome}",
                "${env:X}",
                "${input:key}",
                "${config:a.b}",
            ],
            "envFile": "${workspaceFolder}/.env",
        },
        "b": {"type": "sse", "url": "https://h.example/sse", "headers": {"K": "${input:key}"}},
    }
    inputs = [
        {"type": "promptString", "id": "key", "description": "A key", "password": True},
        {"type": "pickString", "id": "mode", "description": "A mode", "options": ["a", "b"], "default": "b"},
    ]
    world.put(VSCODE, {"inputs": inputs, "servers": servers})
    spec = world.local("a")
    assert spec.command == f"{world.project}/run"
    assert spec.args == ("project", str(world.home), "{env:X}", "{input:key}", "${config:a.b}")
    assert spec.env_file == f"{world.project}/.env"
    assert (world.remote("b").transport, world.remote("b").headers) == ("sse", {"K": "{input:key}"})
    assert world.load().config.inputs["key"] == Input("key", "A key", secret=True)
    assert problems(world) == []


def test_the_default_of_an_input_is_part_of_what_the_file_says(world):
    inputs = [{"id": "pkg", "type": "promptString", "default": "good@1"}, {"id": "odd", "default": "a{b}"}]
    world.put(
        VSCODE,
        {"inputs": inputs, "servers": {"x": {"command": "npx", "args": ["${input:pkg}", "${input:odd}"]}}},
    )
    assert world.local("x").args == ("{input:pkg:-good@1}", "{input:odd}")


def test_a_project_cannot_answer_the_inputs_of_the_users_own_servers(world):
    mine = {
        "inputs": [{"id": "host"}],
        "mcp": {"x": {"url": "https://{input:host}/", "headers": {"K": "secret"}}},
    }
    world.put("~/.config/mooring/mooring.json", mine)
    world.put(VSCODE, {"inputs": [{"id": "host", "default": "evil.example"}], "servers": {}})
    assert world.remote("x").url == "https://{input:host}/"
    assert world.load().config.inputs["host"].default is None


@pytest.mark.parametrize("scopes", [["read", "write"], "read write"])
def test_cursors_login_is_a_client_registered_beforehand(world, scopes):
    login = {"CLIENT_ID": "${env:ID}", "CLIENT_SECRET": "${env:SECRET}", "scopes": scopes}
    world.put(CURSOR, {"mcpServers": {"x": {"url": "https://h.example/mcp", "auth": login}}})
    assert world.remote("x").oauth == OAuth("{env:ID}", "{env:SECRET}", "read write")
    assert problems(world) == []


def test_scopes_may_stand_in_a_list(world):
    entry = {"url": "https://h.example/mcp", "oauth": {"scopes": ["read", "write"]}}
    world.put(CLAUDE, {"mcpServers": {"x": entry}})
    assert world.remote("x").oauth == OAuth(scope="read write")
    assert problems(world) == []


def test_cursor_reads_like_claude_and_names_folders_like_vscode(world):
    entry = {"command": "node", "args": ["${workspaceFolder}${/}s.js", "${env:TOKEN}"], "envFile": ".env"}
    world.put(
        CURSOR, {"mcpServers": {"x": entry, "y": {"url": "https://h.example", "headers": {"A": "${env:A}"}}}}
    )
    assert world.local("x").args == (f"{world.project}/s.js", "{env:TOKEN}")
    assert world.local("x").env_file == f"{world.project}/.env"
    assert world.remote("y").headers == {"A": "{env:A}"}
    assert problems(world) == []


# --- Codex

CODEX_FILE = """
model = "gpt-5"
[mcp_servers.local]
command = "npx"
args = ["-y", "p"]
env_vars = ["LOCAL_TOKEN", { name = "OTHER", source = "local" }]
cwd = "/w"
startup_timeout_sec = 12.5
tool_timeout_sec = 90
enabled_tools = ["a", "b"]
disabled_tools = ["b"]
enabled = false
required = true
[mcp_servers.local.env]
A = "1"
[mcp_servers.local.tools.search]
approval_mode = "approve"
[mcp_servers.web]
url = "https://h.example/mcp"
bearer_token_env_var = "TOKEN"
http_headers = { "X-Region" = "eu" }
env_http_headers = { "X-Key" = "KEY" }
startup_timeout_ms = 4000
scopes = ["read", "write"]
"""


def test_codex_local(world):
    world.put(CODEX, CODEX_FILE)
    spec = world.local("local")
    assert (spec.command, spec.args, spec.cwd) == ("npx", ("-y", "p"), "/w")
    assert (spec.environment, spec.inherit) == ({"A": "1"}, ("LOCAL_TOKEN", "OTHER"))
    assert (spec.timeouts.start, spec.timeouts.call) == (12.5, 90)
    assert (spec.tools.include, spec.tools.exclude) == (("a", "b"), ("b",))
    assert (spec.enabled, spec.required) == (False, True)
    assert problems(world) == []


def test_codex_remote(world):
    world.put(CODEX, CODEX_FILE)
    spec = world.remote("web")
    assert spec.headers == {"Authorization": "Bearer {env:TOKEN}", "X-Region": "eu", "X-Key": "{env:KEY}"}
    assert spec.timeouts.start == 4
    assert spec.oauth == OAuth(scope="read write")
    assert "model" not in world.load().config.settings


# --- Gemini, Windsurf, Zed


def test_other_spellings_of_tool_lists_and_switches(world):
    gemini = {"httpUrl": "https://h.example", "trust": False, "includeTools": ["a"], "excludeTools": ["b"]}
    windsurf = {"serverUrl": "https://h.example", "disabledTools": ["c"], "disabled": True}
    world.put(
        "mooring.json",
        {"mcpServers": {"g": gemini, "w": windsurf}, "context_servers": {"z": {"command": "z"}}},
    )
    assert world.remote("g").tools.include == ("a",)
    assert world.remote("g").tools.exclude == ("b",)
    assert (world.remote("w").tools.exclude, world.remote("w").enabled) == (("c",), False)
    assert world.local("z").command == "z"
    assert problems(world) == []


# --- whatever it is


@pytest.mark.parametrize("dialect", list(Dialect))
@pytest.mark.parametrize(
    "odd", [None, 5, "x", [], [1], {"x": 5}, {"x": []}, {"x": {}}, {"x": {"command": {}}}]
)
def test_no_tree_can_make_the_reading_raise(dialect: Dialect, odd: object):
    keys = (
        "mcp",
        "servers",
        "mcpServers",
        "mcp_servers",
        "context_servers",
        "inputs",
        "permission",
        "mooring",
    )
    place = Place(Layer.PROJECT, "f.json", "/w", dialect)
    for key in keys:
        read_tree({key: odd}, place, "/home")
        read_tree(
            {"mcp": {key: odd, "timeout": odd, "x": dict.fromkeys(("timeout", "tools", "oauth"), odd)}},
            place,
            "/",
        )


def test_keys_that_only_mean_something_to_another_client_are_no_mistakes(world):
    world.put(
        CLAUDE,
        {"mcpServers": {"x": {"command": "a", "alwaysAllow": ["t"], "description": "d", "nonsense": 1}}},
    )
    assert [type(problem) for problem in world.load().config.problems] == [UnknownKey]
