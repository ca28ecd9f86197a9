"""Secrets in values, addresses, command lines and trees."""

from __future__ import annotations

import json
import string
from base64 import b64encode
from urllib.parse import quote

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mooring.core.redact import mask, mask_arguments, mask_tree, mask_url, mask_value

PRINTABLE = string.ascii_letters + string.digits + string.punctuation
secrets = (
    st.text(PRINTABLE, min_size=8, max_size=60)
    .filter(lambda text: any(map(str.isdigit, text)) and any(map(str.isalpha, text)))
    .filter(lambda text: "{" not in text and text[0] != "*")  # no templates, nothing that looks like the mask
)


@given(secrets, st.sampled_from(["authorization", "X-Api-Key", "Accept", "x", ""]))
def test_a_header_or_variable_never_shows_its_value(secret: str, key: str):
    assert secret not in mask_value(key, secret)
    assert secret not in mask_value(key, f"Bearer {secret}")
    assert secret not in mask_value(key, f"{{env:A}}{secret}")


@given(secrets)
def test_an_address_never_shows_user_or_secret_parameter(secret: str):
    assume(not secret.startswith("//"))
    for url in (f"https://{secret}@host.com/x", f"https://u:{secret}@host/x", f"https://h.com/?token={secret}",
                f"https://h.com/?a=1&api_key={secret}&b=2", f"https://h.com/x#{secret}"):  # fmt: skip
        assert secret not in mask_url(url)
        assert secret not in "".join(mask_arguments(["--endpoint", url, f"--url={url}"]))


@given(secrets)
def test_a_command_line_never_shows_what_follows_a_telling_flag(secret: str):
    assert secret not in "\0".join(mask_arguments(["npx", "--api-key", secret, "-y"]))
    assert secret not in "\0".join(mask_arguments([f"--api-key={secret}", f"API_KEY={secret}"]))
    assert secret not in "\0".join(
        mask_arguments(["-H", f"Authorization: Bearer {secret}", "-e", f"A={secret}"])
    )


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["Server=db;User=sa;Password=hunter2x;Encrypt=yes"], ["Server=db;User=sa;Password=***;Encrypt=yes"]),
        (["Server=db;Password={env:PW};App=x"], ["Server=db;Password={env:PW};App=x"]),
        (["--connection-string", "hunter2x"], ["--connection-string", "***"]),
        (
            ["--data", '{"user": "u", "password": "hunter2x y"}'],
            ["--data", '{"user": "u", "password": "***"}'],
        ),
        (["--json", '{"token":"hunter2x"}'], ["--json", '{"token":"***"}']),
        (["-Command", "$env:API_TOKEN = 'hunter2x'; run"], ["-Command", "$env:API_TOKEN = '***'; run"]),
        (["--creds", "hunter2x"], ["--creds", "***"]),
        (["--login", "me:hunter2x"], ["--login", "me:***"]),
    ],
)
def test_a_pair_inside_an_argument_is_known_by_its_name(words: list[str], shown: list[str]):
    assert mask_arguments(words) == tuple(shown)


@given(secrets)
def test_a_tree_never_shows_a_secret(secret: str):
    tree = {
        "type": "remote",
        "url": f"https://u:{secret}@h.com/?token={secret}",
        "headers": {"X-Custom": secret, "deeper": {"x": [secret]}},
        "oauth": {"clientSecret": secret, "client_secret": secret},
        "env": [f"A={secret}"],
        "environment": {"A": secret},
        "command": ["npx", "--token", secret],
        "auth": {"anything": [{"at": {"all": secret}}]},
    }
    assert secret not in str(list(_strings(mask_tree(tree))))


def _strings(value: object) -> list[str]:
    match value:
        case dict():
            return [found for item in value.values() for found in _strings(item)]
        case list():
            return [found for item in value for found in _strings(item)]
        case _:
            return [str(value)]


@pytest.mark.parametrize(
    ("key", "value", "shown"),
    [
        ("Authorization", "Bearer {env:TOKEN}", "Bearer {env:TOKEN}"),
        ("A", "{env:USER}:{file:~/.pass}", "{env:USER}:{file:~/.pass}"),
        ("A", "${TOKEN}", "${TOKEN}"),
        ("A", "${TOKEN:-abc123}", "***"),
        ("A", "abc {input:x} def", "***{input:x}***"),
        ("A", "{env:ghp_0123456789abcdef}", "{env:***}"),
        ("LOG_LEVEL", "DEBUG", "DEBUG"),
        ("NODE_ENV", "production", "production"),
        ("PORT", "3000", "3000"),
        ("PORT", "300000", "***"),
        ("PASSWORD", "true", "***"),
        ("PASSWORD", "", ""),
        ("HOME", "/home/x", "***"),
    ],
)
def test_a_value_is_shown_only_when_it_cannot_be_a_secret(key: str, value: str, shown: str):
    assert mask_value(key, value) == shown


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://mcp.example.com/v1/mcp?debug=1&sse", "https://mcp.example.com/v1/mcp?debug=1&sse"),
        ("http://localhost:3000/mcp", "http://localhost:3000/mcp"),
        ("https://me:p@ss/w#rd@host/x", "https://***"),
        ("https://me:p/w@host/x", "https://***@host/x"),
        ("https://h.com/?token=&a=1", "https://h.com/?token=***"),
        ("https://h.com/x?sig=abc&page=2#top", "https://h.com/x?sig=***&page=2#***"),
        ("https://h.com/x?%74oken=abc", "https://h.com/x?%74oken=***"),
        (
            "https://{env:U}:{env:P}@h.com/{env:X}?key={env:K}",
            "https://{env:U}:{env:P}@h.com/{env:X}?key={env:K}",
        ),
        ("https://h.com/s/0a1b2c3d4e5f60718293a4b5c6d7e8f9/mcp", "https://h.com/s/***/mcp"),
        ("https://unpkg.com/@scope/x", "https://unpkg.com/@scope/x"),
        ("http://[", "http://["),
        ("", ""),
    ],
)
def test_an_address_keeps_what_is_no_secret(url: str, shown: str):
    assert mask_url(url) == shown


@pytest.mark.parametrize(
    "argument",
    [
        *("npx", "-y", "--stdio", "--port=3000", "npm-run-all2", "a/b:1.2", "--key-file=/run/x.pem"),
        *("@modelcontextprotocol/server-everything@2025.11.25", "mcp-server-fetch==1.2.3"),
        *("/usr/lib/node_modules/foo2/dist/index.js", "C:\\Users\\Me\\App2\\run.exe"),
        "/Users/JohnSmith/Documents/MyProject2024/index1.ts",
        "git+https://github.com/a/b@0123456789abcdef0123456789abcdef01234567",
        f"ghcr.io/x/y@sha256:{'0123456789abcdef' * 4}",
    ],
)
def test_an_ordinary_argument_stays(argument: str):
    assert mask_arguments([argument]) == (argument,)


@pytest.mark.parametrize(
    "token",
    [
        *(
            "sk-proj-abc123def456",
            "ghp_0123456789abcdefABCD",
            "github_pat_11ABCDEFG0123",
            "xoxb-123456789-abcdef",
        ),
        *("AKIAIOSFODNN7EXAMPLE", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-def", "glpat-0123456789abcdef"),
        *("hf_abcDEF0123456", "AIzaSyA0123456789abcdef", "4f3c2b1a0d9e8f7a6b5c4d3e2f1a0b9c"),
    ],
)
def test_a_token_is_known_by_its_shape(token: str):
    assert mask_arguments(["run", token, f"--x={token}", f"echo {token} twice"]) == (
        "run",
        "***",
        "--x=***",
        "echo *** twice",
    )


def test_a_script_keeps_its_words():
    script = "exec foo --key bar -v -H 'Authorization: Bearer x1' https://a:b@c.d/e"
    assert mask_arguments(["sh", "-c", script]) == (
        "sh",
        "-c",
        "exec foo --key *** -v -H 'Authorization: ***' https://***@c.d/e",
    )


def test_a_tree_keeps_its_shape():
    server = {
        "type": "local",
        "command": ["npx", "-y", "x"],
        "enabled": True,
        "timeout": 3000,
        "cwd": "/srv/app",
    }
    remote = {
        "url": "https://h.com/mcp",
        "headers": {"Authorization": "Bearer {env:T}"},
        "oauth": {"scope": "a b"},
    }
    tree = {"mcp": {"auth-server": server, "x": remote}, "theme": "dark"}
    assert mask_tree(tree) == tree


@pytest.mark.parametrize("key", ["environment", "env", "headers"])
def test_a_text_where_a_map_of_values_belongs_is_a_value(key: str):
    assert mask_tree({key: "hunter2x"}) == {key: "***"}
    assert mask_tree({key: "{env:A}"}) == {key: "{env:A}"}
    listed = ["A=hunter2x", "NAME_2", "http_proxy", "hunter2x", "X-Key: hunter2x", "hu/nter2x="]
    assert mask_tree({key: listed}) == {key: ["A=***", "NAME_2", "http_proxy", "***", "***", "***"]}


def test_a_bottomless_tree_ends_somewhere():
    tree: object = "x"
    for _ in range(5000):
        tree = [{"a": tree}]
    assert "***" in str(mask_tree(tree))


@given(secrets, st.text(max_size=20), st.integers(0, 5))
def test_no_form_of_a_known_secret_survives(secret: str, around: str, before: int):
    assume(secret.strip("*"))
    forms = [secret, quote(secret, safe=""), json.dumps(secret)[1:-1], b64encode(secret.encode()).decode()]
    for form in forms:
        shown = mask(f"{around}{form}{around}", [secret, "other"])
        assert form not in shown
        assert "***" in shown
    basic = b64encode(b"u" * before + secret.encode()).decode()
    assert basic not in mask(f"Basic {basic}", [secret])


@given(st.lists(secrets, min_size=1, max_size=4), st.data())
def test_secrets_that_overlap_leave_nothing_between_them(known: list[str], data: st.DataObject):
    text = "".join(data.draw(st.permutations(known)))
    assert set(mask(text, known)) <= {"*"}


def test_a_short_secret_is_a_word_like_any_other():
    assert mask("the cat sat", ["cat"]) == "the cat sat"
    assert mask("the lion sat", ["lion"]) == "the *** sat"
    assert mask("abcdef-abcd", ["abcd", "abcdef"]) == "***-***"
