// Which calls were made, by whom, how long they took and how they went.

import { get, hub, tell } from "./api.js";
import { chart } from "./chart.js";
import { button, el, fill } from "./dom.js";
import { servers } from "./live.js";
import { here, link } from "./route.js";
import { lasted, when } from "./words.js";

export const OUTCOMES = { done: ["●", "done", "well"], tool_error: ["✕", "tool failed", "ill"], failed: ["✕", "failed", "ill"], refused: ["▲", "refused", "wants"], cancelled: ["–", "cancelled", "quiet"] };
const MOST = 100;
export let calls = [];

export default function list(node, signal) {
  const chosen = { server: "", failed: "" };
  const shown = el("div"), more = el("p.buttons");
  const draw = () => fill(shown, calls.length ? [chart(calls), el("ul.rows", calls.map(row))] : el("p.empty", "No call yet that fits."));
  const look = async (before) => {
    const query = { limit: MOST, ...Object.fromEntries(Object.entries(chosen).filter(([, value]) => value)), ...(before && { before }) };
    const found = await get(`calls?${new URLSearchParams(query)}`, { signal }).catch((problem) => void (signal.aborted || tell("trouble", problem)));
    if (!found) return;
    calls = before ? [...calls, ...found] : found;
    fill(more, found.length === MOST && button("Older ones", () => look(calls.at(-1).id), { "data-key": "older" }));
    draw();
  };
  const choose = (key, label, options) => el("label", el("span.unseen", label), el("select", { onchange: (event) => ((chosen[key] = event.target.value), look()) }, options.map(([value, text]) => el("option", { value }, text))));
  fill(node, el("h2.unseen", "Calls"), el("p.filters",
    choose("server", "Server", [["", "All servers"], ...servers.map(({ name }) => [name, name])]),
    choose("failed", "Outcome", [["", "All outcomes"], ["true", "What went wrong"]])), shown, more);
  hub.addEventListener("call.ended", () => look(), { signal });
  hub.addEventListener("missed", () => look(), { signal });
  addEventListener("hashchange", draw, { signal });
  return look();
}

function row(call) {
  const [sign, said, mood] = OUTCOMES[call.outcome] ?? ["?", call.outcome, "quiet"];
  const where = link("calls", String(call.id));
  return el(`li.${mood}`, el("a", { href: where, "data-key": where, "aria-current": here()[1] === String(call.id) ? "true" : null },
    el("span.sign", { "aria-hidden": "true" }, sign), el("span.name", call.tool), el("span.said", `${said} · ${lasted(call.durationMs)}`),
    el("span.reason", [call.server, `${call.caller} (${call.face})`, when(call.at)].filter(Boolean).join(" · "))));
}
