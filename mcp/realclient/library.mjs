// The official client libraries, which differ in their versions of the protocol.
import { createRequire } from "node:module";
import { join } from "node:path";

// libraryFor returns the library for a version of the protocol, from the folder in which both are installed.
export async function libraryFor(folder, version) {
  const require = createRequire(join(folder, "package.json"));
  return version >= "2026-07-28" ? second(require, version) : first(require);
}

function first(require) {
  const sdk = "@modelcontextprotocol/sdk";
  const { Client } = require(`${sdk}/client/index.js`);
  const schemas = require(`${sdk}/types.js`);
  return {
    schemas,
    pings: true,
    Stdio: require(`${sdk}/client/stdio.js`).StdioClientTransport,
    HTTP: require(`${sdk}/client/streamableHttp.js`).StreamableHTTPClientTransport,
    client: (info, options) => new Client(info, options),
    onQuestion: (client, answer) => client.setRequestHandler(schemas.ElicitRequestSchema, answer),
    call: (client, params, options) => client.callTool(params, undefined, options),
  };
}

function second(require, version) {
  const { Client, StreamableHTTPClientTransport } = require("@modelcontextprotocol/client");
  return {
    schemas: require("@modelcontextprotocol/core"),
    pings: false, // this version has none
    Stdio: require("@modelcontextprotocol/client/stdio").StdioClientTransport,
    HTTP: StreamableHTTPClientTransport,
    client: (info, options) => new Client(info, { ...options, versionNegotiation: { mode: { pin: version } } }),
    onQuestion: (client, answer) => client.setRequestHandler("elicitation/create", answer),
    call: (client, params, options) => client.callTool(params, options),
  };
}
