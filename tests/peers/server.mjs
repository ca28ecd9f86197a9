// A server on version 2 of the TypeScript SDK, in both eras of the protocol: `node server.mjs stdio`, or
// `node server.mjs http`, which says its port on stdout.

import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import {
  McpServer,
  ResourceTemplate,
  acceptedContent,
  completable,
  createMcpHandler,
  inputRequired,
} from "@modelcontextprotocol/server";
import { SkillsExtension, memorySkillFiles } from "@modelcontextprotocol/server/ext/skills";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const PORTS = ["Bremen", "Bergen", "Genoa"];
const beginningWith = (typed) => PORTS.filter((port) => port.startsWith(typed ?? ""));
const said = (text, more = {}) => ({ content: [{ type: "text", text }], ...more });

const skills = await SkillsExtension.load(
  memorySkillFiles({
    "knots/SKILL.md": "---\nname: knots\ndescription: Ties knots\n---\nSee references/bowline.md\n",
    "knots/references/bowline.md": "The rabbit comes out of its hole.\n",
  }),
);

function harbour() {
  const server = new McpServer(
    { name: "harbour", version: "1.0.0" },
    { instructions: "Ask for a berth before you come in" },
  );
  skills.attach(server);
  server.registerTool(
    "add",
    {
      description: "Adds two numbers",
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      outputSchema: z.object({ sum: z.number() }),
      annotations: { readOnlyHint: true },
    },
    async ({ a, b }) => said(`${a + b}`, { structuredContent: { sum: a + b } }),
  );
  server.registerTool(
    "berth",
    { description: "Asks for the length of the ship, then gives it a berth" },
    async (context) => {
      const length = z.object({ metres: z.number() });
      const ship = acceptedContent(context.mcpReq.inputResponses, "ship", length);
      if (!ship) {
        const question = { message: "How long is the ship?", requestedSchema: length };
        return inputRequired({ inputRequests: { ship: inputRequired.elicit(question) } });
      }
      return said(`A berth of ${ship.metres + 5} metres`);
    },
  );
  server.registerTool("load", { description: "Loads crate by crate" }, async (context) => {
    const progressToken = context.mcpReq._meta?.progressToken;
    for (let progress = 1; progress <= 3 && progressToken !== undefined; progress += 1) {
      await context.mcpReq.notify({
        method: "notifications/progress",
        params: { progressToken, progress, total: 3, message: `crate ${progress}` },
      });
    }
    return said("loaded");
  });
  server.registerTool("sink", { description: "Fails" }, async () => {
    throw new Error("the ship has sunk");
  });
  server.registerResource("log", "harbour://log", { mimeType: "text/plain" }, async (uri) => ({
    contents: [{ uri: uri.href, mimeType: "text/plain", text: "Nothing happened" }],
  }));
  server.registerResource(
    "port",
    new ResourceTemplate("harbour://ports/{port}", { list: undefined, complete: { port: beginningWith } }),
    { mimeType: "text/plain" },
    async (uri, { port }) => ({ contents: [{ uri: uri.href, text: `${port} lies by the sea` }] }),
  );
  server.registerPrompt(
    "welcome",
    {
      description: "Welcomes a ship",
      argsSchema: z.object({ port: completable(z.string(), beginningWith) }),
    },
    ({ port }) => ({ messages: [{ role: "user", content: { type: "text", text: `Welcome to ${port}` } }] }),
  );
  return server;
}

if (process.argv[2] === "http") {
  const listening = createServer(toNodeHandler(createMcpHandler(harbour)));
  listening.listen(0, "127.0.0.1", () => console.log(listening.address().port));
  process.stdin.resume().on("end", () => process.exit());
} else {
  serveStdio(harbour);
}
