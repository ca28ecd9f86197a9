// The server's API, with what every change has to bring along.

export class Problem extends Error {
  constructor(said, status) {
    super(said.detail ?? "The server gave no answer that makes sense");
    Object.assign(this, { status, code: said.code ?? "", hint: said.hint ?? "" });
  }
}

const csrf = document.querySelector("meta[name=csrf]").content;
export const hub = new EventTarget();
export const tell = (kind, detail) => hub.dispatchEvent(new CustomEvent(kind, { detail }));
export const path = (...parts) => parts.map(encodeURIComponent).join("/");

export async function send(method, where, body, { signal, accept } = {}) {
  const headers = { "x-mooring-csrf": csrf };
  if (body !== undefined) headers["content-type"] = "application/json";
  if (accept) headers.accept = accept;
  let answer;
  try {
    answer = await fetch(where, { method, headers, signal, body: body === undefined ? body : JSON.stringify(body) });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem({ detail: "Mooring does not answer", hint: "Is `mooring serve` still running?" }, 0);
  }
  if (answer.ok) return answer;
  if (answer.status === 401) tell("locked");
  throw new Problem(await answer.json().catch(() => ({})), answer.status);
}

export async function ask(method, where, body, options) {
  const answer = await send(method, `/api/v1/${where}`, body, options);
  return answer.status === 204 ? null : answer.json();
}

export const get = (where, options) => ask("GET", where, undefined, options);
export const post = (where, body, options) => ask("POST", where, body, options);

// Every page of a list, one after the other.
export async function all(kind, query, signal) {
  const found = [];
  for (let after = null; ; ) {
    const page = await get(`${kind}?${new URLSearchParams({ ...query, limit: 1000, ...(after && { after }) })}`, { signal });
    found.push(...page.items);
    after = page.next;
    if (!after) return found;
  }
}
