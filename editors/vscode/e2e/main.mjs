// Runs the end-to-end tests: node main.mjs TESTBED VSIX PLOKE_BINARY ARTIFACTS_DIR [SCENARIO...]
// Any scenario can run alone. Each opens a fresh folder, but those that export "shared", which go on in one window:
// to load a workbench takes longer than most checks.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { CodeServer, privateEnvironment, quiet } from "./codeserver.mjs";
import { Model } from "./model.mjs";
import * as project from "./project.mjs";
import { slowAddress, slowServer } from "./slow.mjs";
import { Workbench } from "./workbench.mjs";

const scenarios = [
  "start", "firststeps", "answers", "conversation", "reading", "transcript", "composer", "drafts", "branches", "turns", "security", "focus",
  "places", "notebooks", "doors", "editormodels", "compiler", "gopls", "guests", "proposals", "proof", "review", "amended", "accepting", "truth", "life", "restoring", "trust", "accessibility", "screens", "pictures", "tour", "bundled",
];

const [testbed, vsix, binary, artifacts, ...chosen] = process.argv.slice(2);
const temporary = mkdtempSync(join(tmpdir(), "ploke-vscode-"));
const server = new CodeServer(testbed, temporary);
const model = new Model();
let workbench;
let providers;
let passed = 0;
let failed = 0;
const begun = Date.now();

async function check(name, work) {
  const started = Date.now();
  try {
    await inTime(work());
    passed++;
    console.log(`ok    ${name} (${Date.now() - started} ms)`);
  } catch (error) {
    failed++;
    await report(name, error);
  }
}

/** Waits for a check, and lets it fail instead of waiting for ever for what a double was not asked. */
async function inTime(work) {
  let timer;
  const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error("the check took more than 3 minutes")), 180_000)));
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Prints why a check has failed, and keeps what was on the screen and in the logs. */
async function report(name, error) {
  const shot = join(artifacts, `vscode-failed-${failed}.png`);
  const logs = join(artifacts, `vscode-failed-${failed}.log`);
  await workbench?.capture(shot).catch(() => {});
  const notified = await workbench?.notifications().catch(() => []);
  const tail = server.logTail();
  writeFileSync(logs, Object.values(tail).join("\n"));
  console.log(`FAIL  ${name}\n${stripVTControlCharacters(String(error.stack ?? error)).slice(0, 1500)}`);
  console.log(`      screen: ${shot}, logs: ${logs}; the end of ploke's:\n${tail.ploke.slice(-500)}`);
  if (notified?.length) console.log(`      notified: ${notified.join("; ")}`);
}

/** Writes the user's settings for the next load of a window: those of all scenarios, and more. */
function userSettings(more) {
  server.writeSettings("User", { ...quiet, "ploke.model": "embedded", "ploke.providers": providers, ...more });
}

async function start() {
  providers = { scripted: { type: "openai", baseUrl: await model.start(), models: { deep: { efforts: ["low", "high"] } } } };
  userSettings({});
  server.install(vsix);
  workbench = await Workbench.start(testbed, join(temporary, "chromium"), privateEnvironment(temporary), await slowAddress(await server.start()));
}

const serverSettings = `[checks.hello]
command = ["echo", "hello"]
[checks.bad]
command = ["ls", "no-such-file"]
[checks.colors]
command = ["sh", "-c", "printf '\\\\033[31mred\\\\033[0m\\n'; exit 3"]
[proof]
compile = false
`;

let opened; // the folder of the window

/** Returns what the scenario of a name works with. */
function bed(name, shared) {
  const workspace = join(temporary, "workspaces", shared ? "shared" : name);
  mkdirSync(workspace, { recursive: true });
  project.write(workspace);
  return {
    workspace, temporary, testbed, binary, server, workbench, model, check, useModel, userSettings,
    capture: (shot) => workbench.capture(join(artifacts, `vscode-${shot}.png`)),
    onDisk: (path) => readFileSync(join(workspace, path), "utf8"),

    /** Opens the folder anew, unless it is shared: with this server, and on request when it is indexed and the chat is shown. */
    async open({ serverPath = slowServer(temporary, binary), indexed = false, chat = false } = {}) {
      if (shared && opened === workspace) return goOn(workspace, chat);
      opened = workspace;
      await workbench.leave();
      await server.ended(binary);
      server.writeSettings("Machine", { "ploke.serverPath": serverPath });
      await workbench.open(workspace);
      if (indexed) await workbench.indexed();
      if (chat) await workbench.showChat();
    },
  };
}

/** Makes the window of a shared folder as it is when it is opened. */
async function goOn(workspace, chat) {
  await workbench.closeEditors();
  project.write(workspace);
  await workbench.command("Notifications: Clear All Notifications");
  await workbench.chooseModel("embedded");
  if (chat) await workbench.showChat();
  await workbench.newConversation();
}

/** Chooses the model for this window, which does not restart the server. */
async function useModel(name) {
  const before = server.processes(binary);
  await workbench.chooseModel(name);
  assert.deepEqual(server.processes(binary), before);
}

async function finish() {
  await check("the package without the server is smaller than 1 MB", () => assert.ok(statSync(vsix).size < 1_000_000));
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
    console.log(`== ${name}`);
    const { run, shared = false } = await import(`./${name}.mjs`);
    server.writeServerSettings(serverSettings);
    model.works = false;
    await run(bed(name, shared)).catch((error) => check(`the scenario ${name} runs to its end`, () => Promise.reject(error)));
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
console.log(`VS Code: ${Math.round((Date.now() - begun) / 1000)} s`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
