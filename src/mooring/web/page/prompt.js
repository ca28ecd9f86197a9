// One prompt: filled in, and what it became.

import { all, post } from "./api.js";
import { button, el, fill } from "./dom.js";
import { gapped, told } from "./gaps.js";
import { part } from "./result.js";
import { failed } from "./tool.js";

export default async function view(node, signal, server, name) {
  const prompt = (await all("prompts", { server }, signal)).find((each) => each.name === name);
  if (!prompt) return void fill(node, el("h2", name), el("p", `${server} offers no prompt of that name now.`));
  const reference = { type: "ref/prompt", name: prompt.prompt };
  const { node: fields, read } = gapped(prompt.arguments, { server, reference }, signal);
  const shown = el("div", { "aria-live": "polite" });
  const ask = async () => {
    try {
      const { messages } = await post("prompt", { name, arguments: read() }, { signal });
      fill(shown, messages.map(({ role, content }) => [el("h3", role), [content].flat().map((each) => part(each, server))]));
    } catch (problem) {
      if (problem.name !== "AbortError") fill(shown, failed(problem));
    }
  };
  fill(node, el("h2", prompt.title || prompt.prompt), el("p.note", el("code", name)), told(server, prompt),
    el("form", { onsubmit: (event) => (event.preventDefault(), ask()) }, fields, el("p.buttons", button("Fill in", undefined, { type: "submit", className: "first" }))), shown);
}
