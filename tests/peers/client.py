"""The client that the conformance suite judges: a host with one server that does what the scenario names."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

from mooring import Caller, Face, Host, MooringError, open_host
from mooring.auth.challenge import Challenge
from mooring.core.questions import (
    Accepted,
    Allowed,
    Answer,
    Approve,
    Elicit,
    Question,
    Sample,
    Sampled,
    Visit,
)
from mooring.core.status import Connected, NeedsAuth
from mooring.errors import BadSkill, LoginFailed, NeedsLogin, UnknownTool

Given = Mapping[str, Any]
PREFIX = "judge_"
BACK = "http://localhost:3000/callback"
DOCUMENT = "https://conformance-test.local/client-metadata.json"
MOST_LOGINS = 6
LEAST = {"string": "x", "number": 1, "integer": 1, "boolean": True, "array": [], "object": {}, "null": None}


async def answer(question: Question) -> Answer:
    """Somebody who says yes to everything and leaves every form as it is."""
    match question:
        case Approve():
            return Allowed()
        case Elicit(schema=schema):
            fields: Any = schema.get("properties", {})
            filled = {name: field["default"] for name, field in fields.items() if "default" in field}
            return Accepted(filled | ({"confirmed": True} if "confirmed" in fields else {}))
        case Sample():
            text = {"type": "text", "text": "42"}
            return Sampled({"role": "assistant", "content": text, "model": "none", "stopReason": "endTurn"})
        case _:
            return Accepted()


CALLER = Caller(
    "conformance",
    Face.PYTHON,
    ask=answer,
    capabilities={"elicitation": {"form": {}, "url": {}}, "sampling": {}},
)


async def call(host: Host, tool: str, arguments: Given | None = None) -> None:
    await host.call(CALLER, PREFIX + tool, arguments or {})


async def only_list(host: Host, context: Given) -> None:
    """The host has listed everything already."""


async def add(host: Host, context: Given) -> None:
    await call(host, "add_numbers", {"a": 5, "b": 3})


async def take_metadata(host: Host, context: Given) -> None:
    """This server offers nothing: what counts is that it was asked, by somebody who can be asked back."""
    with suppress(UnknownTool):
        await call(host, "add_numbers", {"a": 5, "b": 3})


async def use_everything(host: Host, context: Given) -> None:
    for tool in host.catalog.tools():
        await host.call(CALLER, tool.name)
    for resource in host.catalog.resources():
        await host.read(CALLER, resource.item.uri)
    for prompt in host.catalog.prompts():
        await host.prompt(CALLER, prompt.name)


async def reconnect(host: Host, context: Given) -> None:
    await call(host, "test_reconnection")


async def fill_in(host: Host, context: Given) -> None:
    await call(host, "test_client_elicitation_defaults")


async def call_all(host: Host, context: Given) -> None:
    """Whatever is still listed, with the least that it asks for."""
    for entry in host.catalog.tools():
        fields: Any = entry.item.input_schema.get("properties", {})
        required: Any = entry.item.input_schema.get("required", [])
        try:
            await host.call(CALLER, entry.name, {name: LEAST[fields[name]["type"]] for name in required})
        except MooringError as error:
            sys.stderr.write(f"{entry.name}: {error}\n")


async def replay(host: Host, context: Given) -> None:
    listed = {entry.name for entry in host.catalog.tools()}
    for each in context["toolCalls"]:
        if PREFIX + each["name"] in listed:
            await call(host, each["name"], each["arguments"])


async def echo_a_schema(host: Host, context: Given) -> None:
    entry = host.catalog.tool(f"{PREFIX}json_schema_2020_12_tool")
    assert entry is not None
    await call(host, "json_schema_echo", {"schema": entry.item.raw["inputSchema"]})


async def answer_in_rounds(host: Host, context: Given) -> None:
    for tool in ("echo_state", "unrelated", "no_state", "no_result_type"):
        await call(host, f"test_mrtr_{tool}")


async def list_skills(host: Host, context: Given) -> None:
    assert await host.skills("judge")


async def use_a_skill(host: Host, context: Given) -> None:
    """As an agent would: the skill first, then what it refers to; the first is not what was promised."""
    (skill,) = await host.skills("judge")
    try:
        for uri in skill.files:
            await host.skill_file(CALLER, skill, uri)
    except BadSkill as error:
        sys.stderr.write(f"{error}\n")
        return
    raise AssertionError("nothing was wrong with this skill")


async def visit(question: Question) -> Answer:
    """A browser of somebody who says yes at once; where it is sent is brought back by hand."""
    assert isinstance(question, Visit)
    parts = urlsplit(question.url)

    def opened() -> str:
        browser = HTTPConnection(parts.netloc, timeout=10)
        browser.request("GET", f"{parts.path}?{parts.query}")
        return browser.getresponse().headers["location"]

    return Accepted({"url": await asyncio.to_thread(opened)})


async def log_in(host: Host, context: Given) -> None:
    """As often as the server has a reason to ask for it; a login that must not succeed ends it."""
    for _ in range(MOST_LOGINS):
        try:
            if isinstance(host.server("judge").status, NeedsAuth):
                await host.login("judge", visit, by_hand=True)
            for tool in host.catalog.tools():
                await host.call(CALLER, tool.name)
            if isinstance(host.server("judge").status, Connected):
                return
        except NeedsLogin as error:
            sys.stderr.write(f"{error}\n")
            more = Challenge.of(error.challenge).scope
            with suppress(LoginFailed):
                await host.login("judge", visit, by_hand=True, scope=more)
        except LoginFailed as error:
            sys.stderr.write(f"{error}\n")
            return


def account(scenario: str, context: Given) -> dict[str, Any]:
    """What the configuration says of the login."""
    named = {key: context[key] for key in ("client_id", "client_secret") if key in context}
    match scenario.removeprefix("auth/"):
        case "client-credentials-basic":
            return {"grant": "client_credentials", **named}
        case "client-credentials-jwt":
            key = {"privateKey": context["private_key_pem"], "algorithm": context["signing_algorithm"]}
            return {"grant": "client_credentials", **named, **key}
        case "enterprise-managed-authorization":
            there = {"idpTokenUrl": context["idp_token_endpoint"], "idpClientId": context["idp_client_id"]}
            return {"grant": "id_jag", "assertion": context["idp_id_token"], **named, **there}
        case "wif-jwt-bearer":
            return {"grant": "jwt_bearer", "assertion": context["valid_jwt"], **named}
        case "pre-registration":
            return {**named, "redirectUri": BACK}
        case _:
            return {"redirectUri": BACK, "clientMetadataUrl": DOCUMENT}


ACTS: Mapping[str, Callable[[Host, Given], Awaitable[None]]] = {
    "initialize": only_list,
    "json-schema-ref-no-deref": only_list,
    "tools_call": add,
    "request-metadata": take_metadata,
    "http-standard-headers": use_everything,
    "sse-retry": reconnect,
    "elicitation-sep1034-client-defaults": fill_in,
    "http-invalid-tool-headers": call_all,
    "http-custom-headers": replay,
    "json-schema-2020-12-preservation": echo_a_schema,
    "sep-2322-client-request-state": answer_in_rounds,
    "sep-2640-client-no-prefetch": list_skills,
    "sep-2640-client-verify-digest": use_a_skill,
    "sep-2640-client-verify-size": use_a_skill,
    "sep-2640-client-verify-frontmatter": use_a_skill,
}


async def main() -> None:
    scenario = os.environ["MCP_CONFORMANCE_SCENARIO"]
    is_login = scenario.startswith("auth/")
    act = log_in if is_login else ACTS[scenario]
    context = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")
    oauth = {"oauth": account(scenario, context)} if is_login else {}
    config = {"mcp": {"judge": {"url": sys.argv[-1], **oauth}}}
    async with asyncio.timeout(25), open_host(config, owner=CALLER) as host:
        await host.settled()
        await act(host, context)


if __name__ == "__main__":
    asyncio.run(main())
