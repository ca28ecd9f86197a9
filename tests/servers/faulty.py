"""A stdio server that breaks in every way a test can ask for; standard library only, so that it starts fast.

    python tests/servers/faulty.py [--era both|legacy|modern] [--version V] [--name N] [--note FILE]
                                   [--fault NAME[=VALUE]]

Without a fault it is a good server of both eras: `legacy` knows no `server/discover`, `modern` no
`initialize`, and `--version` is what it answers to the latter. `--fault` can be given more than once. The
numbers of its process and of its children are written to the file of `--note` as soon as they are known.

Its tools: `echo text`, `sleep seconds` (with progress every 0.1 s; other calls are answered meanwhile),
`quiet seconds` (the same without progress), `fail`, `big bytes`, `env name` (a variable, or all names),
`cwd`, `pids` (its own, then its children's), `stderr text`, `heard` (the notifications that came),
`grow` (one tool more, and the notice of it), `ask` (a form: pushed in the old era, as `input_required` in the
new one).

It has the resource `note://one`, the template `note://{name}` and the prompt `greet`.

Start
    say-first=TEXT       a line on stderr
    crash-start[=CODE]   a line on stderr, then exit 3
    slow-start=S         says nothing for S seconds
    hang-start           never reads, never answers
    exit-on-probe        exits when the first message is `server/discover`
    silent-on-probe      ignores it, as it ignores every unknown method
    nonsense-on-probe    answers it with something that is no map
    hang-initialize, hang-discover, hang-list, hang-call    that request is never answered
    banner               text on stdout before the first answer
Crashes
    crash-list           exit 1 in the middle of `tools/list`
    crash-call[=N]       exit 1 in the middle of the Nth call (the first), after half an answer
    crash-idle[=S]       exit 1 by itself S (0.2) seconds after the handshake
    stop-call            answers a call, then stops itself (SIGSTOP)
What it writes
    garbage              text, broken JSON, blank lines and a list of numbers before each answer
    half-lines           each answer in three pieces
    bytewise             each answer byte by byte
    crlf                 lines end as on Windows
    batch                each answer inside a JSON list
    text-ids             ids come back as text
    huge[=MB]            the result of a call is a line of MB (50) megabytes
    endless-line[=MB]    a call is answered with MB (300) megabytes and no end of line
    bad-utf8             bytes that are no UTF-8 in a notice before, and in the text of each result
    deep                 the result of a call is nested 100,000 levels
    duplicate-answers    each answer twice, and once more with another result
    wrong-id             an answer with a foreign id before each answer
    unknown-content      content types and fields that nobody knows
    flood-stderr[=MB]    MB (20) megabytes on stderr before each call is answered
    storm[=N]            N (10,000) `tools/list_changed` before each call is answered
    logs[=N]             N (20,000) log messages of a kilobyte before each call is answered
    steps[=N]            N (50,000) notices of progress before each call is answered
    batch-bomb[=MB]      each call is answered with MB (15) megabytes of empty messages in one list, and then
    notices              notifications that nobody knows, one of them called `log`
    requests             asks for roots, a ping and something unknown before `tools/list` is answered
What it reads
    no-read              reads nothing any more after the handshake
    close-stdin          closes its stdin after the handshake, and stays
    late-read=S          reads nothing for S seconds after the handshake
    slow-read[=S]        waits S (0.05) seconds before each message
Lists
    big-list[=MB]        one of its tools has a description of MB (1) megabytes, in pieces over its schema
    changes-for-ever     each list is followed by a notice that it has changed
    endless-pages        every page has a new cursor
    repeated-cursor      every page has the same cursor
    pages                three pages
    many-tools=N         N tools more
    bad-tools            tools without a name, without a schema, and a number, among the good ones
End
    ignore-eof           stays when stdin is closed
    ignore-term          does not hear SIGTERM
    slow-exit=S          needs S seconds after stdin was closed
    grandchild           has a child that keeps the pipes open
    setsid-grandchild    has a child in a session of its own, deaf to SIGTERM
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

HANDSHAKE, MODERN = "2025-11-25", "2026-07-28"
META = "io.modelcontextprotocol/"
MB = 1024 * 1024
Params = dict[str, Any]


class Refused(Exception):
    """An answer that is an error of the protocol."""


class Options:
    """The command line."""

    def __init__(self, words: list[str]) -> None:
        self.era, self.version, self.name, self.note = "both", HANDSHAKE, "faulty", ""
        self.faults: dict[str, str] = {}
        while words:
            key, value = words.pop(0), words.pop(0)
            if key == "--fault":
                fault, _, detail = value.partition("=")
                self.faults[fault] = detail
            else:
                setattr(self, key.removeprefix("--"), value)
        known = set((__doc__ or "").replace(",", " ").replace("[", " ").replace("=", " ").split())
        for fault in self.faults:
            if fault not in known:
                sys.exit(f"no fault `{fault}`")

    def has(self, fault: str) -> bool:
        return fault in self.faults

    def number(self, fault: str, default: float) -> float:
        return float(self.faults.get(fault) or default)


class Out:
    """Standard output, and all that can be done to it."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._lock = threading.Lock()

    def raw(self, data: bytes) -> None:
        with self._lock:
            while data:
                data = data[os.write(1, data) :]

    def message(self, **message: Any) -> None:
        self.raw(json.dumps({"jsonrpc": "2.0", **message}).encode() + self.end)

    @property
    def end(self) -> bytes:
        return b"\r\n" if self._options.has("crlf") else b"\n"

    def answer(self, identity: Any, **what: Any) -> None:
        has = self._options.has
        identity = str(identity) if has("text-ids") else identity
        self.noise()
        message = {"jsonrpc": "2.0", "id": identity, **what}
        data = json.dumps([message] if has("batch") else message, ensure_ascii=False).encode() + self.end
        if has("bad-utf8"):
            data = data.replace("é".encode(), b"\xe9")
        self.slowly(data)
        if has("duplicate-answers"):
            self.raw(data)
            self.message(id=identity, result=text("another one"))

    def noise(self) -> None:
        has = self._options.has
        if has("garbage"):
            self.raw(b'npm WARN deprecated\n{not json}\n\n  \n[1,2]\n"text"\nnull\n')
        if has("bad-utf8"):
            self.raw(b'{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"caf\xe9"}}\n')
        if has("wrong-id"):
            self.message(id=99999, result=text("somebody else's"))

    def slowly(self, data: bytes) -> None:
        if self._options.has("half-lines"):
            third = len(data) // 3
            for piece in (data[:third], data[third : 2 * third], data[2 * third :]):
                self.raw(piece)
                time.sleep(0.02)
        elif self._options.has("bytewise"):
            for byte in data:
                self.raw(bytes([byte]))
        else:
            self.raw(data)


class Server:
    """One conversation, until stdin ends."""

    def __init__(self, options: Options) -> None:
        self.options, self.out = options, Out(options)
        self.has, self.number = options.has, options.number
        self.calls, self.grown, self.first = 0, 0, True
        self.listens: list[Any] = []
        self.asking: dict[str, Any] = {}
        self.notifications: list[dict[str, Any]] = []
        self.children: list[int] = []

    # --- the loop

    def run(self) -> None:
        self.begin()
        buffer = b""
        while data := os.read(0, 256 * 1024):
            *lines, buffer = (buffer + data).split(b"\n")
            for line in lines:
                if self.has("slow-read"):
                    time.sleep(self.number("slow-read", 0.05))
                self.hear(json.loads(line))
        time.sleep(self.number("slow-exit", 0))
        if self.has("ignore-eof"):
            wait_for_ever()

    def begin(self) -> None:
        if self.has("ignore-term"):
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        for fault in ("grandchild", "setsid-grandchild"):
            if self.has(fault):
                self.children.append(child(own_session=fault.startswith("setsid")))
        if self.options.note:
            with open(self.options.note, "a") as file:  # noqa: PTH123 - without pathlib it starts faster
                file.writelines(f"{pid}\n" for pid in (os.getpid(), *self.children))
        if self.has("say-first"):
            os.write(2, self.options.faults["say-first"].encode() + b"\n")
        if self.has("crash-start"):
            os.write(2, b"FATAL: no API key\n")
            os._exit(int(self.number("crash-start", 3)))
        time.sleep(self.number("slow-start", 0))
        if self.has("hang-start"):
            wait_for_ever()
        if self.has("banner"):
            self.out.raw(b"Welcome to the faulty server\n\n")

    def hear(self, message: dict[str, Any]) -> None:
        method, identity = message.get("method"), message.get("id")
        first, self.first = self.first, False
        if method is None:
            self.answered(message)
        elif identity is None:
            self.notifications.append(message)
            if method == "notifications/initialized":
                self.after_handshake()
        else:
            if first and method == "server/discover" and self.has("exit-on-probe"):
                os._exit(1)
            self.request(method, identity, message.get("params") or {})

    def request(self, method: str, identity: Any, params: Params) -> None:
        verb = method.rpartition("/")[2]
        if self.has(f"hang-{verb}") or (method == "server/discover" and self.has("silent-on-probe")):
            return
        if method == "server/discover" and self.has("nonsense-on-probe"):
            self.out.answer(identity, result="nonsense")
            return
        act: Callable[[Any, Params], Any] | None = getattr(self, method.replace("/", "_"), None)
        old_only, new_only = ("initialize", "ping"), ("server/discover", "subscriptions/listen")
        wrong_era = method in (new_only if self.options.era == "legacy" else ())
        if act is None or wrong_era or (self.options.era == "modern" and method in old_only):
            self.out.answer(identity, error={"code": -32601, "message": f"Method not found: {method}"})
            return
        try:
            result = act(identity, params)
        except Refused as error:
            self.out.answer(identity, error={"code": -32602, "message": str(error)})
        else:
            if result is not None:
                self.out.answer(identity, result={**result, **stamp(params, method)})
        if method == "tools/call" and self.has("stop-call"):
            os.kill(os.getpid(), signal.SIGSTOP)
        if method == "server/discover":
            self.after_handshake()

    def after_handshake(self) -> None:
        if self.has("crash-idle"):
            later(self.number("crash-idle", 0.2), lambda: os._exit(1))
        if self.has("close-stdin"):
            os.close(0)
        if self.has("no-read") or self.has("close-stdin"):
            wait_for_ever()
        time.sleep(self.number("late-read", 0))

    def answered(self, message: dict[str, Any]) -> None:
        """What we were told to a question of ours."""
        identity = self.asking.pop(str(message.get("id")), None)
        if identity is not None:
            self.out.answer(identity, result=text(json.dumps(message.get("result") or message.get("error"))))

    # --- requests

    def about(self) -> Params:
        changes = {"listChanged": True}
        capabilities = {
            "tools": changes, "prompts": changes, "resources": {**changes, "subscribe": True}, "logging": {}
        }  # fmt: skip
        return {"capabilities": capabilities, "serverInfo": {"name": self.options.name, "version": "1.0"}}

    def initialize(self, identity: Any, params: Params) -> Params:
        return {"protocolVersion": self.options.version, "instructions": "Be careful", **self.about()}

    def server_discover(self, identity: Any, params: Params) -> Params:
        about = self.about()
        info = about.pop("serverInfo")
        return {
            "supportedVersions": [MODERN],
            "instructions": "Be careful",
            **about,
            "_meta": {f"{META}serverInfo": info},
        }

    def ping(self, identity: Any, params: Params) -> Params:
        return {}

    def logging_setLevel(self, identity: Any, params: Params) -> Params:  # noqa: N802 - the protocol's name
        return {}

    def tools_list(self, identity: Any, params: Params) -> Params:
        if self.has("crash-list"):
            self.out.raw(b'{"jsonrpc":"2.0","id":')
            os._exit(1)
        self.interrupt()
        page = int(params.get("cursor") or 0)
        tools = [tool(name, *keys) for name, keys in TOOLS.items()] if page == 0 else [tool(f"page_{page}")]
        tools += [tool(f"grown_{number}") for number in range(self.grown)]
        tools += [tool(f"many_{number}") for number in range(int(self.number("many-tools", 0)))]
        if self.has("big-list"):
            pieces = {f"p{number}": {"type": "string", "description": "word " * 200}
                      for number in range(int(self.number("big-list", 1) * 1000))}  # fmt: skip
            tools.append({"name": "big_one", "inputSchema": {"type": "object", "properties": pieces}})
        if self.has("changes-for-ever"):
            later(0.01, lambda: self.out.message(method="notifications/tools/list_changed"))
        if self.has("bad-tools"):
            tools = [
                {"inputSchema": {}},
                *tools,
                {"name": "no_schema"},
                7,
                {"name": "odd", "inputSchema": "none"},
                None,
            ]
        return {"tools": tools, **self.cursor(page)}

    def interrupt(self) -> None:
        """What some servers do while they list."""
        if self.has("notices"):
            self.out.message(method="log", params={"text": "listing"})
            self.out.message(method="notifications/nobody/knows", params=[1, 2])
            self.out.message(method="notifications/tools/list_changed")
        if self.has("requests"):
            for number, method in enumerate(("roots/list", "ping", "nobody/knows"), 1):
                # Ids as ours may be: a server counts its own requests.
                self.out.message(id=number, method=method)

    def cursor(self, page: int) -> Params:
        if self.has("endless-pages") or (self.has("pages") and page < 2):
            return {"nextCursor": str(page + 1)}
        return {"nextCursor": "1"} if self.has("repeated-cursor") else {}

    def resources_list(self, identity: Any, params: Params) -> Params:
        return {"resources": [{"uri": "note://one", "name": "one", "mimeType": "text/plain"}]}

    def resources_templates_list(self, identity: Any, params: Params) -> Params:
        return {"resourceTemplates": [{"uriTemplate": "note://{name}", "name": "note"}]}

    def resources_read(self, identity: Any, params: Params) -> Params:
        return {
            "contents": [
                {"uri": params["uri"], "mimeType": "text/plain", "text": f"The note {params['uri']}"}
            ]
        }

    def resources_subscribe(self, identity: Any, params: Params) -> Params:
        return {}

    resources_unsubscribe = resources_subscribe

    def prompts_list(self, identity: Any, params: Params) -> Params:
        return {"prompts": [{"name": "greet", "arguments": [{"name": "who", "required": True}]}]}

    def prompts_get(self, identity: Any, params: Params) -> Params:
        who = params.get("arguments", {}).get("who", "nobody")
        return {"messages": [{"role": "user", "content": {"type": "text", "text": f"Greet {who}"}}]}

    def completion_complete(self, identity: Any, params: Params) -> Params:
        return {"completion": {"values": [params["argument"]["value"] + "x"], "total": 1, "hasMore": False}}

    def subscriptions_listen(self, identity: Any, params: Params) -> None:
        self.listens.append(identity)
        stamp = {"_meta": {f"{META}subscriptionId": identity}}
        agreed = {"notifications": params.get("notifications", {}), **stamp}
        self.out.message(method="notifications/subscriptions/acknowledged", params=agreed)

    # --- calls

    def tools_call(self, identity: Any, params: Params) -> Params | None:
        self.calls += 1
        self.disturb(identity)
        act = getattr(self, f"tool_{params.get('name')}", None)
        if act is None:
            raise Refused(f"Unknown tool: {params.get('name')}")
        result = act(identity, params)
        if result is not None and self.has("unknown-content"):
            result["content"].insert(0, {"type": "hologram", "depth": 3})
            result["futureField"] = {"kept": True}
        return result

    def disturb(self, identity: Any) -> None:
        if self.has("crash-call") and self.calls >= self.number("crash-call", 1):
            self.out.raw(b'{"jsonrpc":"2.0","id":')
            os._exit(1)
        if self.has("flood-stderr"):
            for _ in range(int(self.number("flood-stderr", 20))):
                os.write(2, (b"x" * 1023 + b"\n") * 1024)
        self.flood(identity)
        if self.has("endless-line"):
            self.out.raw(b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"' % identity)
            for _ in range(int(self.number("endless-line", 300))):
                self.out.raw(b"x" * MB)
        if self.has("deep"):
            self.out.raw(
                b'{"jsonrpc":"2.0","id":%d,"result":' % identity + b"[" * 100_000 + b"]" * 100_000 + b"}\n"
            )

    def flood(self, identity: Any) -> None:
        if self.has("storm"):
            notice = b'{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n'
            for _ in range(int(self.number("storm", 10_000)) // 1000):
                self.out.raw(notice * 1000)
        if self.has("logs"):
            data = {"level": "info", "data": "password=hunter2 " * 64}
            notice = json.dumps(
                {"jsonrpc": "2.0", "method": "notifications/message", "params": data}
            ).encode()
            for _ in range(int(self.number("logs", 20_000)) // 100):
                self.out.raw((notice + b"\n") * 100)
        if self.has("steps"):
            token = {"progressToken": identity, "progress": 1, "message": "at work " * 8}
            notice = json.dumps(
                {"jsonrpc": "2.0", "method": "notifications/progress", "params": token}
            ).encode()
            for _ in range(int(self.number("steps", 50_000)) // 1000):
                self.out.raw((notice + b"\n") * 1000)
        if self.has("batch-bomb"):
            self.out.raw(b"[{}" + b",{}" * (int(self.number("batch-bomb", 15)) * MB // 3) + b"]\n")

    def tool_echo(self, identity: Any, params: Params) -> Params:
        if self.has("huge"):
            return text("x" * int(self.number("huge", 50) * MB))
        return text(params.get("arguments", {}).get("text", "") + (" café" if self.has("bad-utf8") else ""))

    def tool_sleep(self, identity: Any, params: Params, *, silent: bool = False) -> None:
        seconds = float(params.get("arguments", {}).get("seconds", 1))
        token = None if silent else params.get("_meta", {}).get("progressToken")

        def work() -> None:
            steps = max(int(seconds / 0.1), 1)
            for step in range(steps):
                time.sleep(seconds / steps)
                if token is not None:
                    done = {
                        "progressToken": token,
                        "progress": step + 1,
                        "total": steps,
                        "message": "at work",
                    }
                    self.out.message(method="notifications/progress", params=done)
            self.out.answer(identity, result={**text(f"slept {seconds:g} s"), **stamp(params)})

        threading.Thread(target=work, daemon=True).start()

    def tool_quiet(self, identity: Any, params: Params) -> None:
        self.tool_sleep(identity, params, silent=True)

    def tool_fail(self, identity: Any, params: Params) -> Params:
        return {**text("It did not work"), "isError": True}

    def tool_big(self, identity: Any, params: Params) -> Params:
        return text("x" * int(params.get("arguments", {}).get("bytes", MB)))

    def tool_env(self, identity: Any, params: Params) -> Params:
        name = params.get("arguments", {}).get("name")
        return text(os.environ.get(name, "") if name else json.dumps(sorted(os.environ)))

    def tool_cwd(self, identity: Any, params: Params) -> Params:
        return text(os.getcwd())  # noqa: PTH109 - without pathlib it starts faster

    def tool_pids(self, identity: Any, params: Params) -> Params:
        return text(json.dumps([os.getpid(), *self.children]))

    def tool_stderr(self, identity: Any, params: Params) -> Params:
        os.write(2, params.get("arguments", {}).get("text", "").encode() + b"\n")
        return text("said")

    def tool_heard(self, identity: Any, params: Params) -> Params:
        return text(json.dumps(self.notifications))

    def tool_grow(self, identity: Any, params: Params) -> Params:
        self.grown += 1
        if not stamp(params):
            self.out.message(method="notifications/tools/list_changed")
        for listen in self.listens:
            meta = {"_meta": {f"{META}subscriptionId": listen}}
            self.out.message(method="notifications/tools/list_changed", params=meta)
        return text("grown")

    def tool_ask(self, identity: Any, params: Params) -> Params | None:
        schema = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
        question = {"mode": "form", "message": "Who are you?", "requestedSchema": schema}
        if not stamp(params):
            self.asking[f"ask-{identity}"] = identity
            self.out.message(id=f"ask-{identity}", method="elicitation/create", params=question)
            return None
        answers = params.get("inputResponses")
        if answers is None:
            ask = {"who": {"method": "elicitation/create", "params": question}}
            asked = {"resultType": "input_required", "inputRequests": ask, "requestState": "as it was"}
            self.out.answer(identity, result=asked)
            return None
        return text(json.dumps(answers["who"]))


TOOLS: dict[str, tuple[str, ...]] = {
    "echo": ("text",), "sleep": ("seconds",), "quiet": ("seconds",), "fail": (), "big": ("bytes",), "cwd": (),
    "env": ("name",), "pids": (), "stderr": ("text",), "heard": (), "grow": (), "ask": (),
}  # fmt: skip


def tool(name: str, *keys: str) -> Params:
    kinds = {"seconds": "number", "bytes": "integer"}
    properties = {key: {"type": kinds.get(key, "string")} for key in keys}
    return {
        "name": name,
        "description": f"The tool {name}",
        "inputSchema": {"type": "object", "properties": properties},
    }


def text(words: str) -> Params:
    return {"content": [{"type": "text", "text": words}]}


def stamp(params: Params, method: str = "") -> Params:
    """What every result of the new era has; nothing in the old one."""
    if f"{META}protocolVersion" not in params.get("_meta", {}):
        return {}
    may_be_kept = method.endswith(("/list", "/discover", "/read"))
    return {"resultType": "complete", **({"ttlMs": 0, "cacheScope": "private"} if may_be_kept else {})}


def child(*, own_session: bool) -> int:
    pid = os.fork()
    if pid == 0:
        if own_session:
            os.setsid()
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        wait_for_ever()
    return pid


def later(seconds: float, act: Callable[[], object]) -> None:
    timer = threading.Timer(seconds, act)
    timer.daemon = True
    timer.start()


def wait_for_ever() -> None:
    while True:
        signal.pause()


if __name__ == "__main__":
    Server(Options(sys.argv[1:])).run()
