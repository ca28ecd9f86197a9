// One server: how it is, why, what can be done about it, and what it offers.

import { all, get, hub, path } from "./api.js";
import { button, code, el, facts, fill, sentence } from "./dom.js";
import { isKnown, servers } from "./live.js";
import { log } from "./log.js";
import { bring, logIn, logOut, retry, stop } from "./mend.js";
import { row } from "./offers.js";
import { link } from "./route.js";
import { lasted, many, mood, sign, when, word } from "./words.js";

export default async function view(node, signal, name) {
  const [top, away, past, offered] = [el("div"), el("div"), el("div"), el("div")];
  fill(node, top, away, log(name, signal), past, offered);
  const draw = async () => {
    const server = servers.find((each) => each.name === name);
    if (!server) return isKnown && fill(node, el("h2", name), el("p", "There is no server of that name any more."));
    fill(top, head(server));
    if (server.status === "connected") fill(away);
    const found = await get(path("servers", name), { signal }).catch(() => null);
    if (found) fill(past, history(found.history));
  };
  const look = async () => fill(offered, await offers(name, signal));
  hub.addEventListener("servers", draw, { signal });
  hub.addEventListener("server.catalog", ({ detail }) => detail.server === name && look(), { signal });
  hub.addEventListener("visit", ({ detail }) => detail.name === name && fill(away, visit(detail)), { signal });
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
      "Error": error && code(error.code),
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

function pinned({ pins: { changed, blocked } }) {
  return changed.length > 0 && el("p.why", `${many(changed.length, "tool")} changed since you approved them${blocked ? ", and cannot be called until you approve that" : ""}.`);
}

function buttons(server) {
  const { name, status, pins } = server;
  const press = (text, action, className) => button(text, (event) => action(name, event.target), { "data-key": text, className });
  const lead = (text, place, className = "") => el("a", { href: link(place, name), "data-key": text, className: `button ${className}` }, text);
  return [
    status === "needs_auth" && press("Log in", logIn, "first"),
    status === "needs_approval" && lead("Review and approve", "trust", "first"),
    status === "failed" && press("Retry", retry, "first"),
    status === "disabled" && press("Connect", retry),
    status === "connected" && press("Disconnect", stop),
    status === "connected" && server.transport !== "stdio" && press("Log out", logOut),
    lead(pins.changed.length ? "Review pins" : "Pins", "pins", pins.changed.length ? "first" : ""),
    lead("Edit", "edit"),
  ];
}

// The address whole, and a place for where the browser ended, should that be on another machine.
function visit({ name, url }) {
  const came = el("input", { required: true, "aria-label": "The address that the browser ended at", placeholder: "http://127.0.0.1:…" });
  return el("form", { onsubmit: (event) => (event.preventDefault(), bring(name, came.value, event.submitter)) },
    el("h3", "A browser window was opened to log in"),
    el("p", el("code", url)),
    el("p.note", "This page notices when you are back. Where the browser is on another machine, it ends at an address that it cannot open: bring it here."),
    came, el("p.buttons", el("button", "Use this address")));
}

const history = (past) => past.length > 1 && el("details.past", el("summary", "What it was before"), el("ul", past.slice(-30).reverse().map(({ at, status, reason, code, exitCode }) =>
  el("li", el("time", when(at)), ` ${sign(status)} ${word(status)}`, reason && [": ", sentence(reason)], code && ` (${code})`, exitCode !== null && `, exit code ${exitCode}`))));

async function offers(server, signal) {
  const kinds = ["tools", "resources", "templates", "prompts"];
  const found = await Promise.all(kinds.map((kind) => all(kind, { server }, signal)));
  return kinds.map((kind, index) => found[index].length > 0 && [
    el("h3.kind", kind),
    el("ul.rows", found[index].map((item) => row({ ...item, kind, isOwn: true, ways: item.uri ?? item.uriTemplate ?? item.name, name: item.title || item.tool || item.prompt || item.name }))),
  ]);
}
