// Two versions of a file, line by line, told apart by sign as well as by colour.

import { el } from "./dom.js";

const KINDS = { "+": "ins", "-": "del" };

export const difference = (diff) => el("pre", { tabIndex: 0, "aria-label": "The difference" },
  diff.split("\n").map((line) => (/^(\+\+\+|---)/.test(line) ? `${line}\n` : el(KINDS[line[0]] ?? "span", `${line}\n`))));
