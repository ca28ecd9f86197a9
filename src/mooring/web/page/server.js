// One server: how it is, why, and what can be done about it.

import { hub } from "./api.js";
import { button, el, fill, sentence } from "./dom.js";
import { servers } from "./live.js";
import { logIn, retry, stop } from "./mend.js";
import { lasted, mood, sign, when, word } from "./words.js";

export default function view(node, signal, name) {
  const [top, said] = [el("div"), el("div")];
  fill(node, el("p.back", {}, el("a", { href: "#/" }, "‹ All servers")), top, said);
  const draw = () => {
    const server = servers.find((each) => each.name === name);
    if (server) fill(top, head(server)), fill(said, stderr(server));
    else if (servers.length) fill(top, el("h2", {}, name), el("p", {}, "There is no server of that name any more.")), fill(said);
  };
  hub.addEventListener("servers", draw, { signal });
  draw();
}

function head(server) {
  const { name, status, reason, hint, error } = server;
  return [
    el("h2", {}, name),
    el(`p.state.${mood(status)}`, {}, el("span.sign", { "aria-hidden": "true" }, sign(status)), word(status)),
    reason && el("p.why", {}, sentence(reason)),
    hint && el("p.hint", {}, "Next: ", sentence(hint)),
    el("p.buttons", {}, buttons(server)),
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

function buttons({ name, status }) {
  const press = (text, action, kind) => button(text, (event) => action(name, event.target), { "data-key": text, className: kind });
  if (status === "needs_auth") return press("Log in", logIn, "first");
  if (["failed", "disabled"].includes(status)) return press(status === "failed" ? "Retry" : "Connect", retry, "first");
  return status === "connected" && press("Disconnect", stop);
}

export function facts(found) {
  const known = Object.entries(found).filter(([, value]) => value || value === 0);
  return el("dl.facts", {}, known.map(([key, value]) => [el("dt", {}, key), el("dd", {}, value)]));
}

function stderr({ stderr: lines }) {
  return lines.length > 0 && [el("h3", {}, "Its last lines on stderr"), el("pre", { tabIndex: 0 }, lines.join("\n"))];
}
