// A conversation that the server is slow to tell: the one that a window had, and one that is opened twice. The server's
// answers are held back, as on a slow connection.
import assert from "node:assert/strict";
import { eventually } from "./eventually.mjs";
import { heldServer } from "./heldServer.mjs";

const history = "ploke/chat/history";

export async function run({ open, check, workbench, model, useModel, binary, temporary }) {
  const { chat } = workbench;
  const server = heldServer(temporary, binary);
  const questions = () => chat.locator("#log > .question .text").allInnerTexts();
  const shows = (...texts) => eventually(async () => assert.deepEqual(await questions(), texts));
  const histories = () => server.asked(history).length;
  /** Does what makes the extension read a conversation, whose answer is held back. */
  const reading = async (work) => {
    const before = histories();
    await work();
    await eventually(async () => assert.ok(histories() > before, "the conversation is not read"));
  };
  const reload = () => reading(async () => {
    server.hold(history);
    await workbench.reloadWindow();
    await workbench.showChat();
  });
  await open({ serverPath: server.path, indexed: true, chat: true });
  await useModel("scripted/said");
  model.said = "So it is.";
  await workbench.ask("the last question");
  await workbench.turnEnd();

  await check("a window has its conversation again, however late the server tells it", async () => {
    await reload();
    await shows();
    server.release();
    await shows("the last question");
  });

  await check("what is asked before the window has its conversation stays, and the conversation is in the list", async () => {
    await reload();
    await workbench.ask("a new question");
    await workbench.turnEnd();
    server.release();
    await workbench.ask("and another"); // behind the answer that was held
    await workbench.turnEnd();
    await shows("a new question", "and another");
    await workbench.openConversation("the last question");
    await shows("the last question");
  });

  await check("a conversation that is opened twice shows the turn that began between", async () => {
    await useModel("scripted/manual");
    await reload();
    const before = histories();
    await workbench.command("ploke: Open Conversation");
    await workbench.page.locator(".quick-input-list .monaco-list-row", { hasText: "the last question" }).first().click();
    await eventually(async () => assert.ok(histories() > before));
    server.releaseOne();
    await shows("the last question");
    await workbench.ask("one more");
    await workbench.lastTurn.getByText("Answer to one more").waitFor();
    server.release();
    await workbench.heard();
    await shows("the last question", "one more");
    model.goOn();
    await workbench.idle();
    await shows("the last question", "one more");
  });
}
