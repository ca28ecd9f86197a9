// What a JSON Schema wants in one place, as far as a form can say it.

// A reference leads to another place in the same schema; one in circles leads nowhere.
export function resolve(schema, root) {
  for (let steps = 0; schema?.$ref && steps < 20; steps++) {
    const found = schema.$ref.split("/").slice(1).reduce((at, part) => at?.[decodeURIComponent(part).replace(/~1/g, "/").replace(/~0/g, "~")], root);
    schema = { ...found, ...schema, $ref: found?.$ref };
  }
  return schema && typeof schema === "object" ? schema : {};
}

export function shape(given, root) {
  let schema = resolve(given, root);
  for (const part of schema.allOf ?? []) schema = { ...resolve(part, root), ...schema, properties: { ...resolve(part, root).properties, ...schema.properties } };
  const ways = (schema.anyOf ?? schema.oneOf)?.map((way) => resolve(way, root)).filter((way) => way.type !== "null");
  if (ways?.length && ways.every((way) => "const" in way)) {
    return { ...schema, kind: "choice", choices: ways.map((way) => [way.const, way.title ?? way.const]) };
  }
  if (ways?.length === 1) schema = { ...ways[0], ...schema };
  const types = [schema.type ?? []].flat().filter((type) => type !== "null");
  if (schema.enum) return { ...schema, kind: "choice", choices: schema.enum.map((value, index) => [value, schema.enumNames?.[index] ?? value]) };
  if ("const" in schema) return { ...schema, kind: "choice", choices: [[schema.const, schema.const]] };
  const kind = types.length === 1 ? types[0] : !types.length && schema.properties ? "object" : "json";
  if (kind === "object" && !Object.keys(schema.properties ?? {}).length) return { ...schema, kind: "json", type: "object" };
  if (kind === "boolean") return { ...schema, kind: "choice", choices: [[true, "yes"], [false, "no"]] };
  return { ...schema, kind };
}

export const wanted = ({ properties = {}, required = [] }) =>
  Object.keys(properties).sort((one, other) => required.includes(other) - required.includes(one));

// One word for a type, for people.
export function typed({ kind, type, format, items }) {
  if (kind === "choice") return "";
  if (kind === "array") return `list${items?.type ? ` of ${items.type}s` : ""}`;
  return { string: format ?? "text", integer: "whole number", json: type === "object" ? "JSON object" : "JSON" }[kind] ?? kind;
}
