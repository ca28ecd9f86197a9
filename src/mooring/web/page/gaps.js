// Texts to fill into a prompt or a template, for which the server may know what could stand there.

import { post } from "./api.js";
import { el, fill } from "./dom.js";
import { link } from "./route.js";

export const told = (server, one, more = []) => [
  el("p.note", [...more.filter(Boolean), "from "].join(" · "), el("a", { href: link("servers", server) }, server)),
  one?.description && el("p.told", one.description),
];

export function gapped(gaps, about, signal) {
  const inputs = gaps.map(({ name, required, description }, index) => {
    const choices = el("datalist", { id: `choices-${index}` });
    let asked = 0;
    const complete = async () => {
      const mine = ++asked;
      const given = Object.fromEntries(inputs.filter(([other]) => other !== name).map(([other, field]) => [other, field.value]).filter(([, value]) => value));
      const body = { ...about, argument: name, value: input.value, given };
      const found = await post("complete", body, { signal }).catch(() => ({ values: [] }));
      // Answers may overtake each other.
      if (mine === asked) fill(choices, found.values.map((value) => el("option", { value })));
    };
    const input = el("input", { id: `gap-${index}`, required, list: choices.id, autocomplete: "off", oninput: complete, onfocus: complete });
    const node = el("div.field", el("label", { htmlFor: input.id }, name, required && el("span.type", " required")), input, choices, description && el("p.about", description));
    return [name, input, node];
  });
  return { node: inputs.map(([, , node]) => node), read: () => Object.fromEntries(inputs.map(([name, input]) => [name, input.value]).filter(([, value]) => value)) };
}
