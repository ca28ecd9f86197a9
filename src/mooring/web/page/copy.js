// A call as one would type it: in a shell, and in Python.

import { announce, button, el } from "./dom.js";

const quoted = (text) => (/^[\w.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

export function shell(name, given) {
  const more = Object.keys(given).length ? ` --json ${quoted(JSON.stringify(given))}` : "";
  return `mooring call ${quoted(name)}${more}`;
}

function literal(value) {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (value && typeof value === "object") return `{${Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${literal(each)}`).join(", ")}}`;
  return { true: "True", false: "False", null: "None" }[String(value)] && typeof value !== "string" ? { true: "True", false: "False", null: "None" }[value] : JSON.stringify(value);
}

export function python(name, given) {
  return `import asyncio
from mooring import open_host


async def main() -> None:
    async with open_host() as host:
        await host.settled()
        result = await host.call(None, ${JSON.stringify(name)}, ${literal(given)})
        print(result.text)


asyncio.run(main())
`;
}

// Where the browser gives no clipboard, it is shown whole, to be copied by hand.
export const copies = (text, make) => button(text, async ({ target }) => {
  const made = make(), row = target.parentElement;
  row.parentElement.querySelector(".copied")?.remove();
  const said = await navigator.clipboard?.writeText(made).then(() => "Copied", () => undefined);
  row.after(said ? el("p.note.copied", said) : el("pre.copied", { tabIndex: 0, "aria-label": text }, made));
  announce(said ?? "Copy it by hand");
});
