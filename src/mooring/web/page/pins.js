// What a server's tools are now, against what they were when they were approved.

import { ask, get, hub, path, post } from "./api.js";
import { button, el, fill } from "./dom.js";
import { busy } from "./mend.js";
import { link } from "./route.js";
import { many } from "./words.js";

export default function view(node, signal, server) {
  const where = path("servers", server, "pins");
  const look = async () => {
    const found = await get(where, { signal });
    fill(node, el("h2", "Pins of ", el("a", { href: link("servers", server) }, server)), drawn(found), el("p.buttons",
      found.changed.length + found.new.length + found.gone.length > 0 &&
        button("Approve what is shown", (event) => busy(event.target, () => post(`${where}/approve`, { fingerprints: found.fingerprints }).then(look)), { className: "first", "data-key": "approve" }),
      button("Forget them", (event) => busy(event.target, () => ask("DELETE", where).then(look)), { "data-key": "forget" })),
      el("p.note", "Forgotten pins are made anew from what the server offers next."));
  };
  for (const kind of ["server.pins", "server.catalog"]) hub.addEventListener(kind, ({ detail }) => detail.server === server && look(), { signal });
  return look();
}

function drawn({ changed, new: fresh, gone, same }) {
  return [
    changed.map(({ tool, fields }) => [el("h3", `${tool} has changed`), fields.map(({ field, old, new: now }) => [
      el("p.note", field),
      el("pre", { tabIndex: 0 }, old !== null && el("del", `- ${old}`), old !== null && now !== null && "\n", now !== null && el("ins", `+ ${now}`)),
    ])]),
    fresh.length > 0 && el("p", `New: ${fresh.join(", ")}`),
    gone.length > 0 && el("p", `Gone: ${gone.join(", ")}`),
    el("p", same.length ? `${many(same.length, "tool is", "tools are")} as approved: ${same.join(", ")}` : "No tool is pinned as it is now."),
  ];
}
