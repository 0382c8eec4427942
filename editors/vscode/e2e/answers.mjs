// Answers: citations, code actions, streaming, and an answer that breaks off.
import assert from "node:assert/strict";

export const shared = true;

export async function run({ open, check, capture, workbench, model, useModel }) {
  const { page, chat } = workbench;
  await open({ indexed: true });

  await check("a question is answered with citations", async () => {
    await workbench.showChat();
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
    assert.ok(seen.some((label) => label.includes("running: Explain Greeting")), `the status bar never said that it runs: ${seen}`);
    await capture("4-code-action");
  });

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

  async function showsWholeAnswer() {
    await workbench.lastTurn.getByText("A whole answer").waitFor();
    assert.doesNotMatch(await workbench.lastTurn.innerText(), /Half|open/, "the half is still there");
    assert.deepEqual(await workbench.lastTurn.locator(".citation").allInnerTexts(), ["greet.go:8"]);
  }
}
