"""The JSON Schema says what the reading does."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mooring.config.keys import OAUTH, OWN, SERVER, TIMEOUTS, TOOLS, TOP
from mooring.config.schema import schema

LOCAL = {"command": ["a"]}
REMOTE = {"url": "https://h.example"}
GOOD: list[dict[str, Any]] = [
    {},
    {"$schema": "https://opencode.ai/config.json", "anything": 1},
    {"mcp": {"x": {**LOCAL, "type": "local", "environment": {"A": 1, "B": True}, "timeout": 5}}},
    {"mcp": {"x": {"command": "a", "args": ["b"], "env": {"A": "1"}, "envFile": ".env", "inherit": True}}},
    {
        "mcp": {
            "x": {
                **REMOTE,
                "type": "http",
                "oauth": {"clientId": "i", "callback_port": 1},
                "timeout": {"start": 5},
            }
        }
    },
    {
        "mcp": {
            "x": {
                **REMOTE,
                "oauth": False,
                "headers": {"A": "b"},
                "transport": "sse",
                "headersHelper": "./h.sh",
            }
        }
    },
    {"mcp": {"x": {"enabled": False}}},
    {"mcp": {"x": {**LOCAL, "tools": ["a"]}, "y": {**LOCAL, "tools": {"exclude": ["a"]}, "disabled": True}}},
    {"mcp": {"timeout": {"startup": 5}, "servers": {"x": LOCAL}}},
    {"mcp": {"timeout": 5}},
    {"mcpServers": {"x": {"command": "a"}}},
    {"permission": "ask"},
    {"permission": {"a": "deny", "b": {"c": "allow"}}},
    {"agent": {"plan": {"tools": {"a": True}, "permission": "ask"}}, "experimental": {"mcp_timeout": 5}},
    {"mooring": {"timeout": {"call": 5}}},
    {"mooring": {"timeout": 5}},
    {"mooring": {"pins": "block"}},
    {"inputs": [{"id": "a", "type": "promptString"}]},
    {"mcp": {"x": {**LOCAL, "cwd": None, "environment": {"A": None}}}, "model": None},
]
BAD: list[dict[str, Any]] = [
    {"mcp": []},
    {"mcp": {"x": {"command": 5}}},
    {"mcp": {"x": {"command": []}}},
    {"mcp": {"x": {"command": "a", "args": "b"}}},
    {"mcp": {"x": {**LOCAL, "timeout": -1}}},
    {"mcp": {"x": {**LOCAL, "timeout": "5"}}},
    {"mcp": {"x": {**LOCAL, "timeout": {"start": "5"}}}},
    {"mcp": {"x": {**LOCAL, "enabled": "yes"}}},
    {"mcp": {"x": {**LOCAL, "environment": {"A": {}}}}},
    {"mcp": {"x": {**REMOTE, "oauth": "yes"}}},
    {"mcp": {"x": {**REMOTE, "oauth": {"callbackPort": 0}}}},
    {"mcp": {"x": {**REMOTE, "type": "websocket"}}},
    {"mcpServers": {"x": {"command": 5}}},
    {"permission": "dney"},
    {"permission": {"a": "dney"}},
    {"agent": []},
    {"agent": {"plan": {"permission": "dney"}}},
    {"tools": {"a": "off"}},
    {"experimental": {"mcp_timeout": 0}},
    {"mooring": {"pins": "wran"}},
]


def errors(value: dict[str, Any]) -> list[str]:
    return [error.message for error in Draft202012Validator(schema()).iter_errors(value)]


def test_it_is_a_schema_and_is_json():
    Draft202012Validator.check_schema(schema())
    assert json.loads(json.dumps(schema())) == schema()


@pytest.mark.parametrize("config", GOOD)
def test_what_is_read_without_an_error_is_valid(world, config: dict[str, Any]):
    assert errors(config) == []
    world.put("mooring.json", config)
    assert [p for p in world.load().config.problems if p.severity == "error"] == []


@pytest.mark.parametrize("config", BAD)
def test_what_is_an_error_is_not_valid(world, config: dict[str, Any]):
    assert errors(config)
    world.put("mooring.json", config)
    assert [p for p in world.load().config.problems if p.severity == "error"]


def test_every_key_is_described_with_its_aliases():
    whole = schema()
    places = (
        (TOP, whole["properties"]),
        (SERVER, whole["$defs"]["server"]["properties"]),
        (TIMEOUTS, whole["$defs"]["timeouts"]["anyOf"][0]["properties"]),
        (OWN, whole["properties"]["mooring"]["anyOf"][0]["properties"]),
        (OAUTH, whole["$defs"]["oauth"]["properties"]),
        (TOOLS, whole["$defs"]["tools"]["properties"]),
    )
    for keys, properties in places:
        for key in keys:
            assert properties[key.name]["description"] == key.means
            for alias in key.aliases:
                assert key.name in properties[alias]["description"]
