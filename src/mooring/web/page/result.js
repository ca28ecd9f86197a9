// What came back, part by part: text, tables, trees, pictures, sounds and links.

import { el } from "./dom.js";
import { link } from "./route.js";

const isMap = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const isFlat = (value) => value === null || typeof value !== "object";
const MOST = 200;

export function result({ content, structured, isError }, server) {
  const same = structured && content.length === 1 && content[0].type === "text" && isSame(content[0].text, structured);
  return [
    isError && el("p.state.ill", el("span.sign", { "aria-hidden": "true" }, "✕"), "The tool says that it failed"),
    structured !== null && structured !== undefined && json(structured),
    !same && content.map((each) => part(each, server)),
    !content.length && !structured && el("p.note", "It brought nothing back."),
  ];
}

const sorted = (value) => JSON.stringify(value, (_, each) => (isMap(each) ? Object.fromEntries(Object.entries(each).sort()) : each));

function isSame(text, value) {
  try {
    return sorted(JSON.parse(text)) === sorted(value);
  } catch {
    return Object.keys(value).join() === "result" && value.result === text;
  }
}

export function part(each, server) {
  switch (each.type) {
    case "text": return text(each.text);
    case "image": return el("img", { src: data(each), alt: "A picture from the server" });
    case "audio": return el("audio", { src: data(each), controls: true, "aria-label": "A sound from the server" });
    case "resource": return contents(each.resource, server);
    case "resource_link": return el("p", el("a", { href: link("resources", server, each.uri) }, each.title || each.name || each.uri), ` ${each.description ?? ""}`);
    default: return json(each);
  }
}

const data = ({ data: bytes, mimeType }) => `data:${mimeType};base64,${bytes}`;

export function contents(each, server) {
  const { mimeType = "", blob } = each;
  if (blob === undefined) return text(each.text ?? "");
  if (/^(image|audio)\//.test(mimeType)) return part({ type: mimeType.slice(0, 5), data: blob, mimeType }, server);
  return el("p", el("a", { href: data({ data: blob, mimeType: "application/octet-stream" }), download: each.uri?.split("/").at(-1) || "file" }, `Keep ${mimeType || "this file"}`));
}

function text(said) {
  try {
    const value = JSON.parse(said);
    if (!isFlat(value)) return json(value);
  } catch { /* it is no JSON */ }
  return el("pre", { tabIndex: 0 }, said);
}

// A list of flat things with the same keys is a table, everything else a tree.
export function json(value) {
  const inner = isMap(value) && Object.keys(value).length === 1 ? Object.values(value)[0] : value;
  const isTable = Array.isArray(inner) && inner.length && inner.every((each) => isMap(each) && Object.values(each).every(isFlat));
  return el("div.json", { tabIndex: 0, role: "region", "aria-label": "Result" }, isTable ? table(inner) : tree(value));
}

function table(rows) {
  const keys = [...new Set(rows.flatMap(Object.keys))];
  return el("table",
    el("thead", el("tr", keys.map((key) => el("th", { scope: "col" }, key)))),
    el("tbody", rows.slice(0, MOST).map((row) => el("tr", keys.map((key) => el("td", shown(row[key])))))),
    rows.length > MOST && el("caption", `The first ${MOST} of ${rows.length}`));
}

const shown = (value) => (value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value));

// What is folded is built when it is opened.
function tree(value, key, depth = 0) {
  const named = key !== undefined && [el("span.key", key), ": "];
  if (isFlat(value)) return el("div.leaf", named, el(`span.${value === null ? "null" : typeof value}`, typeof value === "string" ? value : JSON.stringify(value)));
  const entries = Object.entries(value), count = entries.length;
  const amount = Array.isArray(value) ? `[${count}]` : `{${count}}`;
  if (!count) return el("div.leaf", named, amount);
  const node = el("details", { ontoggle: () => open() }, el("summary", named, amount));
  const open = () => node.childElementCount > 1 || node.append(el("div.inner",
    entries.slice(0, MOST).map(([name, each]) => tree(each, name, depth + 1)),
    count > MOST && el("p.note", `and ${count - MOST} more`)));
  if (depth < 2) node.open = true, open();
  return node;
}
