// The page by keyboard alone.

import { send } from "./api.js";
import { go } from "./route.js";

const isTyping = ({ target }) => target.matches("input, select, textarea") || target.isContentEditable;

function step(by) {
  const rows = [...document.querySelectorAll("#list .rows a")];
  const now = rows.indexOf(document.activeElement);
  const chosen = now < 0 ? rows.findIndex((row) => row.ariaCurrent) : now + by;
  rows.at(Math.max(0, Math.min(chosen, rows.length - 1)))?.focus();
}

function escape() {
  const row = document.querySelector("#list a[aria-current]") ?? document.querySelector("#list .rows a");
  if (getComputedStyle(document.getElementById("list")).display === "none") document.getElementById("back").click();
  else row?.focus();
}

export function keys() {
  const help = document.getElementById("help");
  const search = document.getElementById("search");
  search.addEventListener("input", () => go("search", search.value));
  const actions = { "/": () => search.select(), q: () => document.querySelector("#questions h2")?.focus(), j: () => step(1), k: () => step(-1), "?": () => help.showModal(), Escape: escape };
  document.getElementById("leave").addEventListener("click", () => send("POST", "/leave").then(() => location.reload()));
  document.getElementById("keys").addEventListener("click", () => help.showModal());
  document.addEventListener("keydown", (event) => {
    const action = actions[event.key];
    const isOurs = !(event.ctrlKey || event.metaKey || event.altKey || help.open || event.defaultPrevented);
    if (!action || !isOurs || (isTyping(event) && event.key !== "Escape")) return;
    event.preventDefault();
    action();
  });
  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter") document.querySelector("#list .rows a")?.click();
    if (event.key === "ArrowDown") event.preventDefault(), step(1);
  });
}
