// States, times and amounts in words.

const STATES = {
  connected: ["●", "connected", "well"],
  connecting: ["◌", "connecting", "quiet"],
  pending: ["○", "waiting", "quiet"],
  disabled: ["–", "off", "quiet"],
  needs_approval: ["▲", "needs approval", "wants"],
  needs_auth: ["▲", "needs login", "wants"],
  needs_client_registration: ["▲", "needs a client id", "wants"],
  failed: ["✕", "failed", "ill"],
};
const ORDER = ["failed", "needs_approval", "needs_auth", "needs_client_registration"];

export const sign = (status) => STATES[status]?.[0] ?? "?";
export const word = (status) => STATES[status]?.[1] ?? status;
export const mood = (status) => STATES[status]?.[2] ?? "quiet";
export const wants = (server) => ORDER.includes(server.status) || server.pins.changed.length > 0 || server.pins.blocked;

export function summary(servers) {
  const counts = new Map();
  for (const { status } of servers) counts.set(status, (counts.get(status) ?? 0) + 1);
  const said = ["connected", "connecting", "pending", ...ORDER.slice(1), "failed", "disabled"]
    .filter((status) => counts.has(status))
    .map((status) => `${counts.get(status)} ${word(status)}`);
  return said.length ? said.join(" · ") : "No servers yet";
}

export function many(count, one, more = `${one}s`) {
  return `${count.toLocaleString("en")} ${count === 1 ? one : more}`;
}

export function lasted(ms) {
  if (ms === null || ms === undefined) return "";
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  return ms < 1000 ? `${Math.round(ms)} ms` : ms < 60000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.floor(ms / 60000)} min ${Math.round((ms % 60000) / 1000)} s`;
}

export function size(bytes) {
  return bytes < 1000 ? `${bytes} B` : bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

export function when(seconds) {
  const date = new Date(seconds * 1000);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? date.toLocaleTimeString() : date.toLocaleString();
}
