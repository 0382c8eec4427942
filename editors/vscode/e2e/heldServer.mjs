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
  const requests = join(folder, "requests");
  writeFileSync(requests, "");
  writeFileSync(path, `#!${process.execPath}
import { serve } from ${JSON.stringify(import.meta.url)};
serve(${JSON.stringify({ binary: slowServer(folder, binary), held, requests })});
`, { mode: 0o755 });
  return {
    path,
    /** Holds back what the server says, but for its answers to decisions. */
    hold: () => writeFileSync(held, ""),
    release: () => rmSync(held, { force: true }),
    /** Returns the decisions that the extension has sent: { method, params } each. */
    decisions: () => readFileSync(requests, "utf8").trim().split("\n").map((line) => JSON.parse(line)).filter(isDecision),
  };
}

function isDecision({ method }) {
  return /^ploke\/proposal\/(accept|reject|undo|redo|edit)$/.test(method);
}

/** Runs the server between the extension's standard streams. */
export function serve({ binary, held, requests }) {
  const server = spawn(binary, process.argv.slice(2), { stdio: ["pipe", "pipe", "inherit"] });
  const decided = new Set(); // ids of requests
  const waiting = [];
  const flush = () => {
    while (waiting.length > 0 && !existsSync(held)) process.stdout.write(waiting.shift().frame);
  };
  process.stdin.pipe(server.stdin);
  eachMessage(process.stdin, (_, message) => {
    if (message.method && message.id !== undefined) appendFileSync(requests, `${JSON.stringify(message)}\n`);
    if (isDecision(message)) decided.add(message.id);
  });
  eachMessage(server.stdout, (frame, message) => {
    if (existsSync(held) && !message.method && decided.has(message.id)) return void process.stdout.write(frame);
    waiting.push({ frame });
    flush();
  });
  setInterval(flush, PAUSE_MS).unref();
  server.on("exit", (code) => process.exit(code ?? 1));
}
