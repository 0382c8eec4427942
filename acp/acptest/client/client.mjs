// A client of the Agent Client Protocol that we did not write: the TypeScript SDK's, which checks
// what it gets. A test drives it:
//
//   node client.mjs NODE_MODULES AGENT [ARGUMENT …]
//
// starts the agent. What the test writes to standard input, JSON-RPC messages on lines, goes through
// the SDK to the agent; what the agent asks or tells goes through the SDK to standard output. The
// notification test/wire has each line that passed between the SDK and the agent, as it was.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { createRequire } from "node:module";
import { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";

const [modules, ...command] = process.argv.slice(2);
const acp = await import(pathToFileURL(createRequire(modules + "/").resolve("@agentclientprotocol/sdk")));

const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
const tell = (method, params) => say({ method, params });

const agent = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
tell("test/started", { pid: agent.pid });
agent.on("exit", (code, signal) => tell("test/exited", { code, signal }));
agent.stdin.on("error", () => {}); // it may be killed at any time

// record returns a stream that passes bytes on and tells the test of each whole line.
function record(direction) {
  let rest = "";
  const decoder = new TextDecoder();
  return new TransformStream({
    transform(chunk, controller) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop();
      for (const line of lines) tell("test/wire", { direction, line });
      controller.enqueue(chunk);
    },
  });
}

const outgoing = record("client");
outgoing.readable.pipeTo(Writable.toWeb(agent.stdin)).catch(() => {});
const incoming = Readable.toWeb(agent.stdout).pipeThrough(record("agent"));

// What the agent asks is passed to the test, whose answer is passed back.
const questions = new Map();
let asked = 0;
function ask(method, params) {
  const id = `question ${++asked}`;
  return new Promise((resolve, reject) => {
    questions.set(id, { resolve, reject });
    say({ id, method, params });
  });
}

const { client: calls } = acp.methods;
const app = acp
  .client({ name: "ploke-test" })
  .onRequest(calls.session.requestPermission, (c) => ask(c.method, c.params))
  .onRequest(calls.fs.readTextFile, (c) => ask(c.method, c.params))
  .onRequest(calls.fs.writeTextFile, (c) => ask(c.method, c.params))
  .onRequest(calls.elicitation.create, (c) => ask(c.method, c.params))
  .onNotification(calls.session.update, (c) => tell(c.method, c.params));
const connection = app.connect(acp.ndJsonStream(outgoing.writable, incoming));

async function forward({ id, method, params }) {
  try {
    if (id === undefined) return await connection.agent.notify(method, params);
    say({ id, result: (await connection.agent.request(method, params)) ?? {} });
  } catch (error) {
    const { code = -32603, message = String(error), data } = error;
    if (id !== undefined) say({ id, error: { code, message, data } });
  }
}

createInterface({ input: process.stdin })
  .on("line", (line) => {
    const message = JSON.parse(line);
    if (message.method !== undefined) return void forward(message);
    const question = questions.get(message.id);
    questions.delete(message.id);
    if (message.error) question?.reject(new acp.RequestError(message.error.code, message.error.message));
    else question?.resolve(message.result);
  })
  .on("close", () => {
    agent.stdin.end();
    agent.on("exit", () => process.exit(0));
    if (agent.exitCode !== null || agent.signalCode !== null) process.exit(0);
  });
