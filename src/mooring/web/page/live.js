// What happens on the server, as it happens; a connection that is lost is mended.

import { get, hub, tell } from "./api.js";

const KINDS = [
  "server.status", "server.catalog", "server.pins", "server.log", "server.login", "resource.updated",
  "call.started", "call.progress", "call.ended", "config.reloaded", "question.asked", "question.answered",
  "question.withdrawn",
];
const AGAIN = 2000;

export const servers = [];
export let isKnown = false;
let looking, isAgain = false;

// One look at a time, and one more for what changed meanwhile.
export async function look() {
  if (looking) isAgain = true;
  else looking = lookNow().finally(() => {
    looking = undefined;
    if (isAgain) isAgain = false, look();
  });
  return looking;
}

async function lookNow() {
  const found = await get("servers").catch((problem) => void tell("trouble", problem));
  if (!found) return;
  isKnown = true;
  servers.splice(0, servers.length, ...found);
  tell("servers");
}

export function listen() {
  const source = new EventSource("/api/v1/events");
  source.onopen = () => (tell("online"), look());
  source.onerror = () => {
    tell("offline");
    if (source.readyState === EventSource.CLOSED) setTimeout(heal, AGAIN);
  };
  source.addEventListener("events.missed", () => (tell("missed"), look()));
  for (const kind of KINDS) {
    source.addEventListener(kind, (event) => tell(kind, JSON.parse(event.data)));
  }
}

// A server that was started anew does not know this browser any more.
async function heal() {
  try {
    await get("servers");
    listen();
  } catch (problem) {
    if (problem.status !== 401) setTimeout(heal, AGAIN);
  }
}

for (const kind of ["server.status", "server.catalog", "server.pins", "config.reloaded"]) {
  hub.addEventListener(kind, look);
}
