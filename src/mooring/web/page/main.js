// Which view is shown where, and what holds for all of them.

import { hub } from "./api.js";
import { announce, button, el, fill, sentence } from "./dom.js";
import { keys } from "./keys.js";
import { listen, servers } from "./live.js";
import { here } from "./route.js";
import server from "./server.js";
import list from "./servers.js";
import { summary, word } from "./words.js";

const VIEWS = { servers: server };
const [state, lost, detail] = ["state", "lost", "detail"].map((id) => document.getElementById(id));
const before = new Map();
let leaving = new AbortController();

function show() {
  const [place, ...parts] = here();
  leaving.abort();
  leaving = new AbortController();
  const view = VIEWS[place];
  document.body.classList.toggle("opened", Boolean(view));
  fill(detail);
  if (view) view(detail, leaving.signal, ...parts);
  document.title = view ? `${parts[0]} · Mooring` : "Mooring";
}

export function trouble(problem) {
  fill(lost, sentence(`${problem.message}${problem.hint && ` · ${problem.hint}`} `), button("Close", () => (lost.hidden = true)));
  lost.hidden = false;
}

// State changes are said aloud, the first look is not.
function changed() {
  state.textContent = summary(servers);
  const said = servers
    .filter(({ name, status }) => before.has(name) && before.get(name) !== status)
    .map(({ name, status }) => `${name} is ${word(status)}`);
  if (said.length) announce(said.join(", "));
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
  fill(lost, "This browser's key is not known any more. Follow a new link: ", el("code", {}, "mooring serve"), " prints one.");
});
addEventListener("hashchange", () => {
  show();
  detail.focus({ preventScroll: true });
  scrollTo(0, 0);
});

keys();
list(document.getElementById("list"));
listen();
show();
