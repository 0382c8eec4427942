// A slow machine, with SLOW=SEED in the environment: what the server, the model and the extension host say comes late, each
// message by another time and all in order, and the browser has a part of the processor only. A check that fails there has a
// race, which shows once in many runs elsewhere.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";

const seed = process.env.SLOW;
const LATEST_MS = 150;
const THROTTLE = 2; // times as slow
let made = 0;

/** Returns what does work in order, each some time after it was asked for. */
function late(latest = LATEST_MS) {
  const random = generator(`${seed} ${++made}`);
  const waiting = [];
  let last = 0;
  return (work) => {
    waiting.push(work);
    last = Math.max(last, Date.now() + (random() < 0.5 ? 0 : random() * latest));
    setTimeout(() => waiting.shift()(), last - Date.now()); // timers of the same moment may swap places
  };
}

/** Returns a program that runs the server, slowly if this is a slow machine. */
export function slowServer(folder, binary) {
  if (!seed) return binary;
  const path = join(folder, "slow-server.mjs");
  writeFileSync(path, `#!${process.execPath}
process.env.SLOW = ${JSON.stringify(seed)};
const { serve } = await import(${JSON.stringify(import.meta.url)});
serve(${JSON.stringify(binary)});
`, { mode: 0o755 });
  return path;
}

/** Runs the server between the extension's standard streams. */
export function serve(binary) {
  const server = spawn(binary, process.argv.slice(2), { stdio: ["pipe", "pipe", "inherit"] });
  const [ask, say] = [late(), late()];
  eachMessage(process.stdin, (frame) => ask(() => server.stdin.write(frame)));
  process.stdin.on("end", () => ask(() => server.stdin.end()));
  server.stdin.on("error", () => {});
  eachMessage(server.stdout, (frame) => say(() => process.stdout.write(frame)));
  server.on("exit", (code, signal) => say(() => (signal ? process.kill(process.pid, signal) : process.exit(code))));
}

/** Lets what is written to a response of the model go out late. */
export function slowResponse(response) {
  if (!seed) return;
  const soon = late();
  for (const name of ["write", "end", "destroy"]) {
    const now = response[name].bind(response);
    response[name] = (...args) => void soon(() => now(...args));
  }
}

/** Lets a page have a part of the processor. */
export async function slowPage(context, page) {
  if (seed) await (await context.newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate: THROTTLE });
}

/** Returns the address at which the browser finds the workbench at an address, slowly. */
export async function slowAddress(address) {
  if (!seed) return address;
  const { hostname, port } = new URL(address);
  const proxy = createServer((browser) => {
    const host = connect(port, hostname);
    for (const [from, to] of [[browser, host], [host, browser]]) {
      const soon = late(LATEST_MS / 3);
      from.on("data", (data) => soon(() => to.write(data))).on("close", () => soon(() => to.destroy())).on("error", () => {});
    }
  });
  await new Promise((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  proxy.unref();
  return `http://127.0.0.1:${proxy.address().port}`;
}

/** Calls back with each message of a stream and its bytes. */
export function eachMessage(stream, callback) {
  let rest = Buffer.alloc(0);
  stream.on("data", (data) => {
    rest = Buffer.concat([rest, data]);
    for (;;) {
      const head = rest.indexOf("\r\n\r\n");
      const length = head < 0 ? NaN : Number(/Content-Length: (\d+)/i.exec(rest.subarray(0, head))[1]);
      const end = head + 4 + length;
      if (!(rest.length >= end)) return;
      const frame = rest.subarray(0, end);
      rest = rest.subarray(end);
      callback(frame, JSON.parse(frame.subarray(head + 4)));
    }
  });
}

/** Returns a generator of numbers from 0 to 1, always the same ones for a text. */
function generator(text) {
  let state = [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 2147483647, 7);
  return () => (state = (state * 16807) % 2147483647) / 2147483647;
}
