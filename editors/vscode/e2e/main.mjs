// Runs all end-to-end tests: node main.mjs TESTBED VSIX PLOKE_BINARY ARTIFACTS_DIR
import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CodeServer, privateEnvironment, quiet } from "./codeserver.mjs";
import { Model } from "./model.mjs";
import * as project from "./project.mjs";
import * as proposals from "./proposals.mjs";
import * as turns from "./turns.mjs";
import * as version from "./version.mjs";
import { Workbench } from "./workbench.mjs";

const [testbed, vsix, binary, artifacts] = process.argv.slice(2);
const temporary = mkdtempSync(join(tmpdir(), "ploke-vscode-"));
const workspace = join(temporary, "workspace");
mkdirSync(workspace);
project.write(workspace);

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

const capture = (name) => workbench.capture(join(artifacts, `vscode-${name}.png`));
const onDisk = (path) => readFileSync(join(workspace, path), "utf8");

async function prepare() {
  const baseUrl = await model.start();
  const settings = {
    ...quiet,
    "ploke.model": "embedded",
    "ploke.providers": { scripted: { type: "openai", baseUrl } },
  };
  server.writeSettings("User", settings);
  server.writeServerSettings('[checks.hello]\ncommand = ["echo", "hello"]\n');
  server.install(vsix);
  workbench = await Workbench.open(
    testbed, join(temporary, "chromium"), privateEnvironment(temporary), await server.start(), workspace,
  );
  return settings;
}

async function indexed() {
  await workbench.page.locator('.statusbar-item[aria-label*="index ready"]').waitFor();
}

async function runTests(settings) {
  const { page, chat } = workbench;

  await check("a missing server is explained", async () => {
    await page.locator(".notification-toast", { hasText: "Install ploke-lsp, or set ploke.serverPath" }).waitFor();
    await capture("0-missing-server");
  });
  server.writeSettings("Machine", { "ploke.serverPath": version.otherVersion(temporary, binary) });
  await page.reload();
  await version.run({ check, capture, workbench });
  server.writeSettings("Machine", { "ploke.serverPath": binary });
  await page.reload();

  await check("the folder's index becomes ready", async () => {
    await page.locator(".explorer-folders-view .monaco-list-row", { hasText: "main.go" }).waitFor();
    await indexed();
    const label = await workbench.status.getAttribute("aria-label");
    assert.match(label, /[1-9]\d* files, [1-9]\d* symbols/);
    await capture("1-indexed");
  });

  await check("the index follows the disk, and can be paused", async () => {
    const label = await workbench.status.getAttribute("aria-label");
    const files = Number(/(\d+) files/.exec(label)[1]);
    const shows = (text) => page.locator(`.statusbar-item[aria-label*="${text}"]`).waitFor();
    writeFileSync(join(workspace, "late.go"), "package main\n\nfunc late() {}\n");
    await shows(`index ready, ${files + 1} files`);
    await workbench.command("ploke: Pause Indexing");
    await shows("index paused");
    rmSync(join(workspace, "late.go"));
    await workbench.command("ploke: Resume Indexing");
    await shows(`index ready, ${files} files`);
    await workbench.command("Notifications: Clear All Notifications");
  });

  await check("a question is answered with citations", async () => {
    await workbench.command("ploke: Ask");
    await chat.getByLabel("chat input").waitFor();
    await workbench.ask("where is the name of a person parsed?");
    await workbench.turnEnd();
    await workbench.lastTurn.locator(".message", { hasText: "ParseName" }).waitFor();
    assert.ok(await workbench.lastTurn.locator(".tool-call.finished").count() > 0, "no tool call is shown");
    await capture("2-answer");
  });

  await check("a citation opens its place", async () => {
    await workbench.lastTurn.locator(".citation", { hasText: "name.go" }).first().click();
    await page.locator(".tab.active", { hasText: "name.go" }).waitFor();
    await page.locator(".editor-instance .view-line", { hasText: "ParseName" }).first().waitFor();
    await capture("3-citation");
  });

  await check("a code action runs and is answered in the chat", async () => {
    await workbench.openFile("greet/greet.go");
    await page.locator(".view-line", { hasText: "func Greeting" }).getByText("Greeting").first().click();
    await workbench.watchStatus();
    await workbench.codeAction("ploke: explain");
    await chat.locator(".question", { hasText: "Greeting" }).waitFor();
    await workbench.turnEnd();
    await workbench.lastTurn.locator(".message", { hasText: "Greeting" }).waitFor();
    const seen = await workbench.statusSeen();
    assert.ok(seen.some((label) => label.includes("Running:")), `the status bar never said that it runs: ${seen}`);
    await capture("4-code-action");
  });

  await check("a rename is proposed, shown as a diff, accepted and applied", async () => {
    await workbench.command("ploke: New Conversation");
    await workbench.ask("rename ParseName to ReadName");
    const card = workbench.lastTurn.locator(".proposal");
    await card.waitFor();
    await card.getByRole("button", { name: "Show diff" }).click();
    await page.locator(".multiDiffEntry, .multi-diff-editor, .multiDiffEditor").first().waitFor();
    await page.locator(".view-line", { hasText: "ReadName" }).first().waitFor();
    await capture("5-diff");
    await card.getByRole("button", { name: "Accept", exact: true }).click();
    await card.getByText("Applied", { exact: true }).waitFor();
    await workbench.openFile("greet/name.go");
    await page.locator(".view-line", { hasText: "func ReadName" }).waitFor();
    await capture("6-accepted");
    await workbench.saveAll("main.go", "name.go");
    assert.equal(onDisk("main.go"), project.files["main.go"].replaceAll("ParseName", "ReadName"));
    assert.match(onDisk("greet/name.go"), /func ReadName\(line string\)/);
  });

  await check("a rejected proposal changes nothing", async () => {
    const before = onDisk("greet/greet.go");
    await workbench.ask("rename polite to hello");
    const card = workbench.lastTurn.locator(".proposal");
    await card.getByRole("button", { name: "Show diff" }).click();
    await page.locator(".monaco-diff-editor .view-line", { hasText: "const hello" }).first().waitFor();
    await capture("7-single-diff");
    await card.getByRole("button", { name: "Reject" }).click();
    await card.getByText("Rejected").waitFor();
    await workbench.openFile("greet/greet.go");
    await page.locator(".view-line", { hasText: "const polite" }).waitFor();
    assert.equal(onDisk("greet/greet.go"), before);
  });

  await proposals.run({ check, capture, workbench, onDisk });

  await check("an answer streams, and the stop button ends it", async () => {
    await useModel("scripted/endless");
    await workbench.newConversation();
    await workbench.ask("never stop");
    await workbench.lastTurn.getByText("word3").waitFor();
    await capture("8-running");
    await chat.getByRole("button", { name: "Stop" }).click();
    await workbench.turnEnd();
    await workbench.lastTurn.getByText("Stopped").waitFor();
    await model.hangUp;
    assert.match(await workbench.lastTurn.innerText(), /word3/, "what was streamed is gone");
    await chat.getByRole("button", { name: "Send" }).waitFor();
    await capture("9-stopped");
  });

  await check("an answer that breaks off is replaced", async () => {
    await useModel("scripted/broken");
    await workbench.newConversation();
    await workbench.ask("break off");
    await workbench.lastTurn.getByText("Half an answer").waitFor();
    await workbench.lastTurn.locator(".citation", { hasText: "name.go:9" }).waitFor();
    model.breakOff();
    await workbench.lastTurn.getByText("A whole answer").waitFor();
    await workbench.turnEnd();
    await showsWholeAnswer();
    await capture("10-whole-answer");
    await workbench.newConversation();
    await workbench.openConversation("break off");
    await showsWholeAnswer();
  });

  await useModel("scripted/manual");
  await turns.run({ check, capture, workbench, model });

  await check("a killed server is restarted with its conversations, and an interrupted answer is resumed", async () => {
    await workbench.newConversation();
    await workbench.ask("cut short");
    await workbench.lastTurn.getByText("Answer to cut short").waitFor();
    const [victim] = server.processes(binary);
    process.kill(victim.pid, "SIGKILL");
    await indexedAfterRestart(victim.pid);
    await page.reload();
    await workbench.status.waitFor(); // wait for the activation of the extension, which the workbench delays
    await indexed();
    await workbench.openConversation("cut short");
    await workbench.lastTurn.locator(".ending", { hasText: "Interrupted" }).waitFor();
    await capture("22-interrupted");
    await chat.getByRole("button", { name: "Continue" }).click();
    await workbench.lastTurn.getByText("Answer to Go on where you stopped.").waitFor();
    model.goOn();
    await workbench.idle();
    await workbench.openConversation("rename ParseName");
    await chat.locator(".proposal .status", { hasText: "Applied" }).waitFor();
    await capture("11-restored");
  });
}

/** Chooses the model for this window, which does not restart the server. */
async function useModel(name) {
  const before = server.processes(binary);
  await workbench.chooseModel(name);
  assert.deepEqual(server.processes(binary), before);
}

async function showsWholeAnswer() {
  await workbench.lastTurn.getByText("A whole answer").waitFor();
  assert.doesNotMatch(await workbench.lastTurn.innerText(), /Half|open/, "the half is still there");
  assert.deepEqual(await workbench.lastTurn.locator(".citation").allInnerTexts(), ["greet.go:8"]);
}

async function indexedAfterRestart(old) {
  const deadline = Date.now() + 20_000;
  while (!server.processes(binary).some(({ pid }) => pid !== old)) {
    assert.ok(Date.now() < deadline, "the server was not started again");
    await workbench.page.waitForTimeout(100);
  }
  await indexed();
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
  await runTests(await prepare());
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
