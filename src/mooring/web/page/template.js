// A family of resources: its gaps filled in, it is one of them.

import { all } from "./api.js";
import { button, el, fill } from "./dom.js";
import { gapped, told } from "./gaps.js";
import { go } from "./route.js";

export default async function view(node, signal, server, pattern) {
  const one = (await all("templates", { server }, signal)).find((each) => each.uriTemplate === pattern);
  const gaps = [...new Set([...pattern.matchAll(/\{[+#./;?&]?([^}]+)\}/g)].flatMap(([, names]) => names.split(",").map((name) => name.replace(/[*:].*$/, ""))))];
  const reference = { type: "ref/resource", uri: pattern };
  const { node: fields, read } = gapped(gaps.map((name) => ({ name, required: true })), { server, reference }, signal);
  const open = () => {
    const given = read();
    go("resources", server, pattern.replace(/\{([+#./;?&]?)([^}]+)\}/g, (_, how, names) => expanded(how, names.split(","), given)));
  };
  fill(node, el("h2", one?.title || one?.name || pattern), el("p.note", el("code", pattern)), told(server, one, [one?.mimeType]),
    el("form", { onsubmit: (event) => (event.preventDefault(), open()) }, fields, el("p.buttons", button("Read", undefined, { type: "submit", className: "first" }))));
}

function expanded(how, names, given) {
  const encode = how === "+" || how === "#" ? encodeURI : encodeURIComponent;
  const pairs = names.map((name) => name.replace(/[*:].*$/, "")).map((name) => [name, encode(given[name] ?? "")]);
  if (how === "?" || how === "&") return how + pairs.map(([name, value]) => `${name}=${value}`).join("&");
  return (how === "+" ? "" : how) + pairs.map(([, value]) => value).join({ "": ",", "+": ",", "#": "," }[how] ?? how);
}
