// Every server in one list: what needs a person on top, with the button that mends it.

import { hub } from "./api.js";
import { el, fill, sentence } from "./dom.js";
import { isKnown, servers } from "./live.js";
import { mend } from "./mend.js";
import { here, link } from "./route.js";
import { lasted, many, mood, sign, wants, word } from "./words.js";

export default function list(node, signal) {
  const draw = () => {
    const sorted = [...servers].sort((one, other) => wants(other) - wants(one) || one.name.localeCompare(other.name));
    if (isKnown) fill(node, el("h2.unseen", "Servers"), el("ul.rows", sorted.map(row)), el("p.buttons", el("a.button", { href: link("add"), "data-key": "add" }, "Add a server")));
  };
  hub.addEventListener("servers", draw, { signal });
  addEventListener("hashchange", draw, { signal });
  draw();
}

function row(server) {
  const [place, name] = here();
  const isHere = ["servers", "pins", "trust", "edit"].includes(place) && name === server.name;
  return el(`li.${mood(server.status)}`,
    el("a", { href: link("servers", server.name), "data-key": server.name, "aria-current": isHere ? "true" : null },
      el("span.sign", { "aria-hidden": "true" }, sign(server.status)),
      el("span.name", server.name),
      el("span.said", server.status === "connected" ? offered(server) : word(server.status)),
      server.reason && el("span.reason", sentence(server.reason))),
    wants(server) && mend(server));
}

function offered({ counts, latencyMs }) {
  const { tools, prompts } = counts, resources = counts.resources + counts.templates;
  const said = [tools && many(tools, "tool"), resources && many(resources, "resource"), prompts && many(prompts, "prompt")];
  return [...said, lasted(latencyMs)].filter(Boolean).join(" · ") || "offers nothing";
}
