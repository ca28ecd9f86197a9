// One call of the past: who made it, with which arguments, and how it went.

import { get } from "./api.js";
import { calls, OUTCOMES } from "./calls.js";
import { code, el, facts, fill } from "./dom.js";
import { json } from "./result.js";
import { link } from "./route.js";
import { lasted, size, when } from "./words.js";

export default async function view(node, signal, id) {
  const one = calls.find((each) => String(each.id) === id) ?? (await get(`calls?limit=1&before=${Number(id) + 1}`, { signal }))[0];
  if (String(one?.id) !== id) return void fill(node, el("h2", "No such call"), el("p", "It is not kept any more."));
  const [sign, said, mood] = OUTCOMES[one.outcome] ?? ["?", one.outcome, "quiet"];
  fill(node, el("h2", one.tool), el(`p.state.${mood}`, el("span.sign", { "aria-hidden": "true" }, sign), said),
    facts({ "Server": one.server, "By": `${one.caller}, over ${one.face}`, "Agent": one.agent, "At": when(one.at), "Took": lasted(one.durationMs), "Error": one.code && code(one.code), "Sent": size(one.sentBytes), "Came back": size(one.receivedBytes) }),
    el("h3", "Arguments, without secrets"), json(one.arguments),
    one.server && el("p.buttons", el("a", { href: link("tools", one.server, one.tool) }, "Open the tool")));
}
