// The one button that mends a server, and what it does.

import { ask, path, post, tell } from "./api.js";
import { button } from "./dom.js";
import { look } from "./live.js";
import { go } from "./route.js";

const REVIEWED = { needs_approval: "trust", connected: "pins" };

export function mend(server) {
  const { name, status } = server;
  const named = (verb) => ({ "data-key": `mend ${name}`, "aria-label": `${verb} ${name}` });
  if (status === "needs_auth") return button("Log in", (event) => logIn(name, event.target), named("Log in to"));
  if (status === "failed") return button("Retry", (event) => retry(name, event.target), named("Retry"));
  return button("Review", () => go(REVIEWED[status] ?? "servers", name), named("Review"));
}

// The button is off for as long as it takes, and what goes wrong is said.
export async function busy(node, action) {
  node.disabled = true;
  try {
    return await action();
  } catch (problem) {
    tell("trouble", problem);
  } finally {
    node.disabled = false;
    look();
  }
}

export const retry = (name, node) => busy(node, () => post(path("servers", name, "connect")));
export const stop = (name, node) => busy(node, () => post(path("servers", name, "disconnect")));
export const logOut = (name, node) => busy(node, () => ask("DELETE", path("servers", name, "login")));
export const bring = (name, url, node) => busy(node, () => post(path("servers", name, "login", "callback"), { url }));

// The window is opened by the click itself, else the browser would not let us.
export function logIn(name, node) {
  const away = open("about:blank");
  go("servers", name);
  return busy(node, async () => {
    try {
      const { url } = await post(path("servers", name, "login"));
      if (!url) return away?.close();
      tell("visit", { name, url });
      if (away) away.opener = null, (away.location = url);
    } catch (problem) {
      away?.close();
      throw problem;
    }
  });
}
