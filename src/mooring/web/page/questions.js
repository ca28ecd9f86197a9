// What somebody has to decide, wherever they are on the page, answered by keyboard.

import { path, post, tell } from "./api.js";
import { announce, button, el } from "./dom.js";
import { form } from "./form.js";
import { json } from "./result.js";

const place = document.getElementById("questions");
const shown = new Map();

export function show(questions, look) {
  const waiting = questions.filter(({ mayAnswer }) => mayAnswer);
  const ids = new Set(waiting.map(({ id }) => id));
  for (const [id, node] of shown) if (!ids.has(id)) gone(id, node);
  for (const each of waiting.filter(({ id }) => !shown.has(id))) {
    const node = question(each, look);
    shown.set(each.id, node);
    place.append(node);
    announce(`${each.server} asks: ${each.message}`);
  }
  place.hidden = !shown.size;
}

function gone(id, node) {
  const hadFocus = node.contains(document.activeElement);
  shown.delete(id);
  node.remove();
  if (hadFocus) (place.querySelector("h2") ?? document.getElementById("detail")).focus();
}

function question(each, look) {
  const answer = async (body, pressed) => {
    pressed.disabled = true;
    try {
      await post(path("questions", each.id), body);
    } catch (problem) {
      tell("trouble", problem);
    }
    pressed.disabled = false;
    look();
  };
  const no = (text, action) => button(text, (event) => answer({ action }, event.target));
  const [said, body, yes] = KINDS[each.kind]?.(each, answer) ?? [`${each.server} asks`, [], []];
  return el("section.question", { "aria-label": `${each.server} asks` },
    el("h2", { tabIndex: -1 }, said),
    each.message && each.kind !== "approve" && el("p.told", each.message),
    el("p.note", `${each.server} · for a call by ${each.caller}`), body,
    el("p.buttons", yes, no(each.kind === "approve" ? "Refuse" : "Decline", "decline"), each.kind !== "approve" && no("Not now", "cancel")));
}

const yes = (text, body, answer, given) => button(text, (event) => answer({ action: "accept", ...body }, event.target), given);

const KINDS = {
  approve: ({ tool, arguments: given }, answer) => [`May ${tool} run?`, json(given), [
    yes("Allow once", { remember: "once" }, answer, { className: "first" }),
    yes("While this runs", { remember: "session" }, answer),
    yes("Always", { remember: "always" }, answer),
  ]],
  elicit({ server, schema }, answer) {
    const inner = form(schema);
    const submit = button("Answer", () => node.requestSubmit(), { className: "first" });
    const node = el("form", { onsubmit: (event) => (event.preventDefault(), node.reportValidity() && answer({ action: "accept", content: inner.read() }, submit)) }, inner.node, el("button", { hidden: true }));
    return [`${server} asks you something`, node, submit];
  },
  sample({ server, request }, answer) {
    const said = el("textarea", { rows: 4, required: true, "aria-label": "The answer" });
    const body = () => ({ content: { role: "assistant", model: "a person", content: { type: "text", text: said.value } } });
    return [`${server} wants a model's answer`, [json(request), said], button("Answer", (event) => said.reportValidity() && answer({ action: "accept", ...body() }, event.target), { className: "first" })];
  },
  visit: ({ server, url }, answer) => [`${server} wants you to visit an address`, el("p", el("code", url)), [
    /^https?:/.test(url) && button("Open it", (event) => (open(url, "_blank", "noopener"), answer({ action: "accept" }, event.target)), { className: "first" }),
  ]],
};
