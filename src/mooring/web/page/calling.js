// A call, read as a stream: how far it is, and how it ends.

import { Problem, send } from "./api.js";

export async function call(name, given, signal, progressed) {
  const body = { name, arguments: given };
  const answer = await send("POST", "/api/v1/call", body, { signal, accept: "text/event-stream" });
  for await (const { kind, said } of frames(answer.body)) {
    if (kind === "progress") progressed(said);
    if (kind === "result") return said;
    if (kind === "problem") throw new Problem(said, said.status);
  }
  throw new Problem({ detail: "The call ended without an answer", hint: "Was `mooring serve` ended?" }, 0);
}

async function* frames(body) {
  let rest = "";
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    const whole = (rest + piece).split("\n\n");
    rest = whole.pop();
    for (const frame of whole) {
      const lines = new Map(frame.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]));
      if (lines.has("data")) yield { kind: lines.get("event"), said: JSON.parse(lines.get("data")) };
    }
  }
}
