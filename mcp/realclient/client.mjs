// Drives ploke-lsp mcp with an official client of the protocol:
//
//   node client.mjs FOLDER_OF_THE_CLIENT VERSION stdio PROGRAM ARGUMENTS…
//   node client.mjs FOLDER_OF_THE_CLIENT VERSION http URL TOKEN
//
// The version is that of the protocol. The folder that is served has greet.go and Makefile, and edits are
// applied. Each message is compared with the client's schemas, in both directions. Prints what it has done as JSON.
import assert from "node:assert/strict";
import { Checker } from "./checker.mjs";
import { libraryFor } from "./library.mjs";

const [folder, version, transportName, ...rest] = process.argv.slice(2);
const library = await libraryFor(folder, version);
const checker = new Checker(library.schemas);

const answers = ["accept", "decline"];
const questions = [];

async function connect() {
  const client = library.client({ name: "real client", version: "1" }, { capabilities: { elicitation: {} } });
  library.onQuestion(client, async (request) => {
    questions.push(request.params.message);
    return { action: answers.shift() };
  });
  const transport = transportName === "stdio"
    ? new library.Stdio({ command: rest[0], args: rest.slice(1), env: process.env, stderr: "inherit" })
    : new library.HTTP(new URL(rest[0]), { requestInit: { headers: { Authorization: `Bearer ${rest[1]}` } } });
  checker.watch(transport);
  await client.connect(transport);
  return client;
}

const client = await connect();
assert.equal(client.getNegotiatedProtocolVersion?.() ?? checker.version, version);
const { tools } = await client.listTools(); // the client compares results with the schemas from now on
const call = async (name, args) => {
  const result = await client.callTool({ name, arguments: args });
  // Results say path and name, as the arguments do.
  assert.doesNotMatch(JSON.stringify(result.structuredContent ?? {}), /"(canon|file|dir)":/);
  return { text: result.content[0].text, failed: result.isError ?? false, structured: result.structuredContent };
};
const until = async (name, args, done) => {
  for (;;) {
    const result = await call(name, args);
    if (done(result)) return result;
  }
};

const report = { tools: tools.map((tool) => tool.name), version: client.getServerVersion() };
await until("status", {}, (r) => r.structured.index.state === "ready");
for (const [name, args] of [
  ["context", { query: "who greets somebody" }],
  ["search_text", { pattern: "hello" }],
  ["symbol", { name: "Hello" }],
  ["references", { name: "Hello" }],
  ["outline", { path: "greet.go" }],
  ["outline", {}],
  ["read", { path: "greet.go" }],
  ["diagnostics", {}],
]) {
  const result = await call(name, args);
  assert(!result.failed && result.structured.ok, `${name}: ${result.text}`);
}
report.miss = await call("read", { file: "nothing.go" });
report.wrong = await call("symbol", { nonsense: [] });
const edit = (file, old, replacement) => ({ edits: [{ file, old, new: replacement }] });
report.written = await call("edit", edit("greet.go", '"hello "', '"hi "'));
report.agreed = await call("edit", edit("Makefile", "echo one", "echo agreed"));
report.declined = await call("edit", edit("Makefile", "echo two", "echo declined"));
report.status = await call("status", {});
report.resources = (await client.listResources()).resources.map((resource) => resource.uri);
report.templates = (await client.listResourceTemplates()).resourceTemplates.map((template) => template.uriTemplate);
const resource = async (uri) => (await client.readResource({ uri })).contents[0].text;
report.diff = await resource(report.resources[0]);
report.file = await resource("ploke://files/greet.go");
await call("edit", { edits: [{ path: "extra.go", code: "package greet\n" }] });
report.moved = await call("move", { path: "extra.go", to: "other.go" });
report.deleted = await call("delete", { path: "other.go" });
await assert.rejects(resource("ploke://files/nothing.go"), /there is no file nothing.go/);
await assert.rejects(client.callTool({ name: "rm", arguments: {} }), /unknown tool/);
if (library.pings) await client.ping();

// A call that is cancelled, and then one that is not.
const abort = new AbortController();
const cancelled = library.call(client, { name: "context", arguments: { query: "hello" } }, { signal: abort.signal });
abort.abort("not needed");
await assert.rejects(cancelled);
assert(!(await call("status", {})).failed);

await client.close();
assert.deepEqual(checker.failures, []);
console.log(JSON.stringify({ ...report, questions, checked: checker.checked }));
