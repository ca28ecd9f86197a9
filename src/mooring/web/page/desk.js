// Whether anybody is asked anything; what it takes to answer is loaded only then.

import { get, hub } from "./api.js";

let isLoaded = false;

async function look() {
  const found = await get("questions").catch(() => null);
  if (!found || !(isLoaded || found.questions.length)) return;
  const { show } = await import("./questions.js");
  isLoaded = true;
  show(found.questions, look);
}

for (const kind of ["question.asked", "question.answered", "question.withdrawn", "online", "missed"]) {
  hub.addEventListener(kind, look);
}
