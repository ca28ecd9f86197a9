"""The server that the conformance suite wants to see behind a gateway, in both eras of the protocol."""

from __future__ import annotations

import asyncio
import base64
import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

Json = dict[str, Any]
MODERN = "2026-07-28"
META = "io.modelcontextprotocol/"
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
HEAD = b"RIFF$\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0@\x1f\0\0@\x1f\0\0\1\0\x08\0data\0\0\0\0"
SOUND = base64.b64encode(HEAD).decode()
IMAGE = {"type": "image", "data": PIXEL, "mimeType": "image/png"}


def text(words: str) -> Json:
    return {"content": [{"type": "text", "text": words}]}


def embedded(uri: str, words: str, mime: str = "text/plain") -> Json:
    return {"type": "resource", "resource": {"uri": uri, "mimeType": mime, "text": words}}


def form(**properties: Json) -> Json:
    return {"type": "object", "properties": properties, "required": list(properties)}


STRING = {"type": "string"}
PLAIN: dict[str, Json] = {
    "test_simple_text": text("This is a simple text response for testing."),
    "test_image_content": {"content": [IMAGE]},
    "test_audio_content": {"content": [{"type": "audio", "data": SOUND, "mimeType": "audio/wav"}]},
    "test_embedded_resource": {
        "content": [embedded("test://embedded-resource", "This is an embedded resource content.")]
    },
    "test_multiple_content_types": {
        "content": [
            {"type": "text", "text": "Multiple content types test:"},
            IMAGE,
            embedded("test://mixed-content-resource", '{"test":"data","value":123}', "application/json"),
        ]
    },
    "test_error_handling": {
        **text("This tool intentionally returns an error for testing"),
        "isError": True,
    },
    "json_schema_2020_12_tool": text("ok"),
    "test_x_mcp_header": text("ok"),
}
FORMS: dict[str, Json] = {
    "test_elicitation": form(username=STRING, email=STRING),
    "test_elicitation_sep1034_defaults": form(
        name={**STRING, "default": "John Doe"},
        age={"type": "integer", "default": 30},
        score={"type": "number", "default": 95.5},
        status={**STRING, "enum": ["active", "inactive", "pending"], "default": "active"},
        verified={"type": "boolean", "default": True},
    ),
    "test_elicitation_sep1330_enums": form(
        untitledSingle={**STRING, "enum": ["option1", "option2", "option3"]},
        titledSingle={
            **STRING,
            "oneOf": [
                {"const": "value1", "title": "First Option"},
                {"const": "value2", "title": "Second Option"},
            ],
        },
        legacyEnum={**STRING, "enum": ["opt1", "opt2"], "enumNames": ["Option One", "Option Two"]},
        untitledMulti={"type": "array", "items": {**STRING, "enum": ["option1", "option2"]}},
        titledMulti={
            "type": "array",
            "items": {
                "anyOf": [
                    {"const": "value1", "title": "First Choice"},
                    {"const": "value2", "title": "Second Choice"},
                ]
            },
        },
    ),
}
ADDRESS = {
    "$anchor": "addressDef",
    "type": "object",
    "properties": {"street": STRING, "city": STRING},
}
SCHEMAS: dict[str, Json] = {
    "json_schema_2020_12_tool": {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {"address": ADDRESS},
        "properties": {
            "name": STRING,
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": STRING,
            "email": STRING,
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": False,
    },
    "test_x_mcp_header": {
        "type": "object",
        "properties": {"region": {"type": "string", "x-mcp-header": "Region"}, "query": STRING},
    },
}
NAME = {"method": "elicitation/create", "params": {"message": "Name?", "requestedSchema": form(name=STRING)}}
CONFIRM = {
    "method": "elicitation/create",
    "params": {"message": "Go on?", "requestedSchema": form(ok={"type": "boolean"})},
}
CAPITAL = {
    "method": "sampling/createMessage",
    "params": {
        "messages": [{"role": "user", "content": {"type": "text", "text": "The capital of France?"}}],
        "maxTokens": 100,
    },
}
ROOTS = {"method": "roots/list", "params": {}}
ROUND = "test_input_required_result_"
WANTED: dict[str, dict[str, Json]] = {
    f"{ROUND}elicitation": {"user_name": NAME},
    f"{ROUND}sampling": {"capital_question": CAPITAL},
    f"{ROUND}list_roots": {"client_roots": ROOTS},
    f"{ROUND}request_state": {"confirm": CONFIRM},
    f"{ROUND}multiple_inputs": {"user_name": NAME, "greeting": CAPITAL, "client_roots": ROOTS},
    f"{ROUND}tampered_state": {"confirm": CONFIRM},
    f"{ROUND}capabilities": {"user_name": NAME, "capital_question": CAPITAL},
}
STATEFUL = {f"{ROUND}{name}" for name in ("request_state", "multiple_inputs", "tampered_state")}
OTHERS = (
    *("test_tool_with_logging", "test_tool_with_progress", "test_sampling", "test_missing_capability"),
    *(
        "test_streaming_elicitation",
        "test_logging_tool",
        "test_trigger_tool_change",
        "test_trigger_prompt_change",
    ),
    f"{ROUND}multi_round",
)
TOOLS = sorted([*PLAIN, *FORMS, *WANTED, *OTHERS])
ARGUMENTS = [{"name": "arg1", "required": True}, {"name": "arg2", "required": True}]
PROMPTS = [
    {"name": "test_simple_prompt", "description": "A simple one"},
    {"name": "test_prompt_with_arguments", "description": "With two gaps", "arguments": ARGUMENTS},
    {
        "name": "test_prompt_with_embedded_resource",
        "description": "With a resource",
        "arguments": [{"name": "resourceUri", "required": True}],
    },
    {"name": "test_prompt_with_image", "description": "With a picture"},
    {"name": "test_input_required_result_prompt", "description": "It asks back"},
]
RESOURCES = [
    {"uri": "test://static-text", "name": "text", "mimeType": "text/plain"},
    {"uri": "test://static-binary", "name": "picture", "mimeType": "image/png"},
    {"uri": "test://watched-resource", "name": "watched", "mimeType": "text/plain"},
]
TEMPLATES = [{"uriTemplate": "test://template/{id}/data", "name": "data", "mimeType": "application/json"}]
ABLE = {
    "tools": {"listChanged": True},
    "resources": {"listChanged": True, "subscribe": True},
    "prompts": {"listChanged": True},
    "logging": {},
    "completions": {},
}


class Refused(Exception):
    def __init__(self, code: int, message: str, **data: Any) -> None:
        super().__init__(message)
        self.error = {"code": code, "message": message, **({"data": data} if data else {})}


class Everything:
    """One connection; each request is answered in a task of its own, so that it may ask back."""

    def __init__(self, say: Callable[[bytes], None]) -> None:
        self._say = say
        self._asked: dict[str, asyncio.Future[Json]] = {}
        self._listens: dict[Any, asyncio.Future[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._learnt: list[Json] = []
        self._states: set[str] = set()

    def tell(self, message: Json) -> None:
        self._say(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def notice(self, method: str, **params: Any) -> None:
        self.tell({"method": f"notifications/{method}", "params": params})

    def hear(self, message: Json) -> None:
        if "method" not in message:
            self._asked[message["id"]].set_result(message)
        elif message["method"] == "notifications/cancelled":
            listening = self._listens.pop(message["params"]["requestId"], None)
            if listening is not None:
                listening.cancel()
        elif "id" in message:
            task = asyncio.ensure_future(self.answer(message))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def answer(self, message: Json) -> None:
        params = message.get("params") or {}
        meta = params.get("_meta") or {}
        is_modern = f"{META}protocolVersion" in meta
        try:
            result = await self.result(message["method"], params, is_modern, message["id"])
        except Refused as error:
            self.tell({"id": message["id"], "error": error.error})
            return
        era = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"} if is_modern else {}
        self.tell({"id": message["id"], "result": {**era, **result}})

    async def result(self, method: str, params: Json, is_modern: bool, identity: Any) -> Json:
        lists: dict[str, Json] = {
            "tools/list": {"tools": [self.tool(name) for name in TOOLS] + self._learnt},
            "resources/list": {"resources": RESOURCES},
            "resources/templates/list": {"resourceTemplates": TEMPLATES},
            "prompts/list": {"prompts": PROMPTS},
            "completion/complete": {"completion": {"values": [], "total": 0, "hasMore": False}},
            "server/discover": {"supportedVersions": [MODERN], "capabilities": ABLE},
            "ping": {},
            "logging/setLevel": {},
            "resources/subscribe": {},
            "resources/unsubscribe": {},
        }
        match method:
            case "initialize":
                about = {"name": "everything", "version": "1"}
                version = params["protocolVersion"]
                return {"protocolVersion": version, "capabilities": ABLE, "serverInfo": about}
            case "tools/call":
                return await self.call(params, is_modern)
            case "resources/read":
                return self.read(params["uri"])
            case "prompts/get":
                return self.prompt(params, is_modern)
            case "subscriptions/listen":
                return await self.listen(params, identity)
            case _ if method in lists:
                return lists[method]
            case _:
                raise Refused(-32601, "Method not found")

    def tool(self, name: str) -> Json:
        schema = SCHEMAS.get(name, {"type": "object", "properties": {}})
        return {"name": name, "description": f"The suite's {name}", "inputSchema": schema}

    async def listen(self, params: Json, identity: Any) -> Json:
        meta = {f"{META}subscriptionId": identity}
        self.notice("subscriptions/acknowledged", notifications=params["notifications"], _meta=meta)
        waiting = self._listens[identity] = asyncio.get_running_loop().create_future()
        await waiting
        return {}

    def changed(self, what: str) -> None:
        self.notice(f"{what}/list_changed")
        for identity in self._listens:
            self.notice(f"{what}/list_changed", _meta={f"{META}subscriptionId": identity})

    async def ask(self, method: str, params: Json) -> Json:
        identity = f"q{len(self._asked)}"
        self._asked[identity] = asyncio.get_running_loop().create_future()
        self.tell({"id": identity, "method": method, "params": params})
        found = await self._asked[identity]
        if "error" in found:
            raise Refused(-32603, found["error"]["message"])
        return found["result"]

    # --- tools

    async def call(self, params: Json, is_modern: bool) -> Json:
        name, meta = params["name"], params.get("_meta") or {}
        if name in PLAIN:
            return PLAIN[name]
        if name in WANTED and is_modern:
            return self.round(name, params)
        if name in FORMS and not is_modern:
            asked = {"message": params["arguments"].get("message", "Please"), "requestedSchema": FORMS[name]}
            found = await self.ask("elicitation/create", asked)
            words = f"action={found['action']}, content={json.dumps(found.get('content'))}"
            is_user = name == "test_elicitation"
            return text(f"User response: {words}" if is_user else f"Elicitation completed: {words}")
        special: dict[str, Callable[[Json, Json], Awaitable[Json]]] = {
            "test_tool_with_logging": self.logging,
            "test_logging_tool": self.logging,
            "test_tool_with_progress": self.progress,
            "test_sampling": self.sampling,
            "test_missing_capability": self.missing,
            "test_streaming_elicitation": self.streaming,
            "test_trigger_tool_change": self.learn,
            "test_trigger_prompt_change": self.learn_prompt,
            f"{ROUND}multi_round": self.rounds,
        }
        if name not in special:
            raise Refused(-32602, f"Unknown tool: {name}")
        return await special[name](params, meta)

    async def logging(self, _params: Json, _meta: Json) -> Json:
        for words in ("Tool execution started", "Tool processing data", "Tool execution completed"):
            self.notice("message", level="info", data=words)
        return text("logged")

    async def progress(self, _params: Json, meta: Json) -> Json:
        for done in (0, 50, 100):
            if "progressToken" in meta:
                self.notice("progress", progressToken=meta["progressToken"], progress=done, total=100)
        return text(str(meta.get("progressToken")))

    async def sampling(self, params: Json, _meta: Json) -> Json:
        words = {"type": "text", "text": params["arguments"]["prompt"]}
        asked = {"messages": [{"role": "user", "content": words}], "maxTokens": 100}
        found = await self.ask("sampling/createMessage", asked)
        return text(f"LLM response: {found['content']['text']}")

    async def missing(self, _params: Json, meta: Json) -> Json:
        if "sampling" not in meta.get(f"{META}clientCapabilities", {}):
            raise Refused(-32021, "Sampling is needed", requiredCapabilities={"sampling": {}})
        return text("ok")

    async def streaming(self, params: Json, meta: Json) -> Json:
        if "progressToken" in meta:
            self.notice("progress", progressToken=meta["progressToken"], progress=1, total=2)
        return self.asks(params, {"user_name": NAME})

    async def learn(self, _params: Json, _meta: Json) -> Json:
        self._learnt.append(self.tool(f"learnt_{len(self._learnt)}"))
        self.changed("tools")
        return text("learnt")

    async def learn_prompt(self, _params: Json, _meta: Json) -> Json:
        PROMPTS.append({"name": f"learnt_{len(PROMPTS)}", "description": "Learnt"})
        self.changed("prompts")
        return text("learnt")

    # --- results that ask back

    def asks(self, params: Json, wanted: dict[str, Json], state: str | None = None) -> Json:
        given = params.get("inputResponses") or {}
        missing = {key: question for key, question in wanted.items() if not _fits(question, given.get(key))}
        if missing:
            more = {} if state is None else {"requestState": self.state(state)}
            return {"resultType": "input_required", "inputRequests": missing, **more}
        return text(" ".join(["Hello,", *(_said(given[key]) for key in wanted)]) + "! state-ok")

    def state(self, words: str) -> str:
        found = f"{words}-{os.urandom(8).hex()}"
        self._states.add(found)
        return found

    def round(self, name: str, params: Json) -> Json:
        able = params["_meta"][f"{META}clientCapabilities"]
        wanted = WANTED[name]
        if name.endswith("capabilities"):
            wanted = {key: it for key, it in wanted.items() if it["method"].partition("/")[0] in able}
        self.check(params)
        return self.asks(params, wanted, name if name in STATEFUL else None)

    def check(self, params: Json) -> None:
        state = params.get("requestState")
        if state is not None and state not in self._states:
            raise Refused(-32602, "Invalid requestState")

    async def rounds(self, params: Json, _meta: Json) -> Json:
        self.check(params)
        given = params.get("inputResponses") or {}
        is_second = (params.get("requestState") or "").startswith("two") or "step1" in given
        if "step2" in given:
            return text("both steps are done")
        wanted = {"step2": CONFIRM} if is_second else {"step1": NAME}
        state = self.state("two" if is_second else "one")
        return {"resultType": "input_required", "inputRequests": wanted, "requestState": state}

    # --- the rest

    def read(self, uri: str) -> Json:
        if uri == "test://static-binary":
            return {"contents": [{"uri": uri, "mimeType": "image/png", "blob": PIXEL}]}
        if uri.startswith("test://template/"):
            words = json.dumps({"id": uri.split("/")[3], "templateTest": True})
            return {"contents": [{"uri": uri, "mimeType": "application/json", "text": words}]}
        if uri not in [each["uri"] for each in RESOURCES]:
            raise Refused(-32602, "Resource not found", uri=uri)
        words = "This is the content of the static text resource."
        return {"contents": [{"uri": uri, "mimeType": "text/plain", "text": words}]}

    def prompt(self, params: Json, is_modern: bool) -> Json:
        arguments = params.get("arguments") or {}
        match params["name"]:
            case "test_simple_prompt":
                parts = ["This is a simple prompt for testing."]
            case "test_prompt_with_arguments":
                given = f"arg1='{arguments['arg1']}', arg2='{arguments['arg2']}'"
                parts = [f"Prompt with arguments: {given}"]
            case "test_prompt_with_embedded_resource":
                parts = [
                    embedded(arguments["resourceUri"], "Embedded for testing."),
                    "Look.",
                ]
            case "test_prompt_with_image":
                parts = [IMAGE, "Please analyze the image above."]
            case "test_input_required_result_prompt" if is_modern:
                schema = form(context=STRING)
                context = {
                    "method": "elicitation/create",
                    "params": {"message": "Context?", "requestedSchema": schema},
                }
                found = self.asks(params, {"user_context": context})
                if "inputRequests" in found:
                    return found
                parts = ["With your context"]
            case name:
                raise Refused(-32602, f"Unknown prompt: {name}")
        content = [{"type": "text", "text": part} if isinstance(part, str) else part for part in parts]
        return {"messages": [{"role": "user", "content": part} for part in content]}


def _fits(question: Json, answer: Any) -> bool:
    if not isinstance(answer, dict):
        return False
    needed = {"elicitation/create": "action", "sampling/createMessage": "content", "roots/list": "roots"}
    return needed[question["method"]] in answer


def _said(answer: Json) -> str:
    content = answer.get("content")
    words = content.get("name", content) if isinstance(content, dict) else len(answer.get("roots", ()))
    return str(words)


async def everything(lines: AsyncIterator[bytes], say: Callable[[bytes], None]) -> None:
    server = Everything(say)
    async for line in lines:
        server.hear(json.loads(line))
