// A form made from a JSON Schema: what is required first, defaults filled in, JSON one key away.

import { button, el, fill } from "./dom.js";
import { shape, typed, wanted } from "./shape.js";

const LONG = /content|text|body|message|query|code|script|prompt|thought/i;
let count = 0;

// `read` is undefined where nothing was filled in.
export function field(given, root, name, isRequired) {
  const schema = shape(given, root);
  const id = `field-${++count}`;
  const made = (MADE[schema.kind] ?? json)({ schema, root, name, isRequired, id });
  const said = schema.default ?? (schema.kind === "choice" && schema.choices.length === 1 && isRequired ? schema.choices[0][0] : undefined);
  if (said !== undefined) made.write(said);
  return { ...made, node: made.node ?? row(made, schema, { name, isRequired, id }) };
}

function row({ input }, schema, { name, isRequired, id }) {
  const about = schema.description ?? (schema.title?.toLowerCase() !== name.toLowerCase() && schema.title);
  if (about) input.setAttribute("aria-describedby", `${id}-about`);
  return el("div.field",
    el("label", { htmlFor: id }, name, el("span.type", ` ${[typed(schema), isRequired ? "required" : ""].filter(Boolean).join(", ")}`)),
    input,
    about && el("p.about", { id: `${id}-about` }, about));
}

function text({ schema, name, isRequired, id }) {
  const isLong = LONG.test(name) || schema.maxLength > 500 || String(schema.default ?? "").includes("\n");
  const type = { date: "date", password: "password" }[schema.format] ?? "text";
  const given = { id, required: isRequired, minLength: schema.minLength, maxLength: schema.maxLength, autocomplete: "off", spellcheck: false };
  const input = isLong ? el("textarea", { ...given, rows: 3 }) : el("input", { ...given, type, pattern: schema.pattern });
  return { input, read: () => input.value || undefined, write: (value) => (input.value = value ?? "") };
}

function number({ schema, isRequired, id }) {
  const step = schema.kind === "integer" ? schema.multipleOf ?? 1 : "any";
  const input = el("input", { id, type: "number", step, min: schema.minimum, max: schema.maximum, required: isRequired });
  return { input, read: () => (input.value === "" ? undefined : Number(input.value)), write: (value) => (input.value = value ?? "") };
}

function choice({ schema, isRequired, id }) {
  const options = schema.choices.map(([value, said], index) => el("option", { value: index }, typeof said === "string" ? said : JSON.stringify(said)));
  const input = el("select", { id, required: isRequired }, el("option", { value: "" }, isRequired ? "choose …" : "not set"), options);
  const find = (value) => schema.choices.findIndex(([each]) => JSON.stringify(each) === JSON.stringify(value));
  return {
    input,
    read: () => schema.choices[input.value]?.[0],
    write: (value) => (input.value = find(value) < 0 ? "" : String(find(value))),
  };
}

function object({ schema, root, name, isRequired }) {
  const required = schema.required ?? [];
  const inner = wanted(schema).map((key) => [key, field(schema.properties[key], root, key, required.includes(key))]);
  const nodes = inner.map(([, each]) => each.node);
  // What is folded away cannot be complained about, so it asks for nothing until it is opened.
  const node = name === undefined ? el("div", nodes)
    : el("details.nest", { open: isRequired, ontoggle: () => demand() }, el("summary", name, el("span.type", ` object${isRequired ? ", required" : ""}`)), schema.description && el("p.about", schema.description), el("fieldset", nodes));
  let kept = {};
  const demand = () => name !== undefined && (node.querySelector("fieldset").disabled = !node.open);
  demand();
  return {
    node,
    read() {
      const found = inner.map(([key, each]) => [key, each.read()]).filter(([, value]) => value !== undefined);
      return (name === undefined || node.open) && (found.length || isRequired) ? { ...kept, ...Object.fromEntries(found) } : undefined;
    },
    write(value) {
      kept = { ...value };
      for (const [key, each] of inner) each.write(value?.[key]), delete kept[key];
      if (name !== undefined && value) node.open = true, demand();
    },
  };
}

function array({ schema, root, name, isRequired }) {
  const items = [], list = el("ol.items");
  const put = (value) => {
    const one = field(schema.items ?? {}, root, `${name} ${items.length + 1}`, true);
    const item = el("li", one.node, button("Remove", () => (items.splice(items.indexOf(one), 1), item.remove()), { "aria-label": `Remove ${name} ${items.length + 1}` }));
    if (value !== undefined) one.write(value);
    items.push(one);
    list.append(item);
    return item;
  };
  const add = button(`Add to ${name}`, () => put().querySelector("input, select, textarea")?.focus());
  const node = el("fieldset.nest", el("legend", name, el("span.type", ` ${typed(schema)}${isRequired ? ", required" : ""}`)), schema.description && el("p.about", schema.description), list, add);
  return {
    node,
    read: () => (items.length || isRequired ? items.map((each) => each.read() ?? null) : undefined),
    write: (value) => (items.splice(0), list.replaceChildren(), [value ?? []].flat().forEach(put)),
  };
}

function json({ isRequired, id }) {
  const input = el("textarea", { id, rows: 2, required: isRequired, spellcheck: false, oninput: () => check(input) });
  return { input, read: () => check(input), write: (value) => (input.value = value === undefined ? "" : JSON.stringify(value, null, 2)) };
}

export function check(input) {
  input.setCustomValidity("");
  if (!input.value.trim()) return undefined;
  try {
    return JSON.parse(input.value);
  } catch (error) {
    input.setCustomValidity(error.message);
    return undefined;
  }
}

const MADE = { string: text, number, integer: number, choice, object, array, json };

// `read` gives the whole value; `node` goes into a form element, which complains about what is missing.
export function form(schema) {
  const fields = object({ schema: shape(schema, schema), root: schema, isRequired: true });
  const own = fields.node.childElementCount ? fields.node : el("p.note", "It needs no arguments.");
  const whole = el("textarea", { rows: 8, spellcheck: false, "aria-label": "Arguments as JSON", oninput: () => check(whole) });
  const place = el("div", own);
  let isWhole = false;
  const toggle = () => {
    if (isWhole && whole.reportValidity()) fields.write(check(whole) ?? {}), fill(place, own);
    else if (!isWhole) whole.value = JSON.stringify(fields.read() ?? {}, null, 2), fill(place, whole), whole.focus();
    else return;
    isWhole = !isWhole;
    press.textContent = isWhole ? "Edit as a form" : "Edit as JSON";
  };
  const press = button("Edit as JSON", toggle, { title: "Alt+J", "aria-keyshortcuts": "Alt+J" });
  const read = () => (isWhole ? check(whole) ?? {} : fields.read() ?? {});
  return { node: place, toggle, press, read, write: fields.write };
}
