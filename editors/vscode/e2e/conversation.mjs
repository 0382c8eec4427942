// The conversation: how answers are drawn, what a reload shows, errors and what to do about them.
import assert from "node:assert/strict";
import { eventually } from "./eventually.mjs";

export const shared = true;

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
    await turn.locator(".texts", { hasText: '"first"' }).waitFor();
    await turn.locator(".tool-call.finished > summary").click();
    await turn.locator(".tool-call.finished .texts", { hasText: "func ParseName" }).waitFor();
    await capture("31-steps");
    await workbench.command("Preferences: Toggle between Light/Dark Themes");
    await chat.locator("body.vscode-dark").waitFor();
    await capture("31-steps-dark");
    await fold.click();
    await capture("30-rich-answer-dark");
    await workbench.command("Preferences: Toggle between Light/Dark Themes");
    await chat.locator("body.vscode-light").waitFor();
  });

  await check("citations, thoughts, steps and usage survive a reload", async () => {
    const before = await shownText();
    await reload("how are names read?");
    await showsRichAnswer();
    await eventually(async () => assert.equal(await shownText(), before)); // results are drawn when they are in sight
    await capture("32-reloaded");
  });

  await check("code is copied, inserted at the cursor, and opened at its place", async () => {
    const code = (text) => turn.locator("figure.code:not(details *)", { hasText: text }); // not what a step has shown
    const press = async (text, name) => {
      await code(text).hover();
      await code(text).getByRole("button", { name }).click();
    };
    await press("func ParseName", "Open in the editor");
    await page.locator(".tab.active", { hasText: "name.go" }).waitFor();
    assert.equal(await code("def parse").getByRole("button", { name: "Open in the editor" }).count(), 0, "code without a place can be opened");
    await workbench.openFile("main.go");
    await page.locator(".editor-instance .view-line", { hasText: "package main" }).click();
    await press("def parse", "Insert at the cursor");
    await page.locator(".editor-instance .view-line", { hasText: "def parse" }).waitFor();
    await workbench.command("File: Revert File");
    await press("def parse", "Copy");
    await code("def parse").getByRole("button", { name: "Copied" }).waitFor();
    await turn.locator("a", { hasText: "greet/greet.go" }).click();
    await page.locator(".tab.active", { hasText: "greet.go" }).waitFor();
  });

  await check("an answer that is written again keeps what it said before its steps in place", async () => {
    await useModel("scripted/teller");
    await workbench.newConversation();
    await model.asking(() => workbench.ask("look first"));
    await saying(() => model.say("I look at the names."), "I look");
    await model.asking(() => model.call({ name: "read_file", arguments: '{"file":"greet/name.go"}' }));
    await turn.locator(".tool-call.finished").waitFor();
    await saying(() => model.say("They are read from a li"), "from a li");
    await model.asking(() => model.cut());
    await saying(() => model.say("They are read from a line."), "from a line.");
    model.goOn();
    await workbench.idle();
    const live = await pieces();
    assert.deepEqual(live.filter((piece) => !piece.startsWith("notice")), ["message: I look at the names.", "steps", "message: They are read from a line."]);
    await reload("look first");
    await workbench.turnEnd();
    assert.deepEqual(await pieces(), live);
  });

  await check("a selection in a streaming answer is kept", async () => {
    await workbench.newConversation();
    await model.asking(() => workbench.ask("tell me something"));
    model.think("Where do I begin?");
    await turn.locator(".thought > summary", { hasText: "Thinking…" }).waitFor();
    await saying(() => model.say("A paragraph that has ended.\n\nAnd one that"), "And one that");
    await turn.locator(".thought > summary", { hasText: /^Thought/ }).waitFor();
    await turn.locator(".message p").first().selectText();
    await saying(() => model.say(" goes on.\n\n```go\nfunc main() {}\n```\n\nThe end"), "The end");
    assert.equal(await chat.locator("body").evaluate(() => document.getSelection().toString()), "A paragraph that has ended.");
  });

  await check("an answer is followed at its end, and not where the user has scrolled up", async () => {
    const say = (what, count) => saying(() => model.say("\n\n" + Array.from({ length: count }, (_, i) => `${what} ${i}.`).join("\n\n")), `${what} ${count - 1}.`);
    const jump = chat.getByRole("button", { name: "Jump to the end" });
    const belowTop = async (text) => await topOf(turn.getByText(text, { exact: true })) - await topOf(chat.locator("#log"));
    await say("Paragraph", 80);
    await eventually(async () => assert.ok(await belowTop("Paragraph 79.") < await chat.locator("#log").evaluate((log) => log.clientHeight), "the end is not followed"));
    await chat.locator("#asked", { hasText: "tell me something" }).waitFor();
    await capture("33-asked");
    await chat.locator("#log").hover();
    await page.mouse.wheel(0, -400);
    await jump.waitFor();
    await workbench.still(chat.locator("#log"));
    const before = await belowTop("Paragraph 60.");
    await say("More", 20);
    await workbench.still(chat.locator("#log"));
    assert.ok(Math.abs(await belowTop("Paragraph 60.") - before) < 4, "what is read has moved");
    const covered = await chat.locator("#log").evaluate((log) => log.getBoundingClientRect().bottom > document.getElementById("jump").getBoundingClientRect().top + 1);
    assert.equal(covered, false, "the button covers the log");
    await jump.click();
    await say("Still more", 20);
    await jump.waitFor({ state: "hidden" });
    model.goOn();
    await workbench.idle();
    await capture("33-followed");
  });

  await useModel("scripted/failing");
  const failures = [
    [401, "check the API key", ["Retry", "Enter another key…", "Choose model…"]],
    [429, "too many requests", ["Retry", "Choose model…"]],
    [500, "overloaded or down", ["Retry", "Choose model…"]],
  ];
  for (const [status, said, actions] of failures) {
    await check(`an error is said once, with what to do: ${status}`, async () => {
      await workbench.newConversation();
      await workbench.ask(`fail with ${status}`);
      await failed(said, actions);
      await capture(`34-failed-${status}`);
      await workbench.command("ploke: Open Conversation");
      const row = page.locator(".quick-input-list .monaco-list-row", { hasText: `fail with ${status}` }).first();
      await row.filter({ has: page.locator(".codicon-error") }).filter({ hasText: "failed" }).waitFor();
      await page.keyboard.press("Escape");
    });
  }

  await check("errors are said once in what is shown again, too", async () => {
    await reload("fail with 500");
    for (const [status, said, actions] of failures) {
      await workbench.openConversation(`fail with ${status}`);
      await failed(said, actions);
    }
  });

  await check("a failed question is asked again in its place", async () => {
    model.works = true;
    await turn.getByRole("button", { name: "Retry" }).click();
    await turn.getByText("It works now.").waitFor();
    await workbench.idle();
    assert.equal(await chat.locator("#log > .question").count(), 1);
    await workbench.newConversation();
    await workbench.openConversation("fail with 500");
    await turn.getByText("It works now.").waitFor();
    assert.equal(await chat.locator("#log > .question").count(), 1);
    model.works = false;
  });

  async function failed(said, actions) {
    const card = turn.locator(".failure");
    await card.getByText(said).waitFor();
    assert.equal((await turn.innerText()).split(said).length, 2, "the error is not said once");
    assert.deepEqual(await card.getByRole("button").allInnerTexts(), actions);
  }

  /** Lets the model say something, and waits until its end is drawn. */
  async function saying(say, end) {
    say();
    await turn.getByText(end).last().waitFor();
  }

  /** What the last turn shows, in order. */
  function pieces() {
    return turn.locator(".body > *").evaluateAll((all) => all.map((node) => (node.className === "steps" ? "steps" : `${node.className}: ${node.textContent}`)));
  }

  async function topOf(locator) {
    return (await locator.boundingBox()).y;
  }

  /** Reloads the window, which shows the conversation again. */
  async function reload(question) {
    await workbench.reloadWindow();
    await workbench.indexed();
    await chat.locator(".question", { hasText: question }).waitFor();
  }

  /** The text of the turn, without the times. */
  async function shownText() {
    await turn.locator("details").evaluateAll((all) => all.forEach((details) => (details.open = true)));
    const text = await turn.locator(".body").evaluate((body) => [...body.querySelectorAll("summary, .message, .thought .text")].map((node) => node.textContent).join("\n"));
    return text.replace(/ (for|·) \d+(\.\d+)? m?s/g, "");
  }
}
