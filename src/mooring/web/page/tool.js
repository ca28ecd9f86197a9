// One tool: what it says of itself, a form to call it with, and what came back.

import { all } from "./api.js";
import { call } from "./calling.js";
import { copies, python, shell } from "./copy.js";
import { announce, button, code, el, fill, sentence } from "./dom.js";
import { form } from "./form.js";
import { hints } from "./offers.js";
import { result } from "./result.js";
import { link } from "./route.js";
import { lasted } from "./words.js";

export default async function view(node, signal, server, name) {
  const tool = (await all("tools", { server }, signal)).find((each) => each.name === name);
  if (!tool) return void fill(node, el("h2", name), el("p", `${server} offers no tool of that name now.`));
  const about = el("div",
    el("h2", tool.title || tool.tool),
    el("p.note", el("code", tool.name), " · ", el("a", { href: link("servers", server) }, server), ` · ${hints(tool).join(" · ")}`),
    tool.description && el("p.told", tool.description),
    tool.description && el("p.note", `These are the words of ${server}.`));
  fill(node, about, caller(tool, signal));
}

function caller(tool, signal) {
  const inner = form(tool.inputSchema ?? {});
  const [outcome, running] = [el("div", { "aria-live": "polite" }), el("div")];
  const run = button("Call", undefined, { type: "submit", className: "first" });
  const node = el("form", {
    onsubmit: (event) => (event.preventDefault(), start()),
    onkeydown: (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.preventDefault(), node.requestSubmit();
      if (event.altKey && event.code === "KeyJ") event.preventDefault(), inner.toggle();
    },
  }, inner.node, el("p.buttons", run, inner.press, copies("Copy for the shell", () => shell(tool.name, inner.read())), copies("Copy as Python", () => python(tool.name, inner.read()))));

  async function start() {
    if (!node.reportValidity()) return;
    const given = inner.read();
    if (!node.reportValidity()) return;
    const ending = new AbortController(), began = performance.now();
    signal.addEventListener("abort", () => ending.abort(), { signal: ending.signal });
    const [bar, said] = [el("progress", { "aria-label": "Progress" }), el("span", "Running …")];
    fill(outcome);
    fill(running, el("p.running", bar, said, button("Cancel", () => ending.abort())));
    run.disabled = true;
    const told = (text) => el("p.note", `${text} after ${lasted(performance.now() - began)}`);
    try {
      const found = await call(tool.name, given, ending.signal, ({ progress, total, message }) => {
        if (total) bar.max = total, (bar.value = progress);
        said.textContent = message || `${progress}${total ? ` of ${total}` : ""}`;
      });
      fill(outcome, el("h3", "Result"), told("Done"), result(found, tool.server));
    } catch (problem) {
      const isEnded = problem.name === "AbortError";
      fill(outcome, isEnded ? told("Cancelled") : failed(problem, told("Failed")));
      if (isEnded) announce("Cancelled");
    } finally {
      run.disabled = false;
      fill(running);
      outcome.scrollIntoView({ block: "nearest" });
    }
  }
  return [node, running, outcome];
}

export const failed = (problem, note) => [
  el("h3", "It did not work"), note,
  el("p.why", sentence(problem.message)),
  problem.hint && el("p.hint", "Next: ", sentence(problem.hint)),
  problem.code && el("p.note", code(problem.code)),
];
