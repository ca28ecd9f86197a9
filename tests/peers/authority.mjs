// An authorization server, as certified: `node authority.mjs RESOURCE...` says its address on stdout. Its pages of
// login and consent are its own; `/asked` tells what it was asked at the endpoints that count.

import { generateKeyPairSync, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import Provider, { errors } from "oidc-provider";

const resources = process.argv.slice(2);
const settings = JSON.parse(process.env.AUTHORITY ?? "{}");
const SCOPES = "notes:read notes:write";
const COUNTED = ["/reg", "/token", "/token/revocation"];
const asked = [];

const server = createServer();
await new Promise((listening) => server.listen(settings.port ?? 0, "127.0.0.1", listening));
const issuer = `http://127.0.0.1:${server.address().port}`;
const key = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" });

const provider = new Provider(issuer, {
  clients: settings.clients ?? [],
  cookies: { keys: ["the key of a test"] },
  jwks: { keys: [{ ...key, kid: "one", alg: "RS256", use: "sig" }] },
  scopes: ["openid", "offline_access", ...SCOPES.split(" ")],
  pkce: { required: () => true },
  rotateRefreshToken: true,
  issueRefreshToken: async (_, client) => client.grantTypeAllowed("refresh_token"),
  ttl: { AccessToken: settings.ttl ?? 600, ClientCredentials: settings.ttl ?? 600 },
  features: {
    devInteractions: { enabled: true },
    registration: { enabled: settings.registration ?? true },
    revocation: { enabled: true },
    clientCredentials: { enabled: true },
    dPoP: { enabled: true, nonceSecret: randomBytes(32), requireNonce: () => true },
    resourceIndicators: {
      enabled: true,
      useGrantedResource: () => true,
      getResourceServerInfo: (_, resource) => {
        if (!resources.includes(resource)) throw new errors.InvalidTarget();
        return { scope: SCOPES, audience: resource, accessTokenFormat: "jwt", jwt: { sign: { alg: "RS256" } } };
      },
    },
  },
});

provider.on("server_error", (_, error) => process.stderr.write(`${error.stack}\n`));
const answer = provider.callback();
server.on("request", (request, response) => {
  const { pathname } = new URL(request.url, issuer);
  if (pathname === "/asked") {
    response.end(JSON.stringify(asked));
    return;
  }
  response.on("finish", () => {
    if (COUNTED.includes(pathname)) asked.push(`${pathname} ${response.statusCode}`);
  });
  answer(request, response);
});
process.stdout.write(`${issuer}\n`);
