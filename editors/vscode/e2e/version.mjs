// The extension of another version than the server.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes a program that runs the server, which takes the extension for one of another version. */
export function otherVersion(folder, binary) {
  const path = join(folder, "other-version.mjs");
  writeFileSync(path, `#!${process.execPath}
import { spawn } from "node:child_process";
const server = spawn(${JSON.stringify(binary)}, process.argv.slice(2), { stdio: ["pipe", "inherit", "inherit"] });
process.stdin.on("data", (data) => {
  const text = data.toString("latin1").replace('"version":1,"oldest":1', '"version":9,"oldest":9');
  server.stdin.write(Buffer.from(text, "latin1"));
});
process.stdin.on("end", () => server.stdin.end());
server.on("exit", (code) => process.exit(code ?? 1));
`, { mode: 0o755 });
  return path;
}
