// Runs the end-to-end tests: node main.mjs TESTBED VSIX PLOKE_BINARY ARTIFACTS_DIR [SCENARIO...]
// Each scenario opens a fresh folder, so that any of them can run alone.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CodeServer, privateEnvironment, quiet } from "./codeserver.mjs";
import { Model } from "./model.mjs";
import * as project from "./project.mjs";
import { Workbench } from "./workbench.mjs";

const scenarios = ["start", "answers", "conversation", "proposals", "turns", "life"];

const [testbed, vsix, binary, artifacts, ...chosen] = process.argv.slice(2);
const temporary = mkdtempSync(join(tmpdir(), "ploke-vscode-"));
const server = new CodeServer(testbed, temporary);
const model = new Model();
let workbench;
let passed = 0;
let failed = 0;

async function check(name, work) {
  const begun = Date.now();
  try {
    await work();
    passed++;
    console.log(`ok    ${name} (${Date.now() - begun} ms)`);
  } catch (error) {
    failed++;
    console.log(`FAIL  ${name}\n${String(error.stack ?? error).slice(0, 1500)}`);
    await workbench?.capture(join(artifacts, `vscode-failed-${failed}.png`)).catch(() => {});
  }
}

async function start() {
  server.writeSettings("User", {
    ...quiet,
    "ploke.model": "embedded",
    "ploke.providers": { scripted: { type: "openai", baseUrl: await model.start() } },
  });
  server.writeServerSettings('[checks.hello]\ncommand = ["echo", "hello"]\n');
  server.install(vsix);
  workbench = await Workbench.start(testbed, join(temporary, "chromium"), privateEnvironment(temporary), await server.start());
}

/** Returns what the scenario of a name works with. */
function bed(name) {
  const workspace = join(temporary, "workspaces", name);
  mkdirSync(workspace, { recursive: true });
  project.write(workspace);
  return {
    workspace, temporary, binary, server, workbench, model, check, useModel,
    capture: (shot) => workbench.capture(join(artifacts, `vscode-${shot}.png`)),
    onDisk: (path) => readFileSync(join(workspace, path), "utf8"),

    /** Opens the folder anew: with this server, and on request when it is indexed and the chat is shown. */
    async open({ serverPath = binary, indexed = false, chat = false } = {}) {
      await workbench.leave();
      await server.ended(binary);
      server.writeSettings("Machine", { "ploke.serverPath": serverPath });
      await workbench.open(workspace);
      if (indexed) await workbench.indexed();
      if (chat) await workbench.command("ploke: Ask");
    },
  };
}

/** Chooses the model for this window, which does not restart the server. */
async function useModel(name) {
  const before = server.processes(binary);
  await workbench.chooseModel(name);
  assert.deepEqual(server.processes(binary), before);
}

async function finish() {
  await check("no request goes to another host", () => assert.deepEqual([...workbench.foreign], []));
  await check("no process is left running", async () => {
    await workbench.close();
    server.stop();
    assert.deepEqual(await server.leftovers(), []);
  });
}

try {
  await start();
  for (const name of chosen.length > 0 ? chosen : scenarios) {
    const { run } = await import(`./${name}.mjs`);
    await run(bed(name)).catch((error) => check(`the scenario ${name} runs to its end`, () => Promise.reject(error)));
  }
  await finish();
} catch (error) {
  failed++;
  console.log(`FAIL  the tests were aborted\n${error.stack ?? error}`);
} finally {
  server.stop();
  model.stop();
  cpSync(server.logs, join(artifacts, "vscode-logs"), { recursive: true });
  rmSync(temporary, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
