// One server: how it is, why, what can be done about it, and what it offers.

import { all, hub } from "./api.js";
import { button, el, facts, fill, sentence } from "./dom.js";
import { servers } from "./live.js";
import { logIn, retry, stop } from "./mend.js";
import { row } from "./offers.js";
import { link } from "./route.js";
import { lasted, many, mood, sign, wants, when, word } from "./words.js";

const KEPT = 200;

export default async function view(node, signal, name) {
  const [top, said, offered] = [el("div"), el("div"), el("div")];
  fill(node, top, said, offered);
  const log = [];
  const draw = () => {
    const server = servers.find((each) => each.name === name);
    if (server) fill(top, head(server)), fill(said, told([...server.stderr, ...log]));
    else if (servers.length) fill(top, el("h2", name), el("p", "There is no server of that name any more.")), fill(said), fill(offered);
  };
  const look = async () => fill(offered, await offers(name, signal));
  hub.addEventListener("servers", draw, { signal });
  hub.addEventListener("server.catalog", ({ detail }) => detail.server === name && look(), { signal });
  hub.addEventListener("server.log", ({ detail }) => {
    if (detail.server !== name) return;
    log.push(`${detail.level}: ${detail.text}`);
    if (log.length > KEPT) log.shift();
    draw();
  }, { signal });
  draw();
  await look();
}

function head(server) {
  const { name, status, reason, hint, error } = server;
  return [
    el("h2", name),
    el(`p.state.${mood(status)}`, el("span.sign", { "aria-hidden": "true" }, sign(status)), word(status)),
    reason && el("p.why", sentence(reason)),
    hint && el("p.hint", "Next: ", sentence(hint)),
    pinned(server),
    el("p.buttons", buttons(server)),
    facts({
      "Error": error?.code,
      "Exit code": server.exitCode,
      "Worked last": server.lastOk && status !== "connected" && when(server.lastOk),
      "Next try": server.nextTry && when(server.nextTry),
      "Since": server.since && when(server.since),
      "Server": server.serverName && [server.serverName, server.serverVersion].filter(Boolean).join(" "),
      "Reached by": server.transport,
      "Protocol": server.protocol,
      "Latency": lasted(server.latencyMs),
    }),
  ];
}

function pinned(server) {
  const { changed, blocked } = server.pins;
  return wants(server) && changed.length > 0 && el("p.why", `${many(changed.length, "tool")} changed since you approved them${blocked ? ", and cannot be called until you approve that" : ""}.`);
}

function buttons(server) {
  const { name, status } = server;
  const press = (text, action, className) => button(text, (event) => action(name, event.target), { "data-key": text, className });
  return [
    status === "needs_auth" && press("Log in", logIn, "first"),
    ["failed", "disabled"].includes(status) && press(status === "failed" ? "Retry" : "Connect", retry, "first"),
    status === "connected" && press("Disconnect", stop),
    el("a.button", { href: link("pins", name), "data-key": "pins" }, "Pins"),
  ];
}

const told = (lines) => lines.length > 0 && [el("h3", "What it said last"), el("pre", { tabIndex: 0 }, lines.join("\n"))];

async function offers(server, signal) {
  const kinds = ["tools", "resources", "templates", "prompts"];
  const found = await Promise.all(kinds.map((kind) => all(kind, { server }, signal)));
  return kinds.map((kind, index) => found[index].length > 0 && [
    el("h3.kind", kind),
    el("ul.rows", found[index].map((item) => row({ ...item, kind, isOwn: true, ways: item.uri ?? item.uriTemplate ?? item.name, name: item.title || item.tool || item.prompt || item.name }))),
  ]);
}
