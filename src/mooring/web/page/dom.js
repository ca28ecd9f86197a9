// Elements, whose texts are set as text and never as anything else.

// `el("p.note", "text")`, or with attributes and listeners before what stands inside.
export function el(what, given, ...inner) {
  if (given?.constructor !== Object) [given, inner] = [{}, [given, ...inner]];
  const [name, ...classes] = what.split(".");
  const node = document.createElement(name || "div");
  if (classes.length) node.className = classes.join(" ");
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined || value === null) continue;
    if (typeof value === "function") node.addEventListener(key.slice(2), value);
    else if (key.includes("-") || !(key in node) || key === "list") node.setAttribute(key, value);
    else node[key] = value;
  }
  node.append(...texts(inner));
  return node;
}

const texts = (inner) => inner.flat(Infinity).filter((each) => each || each === 0).map((each) => (each instanceof Node ? each : String(each)));

// What had the focus before has it afterwards, as far as it is still there: found by `data-key`.
export function fill(node, ...inner) {
  const key = node.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  node.replaceChildren(...texts(inner));
  if (key) [...node.querySelectorAll("[data-key]")].find((each) => each.dataset.key === key)?.focus({ preventScroll: true });
  return node;
}

// A sentence of ours, in which names stand between backticks.
export const sentence = (text) => text.split(/`([^`]*)`/).map((part, index) => (index % 2 ? el("code", part) : part));

// A code leads to what it means.
export const code = (text) => el("a", { href: `/codes/${text}`, target: "_blank" }, text);

export const button = (text, onclick, given) => el("button", { type: "button", onclick, ...given }, text);

export function announce(text) {
  document.getElementById("live").textContent = text;
}

export function facts(found) {
  const known = Object.entries(found).filter(([, value]) => value || value === 0);
  return el("dl.facts", known.map(([key, value]) => [el("dt", key), el("dd", value)]));
}
