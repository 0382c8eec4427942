// The measurements, in a workbench whose sidebar shows the chat. Each returns figures by
// the names of the table in table.mjs.
import { loadTimes, ourTasks, workPerSecond } from "./frames.mjs";
import { record } from "./trace.mjs";

const STREAM = { length: 12_000, perSecond: 1_200 }; // 3,000 tokens of four characters, faster than most models
const LONG = { length: 100_000, perSecond: 5_000 };

/** Loads the window: from the activation of the extension to the chat's input and its first paint. */
export async function load({ workbench, server }) {
  const events = await record(workbench.page, async () => {
    await workbench.page.reload();
    await workbench.chat.getByLabel("chat input").waitFor();
    await workbench.indexed();
  });
  const { ready, painted } = loadTimes(events);
  const activated = activation(server);
  const work = ourTasks(events).filter(({ ts }) => ts < painted).reduce((sum, task) => sum + task.work, 0);
  return { "input ready": wallClock(ready) - activated, "first paint": wallClock(painted) - activated, "first paint, ours": work };
}

/** Streams 3,000 tokens into the shown conversation. */
export async function stream({ workbench, model }, chat) {
  const tasks = await answer(workbench, model, STREAM);
  const drawing = tasks.filter(({ draws }) => draws).map(({ work }) => work).sort((a, b) => a - b);
  return {
    [`stream into ${chat}, p95`]: drawing[Math.floor(drawing.length * 0.95)],
    [`stream into ${chat}, worst`]: worst(tasks),
  };
}

/** Streams an answer of 100,000 characters into the shown conversation. */
export async function longAnswer({ workbench, model }) {
  const tasks = await answer(workbench, model, LONG);
  const work = workPerSecond(tasks, 5);
  const figures = { "long answer, worst": worst(tasks) };
  work.forEach((value, i) => (figures[`long answer, fifth ${i + 1}`] = value));
  // While the first fifth is drawn, the view is not full yet, and costs less to paint.
  figures["long answer, growth"] = work[4] / work[1];
  return figures;
}

/** Opens the conversation of 1,000 messages: what it costs to draw, and to keep. */
export async function openLong({ workbench }) {
  const before = await heap(workbench.page);
  const events = await record(workbench.page, () => openConversation(workbench, "1000 messages", 499));
  return { "open 1,000, worst": worst(ourTasks(events)), "memory of 1,000": (await heap(workbench.page)) - before };
}

/** Opens a conversation by its title, and waits until the question with the number is shown. */
export async function openConversation(workbench, title, last) {
  await workbench.command("ploke: Open Conversation");
  await workbench.page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first().click();
  await workbench.chat.locator(".question", { hasText: `Question ${last} ` }).waitFor();
}

async function answer(workbench, model, pace) {
  model.answer = pace;
  const events = await record(workbench.page, async () => {
    await workbench.ask("Write a long answer");
    await workbench.page.waitForTimeout((pace.length / pace.perSecond) * 1000);
    await workbench.idle();
  });
  return ourTasks(events);
}

function worst(tasks) {
  return Math.max(0, ...tasks.map(({ work }) => work));
}

/** The time at which the newest extension host has activated the extension, in milliseconds since 1970. */
function activation(server) {
  const line = /^(.+?) \[info\] ExtensionService#_doActivateExtension ploke\.ploke,/m.exec(server.newestLog("remoteexthost.log"));
  return new Date(line[1]).getTime();
}

/** Turns a time of the trace, microseconds of the monotonic clock, into milliseconds since 1970. */
function wallClock(ts) {
  return Date.now() - Number(process.hrtime.bigint() / 1000n - BigInt(ts)) / 1000;
}

/** The size of the page's heaps, of JavaScript and of the DOM, without garbage, in MB. The webview shares them. */
async function heap(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize, embedderHeapUsedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return (usedSize + embedderHeapUsedSize) / 1e6;
}
