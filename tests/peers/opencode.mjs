// OpenCode's own client: reads one call a line, as JSON, and prints what came of it.
import { createInterface } from "node:readline";
import { createOpencodeClient as first } from "@opencode-ai/sdk/client";
import { createOpencodeClient as second } from "@opencode-ai/sdk/v2/client";

const [baseUrl, authorization] = process.argv.slice(2);
const how = { baseUrl, headers: { authorization } };
const clients = { first: first(how), second: second(how) };
const print = (value) => console.log(JSON.stringify(value));

for await (const line of createInterface({ input: process.stdin })) {
  const [generation, path, parameters] = JSON.parse(line);
  const words = path.split(".");
  const method = words.pop();
  const group = words.reduce((found, word) => found[word], clients[generation]);
  if (method === "subscribe") {
    const { stream } = await group.subscribe();
    const { value } = await stream.next();
    print({ data: value });
    continue;
  }
  const { data, error, response } = await group[method](parameters);
  print({ data, error: error?.cause?.body ?? error, status: response.status });
}
process.exit(0);
