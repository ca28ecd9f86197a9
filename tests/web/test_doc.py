"""What is described is what is served: every route, in its own words and in OpenCode's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.host.scripted import Scripted
from tests.web.conftest import Serves, World

THEIRS = json.loads((Path(__file__).parents[1] / "data" / "opencode-routes.json").read_text())
METHODS = ("get", "put", "post", "delete", "patch")


async def document(world: World) -> Any:
    return (await world.client.ask("GET", "/doc")).json


def fits(document: Any, schema: Any, value: Any) -> None:
    Draft202012Validator({**schema, "components": document["components"]}).validate(value)


def without_words(value: Any) -> Any:
    """A schema as far as it decides anything."""
    if isinstance(value, dict):
        return {
            key: without_words(inner)
            for key, inner in value.items()
            if not (key in ("description", "example") and isinstance(inner, str))
        }
    if isinstance(value, list):
        found = [without_words(each) for each in value]
        return sorted(found, key=str)
    return value


async def test_every_route_but_the_page_is_described_with_the_role_that_it_takes(serves: Serves) -> None:
    async with serves({}) as world:
        told = (await document(world))["paths"]
        page = {"/", "/plain.css", "/link/{code}", "/leave", "/page/{digest}/{file}", "/codes/{code}"}
        routes = [route for route in world.served.routes.all if route.path not in page]
        described = {(method.upper(), path) for path, methods in told.items() for method in methods}
        assert described == {(route.method, route.path) for route in routes}
        for route in routes:
            operation = told[route.path][route.method.lower()]
            assert f"Takes the role `{route.role}`." in operation["description"]
            assert operation["summary"]
            assert operation["operationId"]
            assert "application/problem+json" in operation["responses"]["default"]["content"]


async def test_every_example_is_one_of_what_it_is_an_example_of(serves: Serves) -> None:
    async with serves({}) as world:
        found = await document(world)
        for path, methods in found["paths"].items():
            for method, operation in methods.items():
                bodies = [each["content"] for each in operation["responses"].values()]
                bodies += [operation["requestBody"]["content"]] if "requestBody" in operation else []
                for content in bodies:
                    assert content, (path, method)
                    for each in content.values():
                        if "example" in each:
                            fits(found, each["schema"], each["example"])
                assert "example" in next(iter(operation["responses"]["200"]["content"].values())), path


@pytest.mark.parametrize("path", list(THEIRS["paths"]))
async def test_routes_of_opencode_are_described_as_there(serves: Serves, path: str) -> None:
    async with serves({}) as world:
        found = await document(world)
    ours = found["paths"][path]
    assert set(ours) == set(THEIRS["paths"][path])
    for method, theirs in THEIRS["paths"][path].items():
        own = ours[method]
        assert own["operationId"] == theirs["operationId"]
        names = [(each["name"], each["in"], each["required"]) for each in theirs["parameters"]]
        assert [(each["name"], each["in"], each["required"]) for each in own["parameters"]] == names
        for status, answer in theirs.get("responses", {}).items():
            (schema,) = (each["schema"] for each in answer["content"].values())
            if status != "400":
                said = own["responses"][status]["content"]["application/json"]["schema"]
                assert without_words(said) == without_words(schema), (path, method, status)
        if "requestBody" in theirs:
            wanted, taken = (
                each["requestBody"]["content"]["application/json"]["schema"] for each in (theirs, own)
            )
            assert without_words(taken) == without_words(wanted)


async def test_their_shapes_are_described_as_there(serves: Serves) -> None:
    async with serves({}) as world:
        found = (await document(world))["components"]["schemas"]
    for name, schema in THEIRS["schemas"].items():
        if name != "InvalidRequestError":
            assert without_words(found[name]) == without_words(schema), name


LISTS = [
    *("/servers", "/servers/clock", "/servers/clock/log", "/servers/clock/pins", "/servers/clock/trust"),
    *("/tools", "/resources", "/templates", "/prompts", "/search?q=tick", "/calls", "/pins", "/logins"),
    *("/questions", "/config", "/config/files", "/config/clients", "/metrics"),
]


async def test_what_is_answered_is_what_is_described(serves: Serves) -> None:
    offers = {
        "resources_list": {"resources": [{"uri": "note://a", "name": "a"}]},
        "resources_templates_list": {"resourceTemplates": [{"uriTemplate": "note://{x}", "name": "x"}]},
        "prompts_list": {"prompts": [{"name": "p", "arguments": [{"name": "q"}]}]},
    }

    async def ends(_lines: Any, _say: Any) -> None:
        pass

    async with serves({"clock": Scripted(**offers), "gone": ends}) as world:
        await world.host.settled()
        await world.host.call(None, "clock_tick", {"at": 5})
        found = await document(world)
        for wanted in LISTS:
            path, _, query = wanted.partition("?")
            answer = await world.client.ask("GET", f"/api/v1{path}", query=query.encode())
            assert answer.status == 200, (path, answer.body)
            operation = found["paths"][f"/api/v1{path.replace('clock', '{name}')}"]["get"]
            content = operation["responses"]["200"]["content"]["application/json"]
            fits(found, content["schema"], answer.json)
        for path in ("/mcp", "/experimental/resource", "/global/health"):
            answer = await world.client.ask("GET", path)
            content = found["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]
            fits(found, content["schema"], answer.json)
        problem = (await world.client.ask("GET", "/api/v1/servers/nobody")).json
        fits(found, {"$ref": "#/components/schemas/Problem"}, problem)
