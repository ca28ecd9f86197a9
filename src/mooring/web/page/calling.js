// A call, from its progress to its end.

import { Problem } from "./api.js";
import { told } from "./stream.js";

export async function call(name, given, signal, progressed) {
  for await (const { kind, said } of told("POST", "/api/v1/call", { name, arguments: given }, signal)) {
    if (kind === "progress") progressed(said);
    if (kind === "result") return said;
    if (kind === "problem") throw new Problem(said, said.status);
  }
  throw new Problem({ detail: "The call ended without an answer", hint: "Was `mooring serve` ended?" }, 0);
}
