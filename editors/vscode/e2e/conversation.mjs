// The conversation: how answers are drawn, what a reload shows, errors and what to do about them.
import assert from "node:assert/strict";

export async function run({ open, check, capture, workbench, model, useModel }) {
  const { page, chat } = workbench;
  await open({ indexed: true, chat: true });
  const turn = workbench.lastTurn;

  await check("an answer shows all of Markdown", async () => {
    await useModel("scripted/rich");
    await workbench.newConversation();
    await workbench.ask("how are names read?");
    await workbench.turnEnd();
    await showsRichAnswer();
    await capture("30-rich-answer");
  });

  async function showsRichAnswer() {
    await turn.locator("h1", { hasText: "Names and greetings" }).waitFor();
    assert.equal(await turn.locator("li > .task").count(), 2);
    assert.equal(await turn.getByRole("img", { name: "done" }).count(), 1);
    assert.equal(await turn.locator(".table th").count(), 4);
    assert.equal(await turn.locator("img").count(), 0);
    await turn.locator("figure.code", { hasText: "python" }).locator(".code-keyword", { hasText: "def" }).waitFor({ state: "attached" });
    await turn.locator("a", { hasText: "greet/name.go:16" }).first().waitFor({ state: "attached" });
    await turn.locator("a code, code a", { hasText: "greet/greet.go" }).waitFor({ state: "attached" });
    assert.equal(await turn.locator("a", { hasText: "nowhere" }).count(), 0);
    await turn.locator(".account", { hasText: "rich · 12k tokens in, 678 out · $0.0213" }).waitFor({ state: "attached" });
    assert.deepEqual(await turn.locator(".citation").allInnerTexts(), ["name.go:16"]);
  }

  await check("steps fold into a line that opens, down to the arguments and the result of a call", async () => {
    const fold = turn.locator(".fold > summary");
    assert.match(await fold.innerText(), /^3 steps · 1 failed/);
    await fold.click();
    await turn.locator(".thought > summary", { hasText: "Thought" }).click();
    await turn.locator(".thought strong", { hasText: "both" }).waitFor();
    await turn.locator(".tool-call.failed > summary").click();
    await turn.locator(".texts", { hasText: "greet/missing.go" }).first().waitFor();
    await turn.locator(".tool-call.finished > summary").click();
    await turn.locator(".tool-call.finished .texts", { hasText: "func ParseName" }).waitFor();
    await capture("31-steps");
  });
}
