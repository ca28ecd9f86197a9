// A new server: by its command or its address, or from another client on this machine.

import { ask, get, path } from "./api.js";
import { el, fill } from "./dom.js";
import { entry, step } from "./edit.js";
import { servers } from "./live.js";
import { go } from "./route.js";
import { many } from "./words.js";

export default async function view(node, signal) {
  const name = el("input", { id: "add-name", required: true, pattern: "\\S(.*\\S)?", autocomplete: "off" });
  const what = el("input", { id: "add-what", required: true, autocomplete: "off", spellcheck: false, oninput: () => rewrite() });
  const { node: text, read } = entry({});
  const rewrite = () => (text.value = JSON.stringify(guess(what.value.trim()), null, 2));
  const shown = el("div", { "aria-live": "polite" });
  const put = () => read() && step(shown, (preview) => ask("PUT", path("config", "servers", name.value), { entry: read(), preview }), () => go("servers", name.value));
  const clients = el("div");
  fill(node, el("h2", servers.length ? "Add a server" : "No servers yet"),
    !servers.length && el("p", "There are three ways to add one."),
    el("h3", "Here"),
    el("form", { onsubmit: (event) => (event.preventDefault(), put()) },
      row(name, "Name", "What you call it; it goes in front of the names of its tools."),
      row(what, "Command or address", "As you would type it: npx -y @modelcontextprotocol/server-memory, or https://mcp.example.com/mcp"),
      el("details.past", el("summary", "The entry"), text),
      el("p.buttons", el("button.first", "Show the difference"))),
    shown, clients);
  const found = await get("config/clients", { signal }).catch(() => []);
  fill(clients, el("h3", "From other clients on this machine"), found.length ? el("ul", found.map(({ client, servers, files }) =>
    el("li", `${client} has ${many(servers.length, "server")}${servers.length ? `: ${servers.join(", ")}` : ""}`, el("p.note", files.join(", ")), el("p", el("code", `mooring import ${client} --apply`))))) : el("p", "None of those that Mooring knows has servers here."),
    el("h3", "On the command line"), el("p", el("code", "mooring add greet -- python -m mooring.servers.greet")), el("p", el("code", "mooring add NAME --url ADDRESS")));
}

const row = (input, label, about) => el("div.field", el("label", { htmlFor: input.id }, label), input, el("p.about", about));

function guess(typed) {
  if (/^https?:\/\//.test(typed)) return { type: "remote", url: typed };
  return { type: "local", command: [...typed.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare) };
}
