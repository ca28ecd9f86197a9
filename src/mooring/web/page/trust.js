// What a project wants to start, whole, and the yes to exactly that.

import { get, path, post } from "./api.js";
import { button, el, facts, fill } from "./dom.js";
import { busy } from "./mend.js";
import { json } from "./result.js";
import { go } from "./route.js";

export default async function view(node, signal, name) {
  const where = path("servers", name, "trust");
  const found = await get(where, { signal });
  const yes = (event) => busy(event.target, () => post(where, { fingerprint: found.fingerprint }).then(() => go("servers", name)));
  fill(node, el("h2", name),
    el("p.why", found.approved ? "This is approved." : "It is started only when you have approved this."),
    json(Object.fromEntries(Object.entries(found.launch).filter(([, value]) => value !== null && value.length !== 0))),
    facts({ "Written in": found.files.join(", "), "Works in": found.folder, "Would get": found.variables.join(", "), "Changed since the last yes": found.changed.join(", ") }),
    el("p.buttons", !found.approved && button("Approve and start", yes, { className: "first" })));
}
