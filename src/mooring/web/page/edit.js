// A server's entry: written down, changed, switched or taken out, once the difference was seen.

import { ask, get, path } from "./api.js";
import { announce, button, el, fill } from "./dom.js";
import { difference } from "./difference.js";
import { check } from "./form.js";
import { busy } from "./mend.js";
import { go } from "./route.js";

export default async function view(node, signal, name) {
  const where = path("config", "servers", name);
  const found = await get(where, { signal });
  const { node: text, read } = entry(found.entry);
  const isOn = found.entry.enabled !== false;
  const [shown, form] = [el("div", { "aria-live": "polite" }), el("form", { onsubmit: (event) => (event.preventDefault(), put()) })];
  const put = () => read() && step(shown, (preview) => ask("PUT", where, { entry: read(), preview }), () => go("servers", name));
  const turn = () => step(shown, (preview) => ask("PATCH", `${where}?preview=${preview}`, { enabled: !isOn }), () => go("servers", name));
  const remove = () => step(shown, (preview) => ask("DELETE", `${where}?preview=${preview}`), () => go(""));
  fill(form, text, el("p.buttons", el("button.first", "Show the difference"), button(isOn ? "Switch off" : "Switch on", turn), button("Remove", remove)));
  fill(node, el("h2", `Edit ${name}`), el("p.note", `It stands in ${found.files.join(", ")}. What is shown as *** stays as it is.`), form, shown);
}

// First what would change, then the button that does it.
export async function step(shown, change, done) {
  const write = (event) => busy(event.target, async () => {
    const { file } = await change(false);
    announce(`Written to ${file}`);
    done();
  });
  await busy(shown, async () => {
    const { file, diff } = await change(true);
    fill(shown, el("h3", `In ${file}`), difference(diff), el("p.buttons", diff ? button(`Write it`, write, { className: "first" }) : "Nothing would change."));
    shown.querySelector("button")?.focus();
  });
}

export function entry(value) {
  const text = el("textarea", { rows: 8, required: true, spellcheck: false, "aria-label": "The entry as JSON", oninput: () => check(text) });
  text.value = JSON.stringify(value, null, 2);
  return { node: text, read: () => (text.reportValidity() ? check(text) : undefined) };
}
