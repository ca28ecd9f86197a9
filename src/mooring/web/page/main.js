// Which view is shown where, and what holds for all of them.

import { hub } from "./api.js";
import "./desk.js";
import { announce, button, el, fill, sentence } from "./dom.js";
import { keys } from "./keys.js";
import { isKnown, listen, servers } from "./live.js";
import { here, link } from "./route.js";
import list from "./servers.js";
import { summary, word } from "./words.js";

// What is not on the first page is loaded when it is wanted.
const OFFERS = () => import("./offers.js"), CALLS = () => import("./calls.js");
const VIEWS = {
  servers: () => import("./server.js"),
  pins: () => import("./pins.js"),
  trust: () => import("./trust.js"),
  edit: () => import("./edit.js"),
  add: () => import("./add.js"),
  tools: () => import("./tool.js"),
  resources: () => import("./resource.js"),
  templates: () => import("./template.js"),
  prompts: () => import("./prompt.js"),
  calls: () => import("./called.js"),
};
const LISTS = { search: OFFERS, tools: OFFERS, resources: OFFERS, templates: OFFERS, prompts: OFFERS, calls: CALLS };
const LIST = () => ({ default: list });
const [state, lost, left, detail] = ["state", "lost", "list", "detail"].map((id) => document.getElementById(id));
const before = new Map();
let isEmpty = false, leaving = new AbortController(), listing = new AbortController(), listed;

function show() {
  const [place, ...parts] = here();
  leaving.abort();
  leaving = new AbortController();
  // Where there is nothing to look at, there is something to add.
  isEmpty = !place && isKnown && !servers.length;
  const view = isEmpty ? VIEWS.add : (parts[0] || place === "add") && VIEWS[place], wanted = LISTS[place] ?? LIST;
  document.body.classList.toggle("opened", Boolean(view));
  document.title = [view && (parts.at(-1) ?? place), "Mooring"].filter(Boolean).join(" · ");
  for (const each of document.querySelectorAll("nav a")) each.ariaCurrent = LISTS[here(each.hash)[0]] === LISTS[place] ? "page" : null;
  document.getElementById("back").href = wanted === OFFERS ? link("search", document.getElementById("search").value) : wanted === CALLS ? link("calls") : "#/";
  if (wanted !== listed) {
    listing.abort();
    listing = new AbortController();
    listed = wanted;
    attempt(wanted, left, listing.signal);
  }
  if (!(place in LISTS)) document.getElementById("search").value = "";
  fill(detail, !view && el("p.empty", place === "calls" ? "Choose a call." : LISTS[place] ? "Choose what you want to try." : "Choose a server to see what it offers."));
  if (view) attempt(view, detail, leaving.signal, ...parts);
}

async function attempt(load, node, signal, ...parts) {
  try {
    const { default: draw } = await load();
    if (!signal.aborted) await draw(node, signal, ...parts);
  } catch (problem) {
    if (!signal.aborted) trouble(problem);
  }
}

function trouble(problem) {
  fill(lost, sentence(`${problem.message}${problem.hint ? ` · ${problem.hint}` : ""} `), button("Close", () => (lost.hidden = true)));
  lost.hidden = false;
}

// State changes are said aloud, the first look is not.
function changed() {
  state.textContent = summary(servers);
  const said = servers
    .filter(({ name, status }) => before.has(name) && before.get(name) !== status)
    .map(({ name, status }) => `${name} is ${word(status)}`);
  if (said.length) announce(said.join(", "));
  if (!here()[0] && isEmpty === servers.length > 0 && !detail.contains(document.activeElement)) show();
  before.clear();
  for (const { name, status } of servers) before.set(name, status);
}

hub.addEventListener("servers", changed);
hub.addEventListener("trouble", ({ detail: problem }) => trouble(problem));
hub.addEventListener("online", () => {
  if (lost.dataset.why === "offline") lost.hidden = true, announce("Connected again");
  lost.dataset.why = "";
});
hub.addEventListener("offline", () => {
  lost.dataset.why = "offline";
  lost.hidden = false;
  fill(lost, "The connection to Mooring is lost; what stands here is what was known last. Trying again …");
});
hub.addEventListener("locked", () => {
  lost.dataset.why = "locked";
  lost.hidden = false;
  fill(lost, "This browser's key is not known any more. ", el("code", "mooring serve --open"), " opens the page anew, ", el("code", "mooring serve --status"), " prints a link.");
});
addEventListener("hashchange", () => {
  show();
  if (here()[0] === "search") return;
  (document.body.classList.contains("opened") ? detail : left).focus({ preventScroll: true });
  scrollTo(0, 0);
});

keys();
listen();
show();
