// The one button that mends a server, and what it does.

import { path, post, send, tell } from "./api.js";
import { button } from "./dom.js";
import { look } from "./live.js";
import { go } from "./route.js";

export function mend(server) {
  const { name, status } = server;
  const named = (verb) => ({ "data-key": `mend ${name}`, "aria-label": `${verb} ${name}` });
  if (status === "needs_auth") return button("Log in", (event) => logIn(name, event.target), named("Log in to"));
  if (status === "failed") return button("Retry", (event) => retry(name, event.target), named("Retry"));
  const place = status === "connected" ? "pins" : "servers";
  return button("Review", () => go(place, name), named("Review"));
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

export const retry = (name, node) => busy(node, () => post(`${path("servers", name)}/connect`));
export const stop = (name, node) => busy(node, () => post(`${path("servers", name)}/disconnect`));

// The window is opened by the click itself, else the browser would not let us.
export function logIn(name, node) {
  const away = open("about:blank");
  return busy(node, async () => {
    try {
      const { authorizationUrl: url } = await (await send("POST", `/mcp/${encodeURIComponent(name)}/auth`)).json();
      if (!url) return away?.close();
      tell("visit", { name, url });
      if (away) away.opener = null, (away.location = url);
    } catch (problem) {
      away?.close();
      throw problem;
    }
  });
}
