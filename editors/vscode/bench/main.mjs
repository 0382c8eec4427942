// Measures the chat in a real workbench: node main.mjs TESTBED VSIX PLOKE_BINARY [RUNS]
//
// Prints a table of processor time (milliseconds of the webview's main thread) and memory;
// only the times after activation are those of a clock on the wall.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CodeServer, privateEnvironment, quiet } from "../e2e/codeserver.mjs";
import * as project from "../e2e/project.mjs";
import { Workbench } from "../e2e/workbench.mjs";
import { writeConversations } from "./conversations.mjs";
import { load, longAnswer, openConversation, openLong, stream } from "./measure.mjs";
import { Model } from "./model.mjs";
import { print } from "./table.mjs";

const [testbed, vsix, binary, runs = "3"] = process.argv.slice(2);
const temporary = mkdtempSync(join(tmpdir(), "ploke-bench-"));
const server = new CodeServer(testbed, temporary);
const model = new Model();

async function start() {
  const folder = join(temporary, "workspace");
  mkdirSync(folder);
  project.write(folder);
  const provider = { type: "openai", baseUrl: await model.start() };
  server.writeSettings("User", { ...quiet, "ploke.model": "scripted/writer", "ploke.providers": { scripted: provider } });
  server.writeSettings("Machine", { "ploke.serverPath": binary });
  server.install(vsix);
  const titles = { "1000 messages": 1000, ...Object.fromEntries(numbers().map((run) => [title(run), 200])) };
  await writeConversations({ binary, env: server.env, folder, provider, titles });
  const workbench = await Workbench.start(testbed, join(temporary, "chromium"), privateEnvironment(temporary), await server.start());
  workbench.page.setDefaultTimeout(300_000); // a slow machine takes longer, and costs no more
  await workbench.open(folder);
  await workbench.indexed();
  await workbench.showChat();
  return workbench;
}

const numbers = () => Array.from({ length: Number(runs) }, (_, i) => i + 1);

const title = (run) => `200 messages for run ${run}`;

async function measure(bench, run) {
  const figures = await load(bench);
  await bench.workbench.newConversation();
  Object.assign(figures, await stream(bench, "an empty chat"));
  await bench.workbench.newConversation();
  Object.assign(figures, await openLong(bench));
  await openConversation(bench.workbench, title(run), 99);
  Object.assign(figures, await stream(bench, "200 messages"));
  await bench.workbench.newConversation();
  Object.assign(figures, await longAnswer(bench));
  return figures;
}

let workbench;
try {
  workbench = await start();
  const measured = [];
  for (const run of numbers()) measured.push(await measure({ workbench, server, model }, run));
  print(measured);
} finally {
  await workbench?.close();
  server.stop();
  model.stop();
  rmSync(temporary, { recursive: true, force: true });
}
