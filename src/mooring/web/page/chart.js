// How long the last calls took, as bars: the newest on the right, what went wrong with a dot on top.

import { el } from "./dom.js";
import { lasted, many } from "./words.js";

const SPACE = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT, MOST] = [320, 48, 60];

function draw(name, given, ...inner) {
  const node = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(given)) node.setAttribute(key, value);
  node.append(...inner);
  return node;
}

// Times differ by orders of magnitude, so the height is their logarithm.
export function chart(calls) {
  const shown = calls.slice(0, MOST).reverse();
  const longest = Math.max(...shown.map(({ durationMs }) => durationMs), 10);
  const step = WIDTH / MOST;
  const bars = shown.map(({ durationMs, outcome }, index) => {
    const height = Math.max(2, (Math.log10(1 + durationMs) / Math.log10(1 + longest)) * (HEIGHT - 8));
    const x = index * step;
    const isWell = outcome === "done";
    const bar = draw("rect", { x, y: HEIGHT - height, width: step - 1, height, class: isWell ? "well" : "ill" });
    return isWell ? [bar] : [bar, draw("circle", { cx: x + (step - 1) / 2, cy: HEIGHT - height - 4, r: 2, class: "ill" })];
  });
  const sorted = shown.map(({ durationMs }) => durationMs).sort((one, other) => one - other);
  const said = `${many(shown.length, "call")}: half took up to ${lasted(sorted[Math.floor((sorted.length - 1) / 2)])}, the longest ${lasted(sorted.at(-1))}`;
  const picture = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "xMinYMax", "aria-hidden": "true" }, ...bars.flat());
  return el("figure.chart", picture, el("figcaption.note", said));
}
