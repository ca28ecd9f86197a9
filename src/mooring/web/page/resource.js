// One resource: what it says, and again whenever it has changed.

import { all, Problem } from "./api.js";
import { announce, el, fill, sentence } from "./dom.js";
import { told as about } from "./gaps.js";
import { contents } from "./result.js";
import { told } from "./stream.js";
import { failed } from "./tool.js";
import { size, when } from "./words.js";

export default async function view(node, signal, server, uri) {
  const [intro, note, kept, shown] = [el("div"), el("p.note", "Reading …"), el("p.note"), el("div")];
  fill(node, el("h2", uri), intro, note, kept, shown);
  all("resources", { server }, signal).then((found) => {
    const one = found.find((each) => each.uri === uri);
    fill(intro, about(server, one, [one?.mimeType, one?.size && size(one.size)]));
  }).catch(() => {});
  let times = 0;
  for await (const { kind, said } of told("POST", "/api/v1/read", { server, uri }, signal)) {
    if (kind === "followed") fill(kept, said.followed ? "It is read again whenever it changes." : sentence(said.reason));
    if (kind === "problem") fill(shown, failed(new Problem(said, said.status)));
    if (kind !== "contents") continue;
    fill(shown, said.contents.map((each) => contents(each, server)));
    fill(note, `Read at ${when(Date.now() / 1000)}`);
    if (times++) announce(`${uri} has changed`);
  }
}
