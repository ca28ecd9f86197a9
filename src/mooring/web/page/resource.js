// One resource: read, shown, and read again when it changes.

import { all, hub, post } from "./api.js";
import { button, el, fill } from "./dom.js";
import { told } from "./gaps.js";
import { contents } from "./result.js";
import { failed } from "./tool.js";
import { size, when } from "./words.js";

export default function view(node, signal, server, uri) {
  const [shown, note] = [el("div"), el("p.note")];
  const read = async () => {
    try {
      const found = await post("read", { uri, server }, { signal });
      fill(shown, found.contents.map((each) => contents(each, server)));
      fill(note, `Read at ${when(Date.now() / 1000)}; read again when ${server} says that it changed.`);
    } catch (problem) {
      if (problem.name !== "AbortError") fill(shown, failed(problem));
    }
  };
  const about = el("div");
  fill(node, el("h2", uri), about, el("p.buttons", button("Read again", read)), note, shown);
  hub.addEventListener("resource.updated", ({ detail }) => detail.server === server && detail.uri === uri && read(), { signal });
  all("resources", { server }, signal).then((found) => {
    const one = found.find((each) => each.uri === uri);
    fill(about, told(server, one, [one?.mimeType, one?.size && size(one.size)]));
  }).catch(() => {});
  return read();
}
