// Everything that servers offer, and what of it answers a request, as one types.

import { get, hub, tell } from "./api.js";
import { el, fill } from "./dom.js";
import { here, link } from "./route.js";
import { many } from "./words.js";

const KINDS = { tool: "tools", resource: "resources", template: "templates", prompt: "prompts" };
const MOST = 100;
const search = document.getElementById("search");

export default function list(node, signal) {
  let asking = new AbortController(), found = [];
  const draw = () => fill(node, el("h2.unseen", "Tools, resources and prompts"), rows(found));
  const look = async () => {
    asking.abort();
    asking = new AbortController();
    try {
      found = await answers(search.value.trim(), asking.signal);
      draw();
    } catch (problem) {
      if (problem.name !== "AbortError") tell("trouble", problem);
    }
  };
  search.addEventListener("input", look, { signal });
  addEventListener("hashchange", draw, { signal });
  for (const kind of ["server.catalog", "missed"]) hub.addEventListener(kind, look, { signal });
  signal.addEventListener("abort", () => asking.abort());
  if (here()[0] === "search") search.value = here()[1] ?? "";
  return look();
}

async function answers(words, signal) {
  if (words) {
    const hits = await get(`search?${new URLSearchParams({ q: words, limit: MOST })}`, { signal });
    return hits.map((hit) => ({ ...hit, kind: KINDS[hit.kind], ways: wayTo(hit), name: hit.kind === "prompt" ? hit.name : wayTo(hit) }));
  }
  const pages = await Promise.all(Object.values(KINDS).map((kind) => get(`${kind}?limit=${MOST}`, { signal })));
  return pages.flatMap(({ items, total }, index) => {
    const kind = Object.values(KINDS)[index];
    const more = total > items.length && { kind, note: `${many(total - items.length, "more")} of these: search for them` };
    return [...items.map((item) => ({ ...item, kind, ...named(item) })), ...(more ? [more] : [])];
  });
}

// A hit names a resource `SERVER:URI`.
const wayTo = ({ kind, name, server }) => (["resource", "template"].includes(kind) ? name.slice(server.length + 1) : name);

function named(item) {
  const ways = item.uri ?? item.uriTemplate ?? item.name;
  return { ways, name: item.uri || item.uriTemplate ? item.title || item.name || ways : item.name };
}

function rows(found) {
  if (!found.length) return el("p.empty", "Nothing answers to that.");
  const kinds = [...new Set(found.map(({ kind }) => kind))];
  return kinds.map((kind) => [
    el("h3.kind", kind),
    el("ul.rows", found.filter((each) => each.kind === kind).map(row)),
  ]);
}

export function row({ kind, server, name, ways, description, note, isOwn, ...about }) {
  if (note) return el("li", el("p.note", note));
  const where = link(kind, server, ways);
  return el("li",
    el("a", { href: where, "data-key": where, "aria-current": location.hash === where ? "true" : null },
      el("span.name", name),
      el("span.said", [...hints(about), !isOwn && server].filter(Boolean).join(" · ")),
      el("span.reason", (description ?? "").split("\n")[0])));
}

// What a tool says of itself; it need not be true.
export function hints({ readOnly, destructive, openWorld }) {
  if (typeof readOnly !== "boolean") return [];
  return [readOnly ? "reads" : destructive ? "may destroy" : "writes", openWorld && "reaches out"].filter(Boolean);
}
