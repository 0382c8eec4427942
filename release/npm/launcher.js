#!/usr/bin/env node
// Runs the ploke-lsp of this platform, which npm has installed as an optional dependency.
"use strict";
const { spawn } = require("node:child_process");
const { name } = require("./package.json");

const platform = `${name}-${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "ploke-lsp.exe" : "ploke-lsp";

let program;
try {
  program = require.resolve(`${platform}/bin/${file}`);
} catch {
  console.error(`ploke-lsp: the package ${platform} is not installed. Install ${name} again without --omit=optional; ` +
    "if there is no such package, ploke-lsp does not run on this platform.");
  process.exit(1);
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
for (const signal of signals) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`ploke-lsp: ${program} does not start: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  for (const handled of signals) process.removeAllListeners(handled);
  process.kill(process.pid, signal);
});
