// What the server tells bit by bit, as an answer to one request.

import { send } from "./api.js";

export async function* told(method, where, body, signal) {
  const answer = await send(method, where, body, { signal, accept: "text/event-stream" });
  let rest = "";
  for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) {
    const whole = (rest + piece).split("\n\n");
    rest = whole.pop();
    for (const frame of whole) {
      const [, kind] = frame.match(/^event: (.*)$/m) ?? [], [, data] = frame.match(/^data: (.*)$/m) ?? [];
      if (data) yield { kind, said: JSON.parse(data) };
    }
  }
}
