// A server whose messages can be held back, as on a slow connection. It also keeps which requests the extension has sent.
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eachMessage, slowServer } from "./slow.mjs";

const PAUSE_MS = 20;

/** Writes the program that the extension starts, in a folder that its messages go through. */
export function heldServer(folder, binary) {
  const path = join(folder, "held-server.mjs");
  const held = join(folder, "held");
  const one = join(folder, "one");
  const requests = join(folder, "requests");
  writeFileSync(requests, "");
  const sent = () => readFileSync(requests, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
  writeFileSync(path, `#!${process.execPath}
import { serve } from ${JSON.stringify(import.meta.url)};
serve(${JSON.stringify({ binary: slowServer(folder, binary), held, one, requests })});
`, { mode: 0o755 });
  return {
    path,
    /** Holds back the server's answers to requests of a method, or all that it says but for its answers to decisions. */
    hold: (method = "") => writeFileSync(held, method),
    release: () => rmSync(held, { force: true }),
    /** Lets one message through. */
    releaseOne: () => writeFileSync(one, ""),
    /** Returns the requests of a method that the extension has sent. */
    asked: (method) => sent().filter((each) => each.method === method),
    /** Returns the decisions that the extension has sent: { method, params } each. */
    decisions: () => sent().filter(isDecision),
  };
}

function isDecision({ method }) {
  return /^ploke\/proposal\/(accept|reject|undo|redo|edit)$/.test(method);
}

/** Runs the server between the extension's standard streams. */
export function serve({ binary, held, one, requests }) {
  const server = spawn(binary, process.argv.slice(2), { stdio: ["pipe", "pipe", "inherit"] });
  const methods = new Map(); // of the requests, by their ids
  const waiting = [];
  const only = () => { // undefined if nothing is held
    try {
      return readFileSync(held, "utf8");
    } catch {
      return undefined;
    }
  };
  const holds = (message, only) => {
    const method = message.method ? "" : methods.get(message.id);
    return only ? method === only : !isDecision({ method });
  };
  const flush = (only) => {
    if (waiting.length > 0 && existsSync(one)) {
      rmSync(one);
      process.stdout.write(waiting.shift());
    }
    if (only === undefined) for (const frame of waiting.splice(0)) process.stdout.write(frame);
  };
  process.stdin.pipe(server.stdin);
  eachMessage(process.stdin, (_, message) => {
    if (!message.method || message.id === undefined) return;
    appendFileSync(requests, `${JSON.stringify(message)}\n`);
    methods.set(message.id, message.method);
  });
  eachMessage(server.stdout, (frame, message) => {
    const now = only();
    flush(now);
    if (now !== undefined && holds(message, now)) waiting.push(frame);
    else process.stdout.write(frame);
  });
  setInterval(() => flush(only()), PAUSE_MS).unref();
  server.on("exit", (code) => process.exit(code ?? 1));
}
