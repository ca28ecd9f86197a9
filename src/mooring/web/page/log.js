// What a server says beside its answers, as it says it.

import { path } from "./api.js";
import { el } from "./dom.js";
import { told } from "./stream.js";
import { when } from "./words.js";

const KEPT = 500;

export function log(server, signal) {
  const lines = el("pre.log", { tabIndex: 0, "aria-label": `What ${server} said` });
  const node = el("section", { hidden: true }, el("h3", "What it said"), lines);
  const follow = async () => {
    for await (const { said } of told("GET", `/api/v1/${path("servers", server, "log")}?lines=50`, undefined, signal)) {
      const isAtEnd = lines.scrollHeight - lines.scrollTop - lines.clientHeight < 40;
      lines.append(el("span.line", { title: when(said.at) }, el("span.type", `${said.from === "log" ? said.level : said.from} `), `${said.text}\n`));
      if (lines.childElementCount > KEPT) lines.firstChild.remove();
      node.hidden = false;
      if (isAtEnd) lines.scrollTop = lines.scrollHeight;
    }
  };
  // A connection that is lost is said elsewhere, and this view is drawn anew then.
  follow().catch(() => {});
  return node;
}
