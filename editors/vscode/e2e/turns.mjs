// Turns: queued and steering messages, permission requests, and stored
// conversations. The test tells the model when to finish an answer.
import assert from "node:assert/strict";
import { eventually } from "./eventually.mjs";

export const shared = true;

export async function run({ open, check, capture, workbench, model, useModel }) {
  const { page, chat } = workbench;
  await open({ indexed: true, chat: true });
  await useModel("scripted/manual");
  const waiting = (text) => chat.locator("#queue li", { hasText: text });
  const turn = (n) => chat.locator("#log > .turn").nth(n);
  const stored = "Joins the answer at its next step"; // the server says that it has the message

  /** Looks for a conversation in the list, with its state. */
  const listed = async (title, icon, words) => {
    await workbench.command("ploke: Open Conversation");
    const row = page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first();
    await row.filter({ has: page.locator(`.codicon-${icon}`) }).filter({ hasText: words }).waitFor();
    await page.keyboard.press("Escape");
  };

  const inView = (node) => node.evaluate((turn) => {
    const { top, bottom } = document.getElementById("log").getBoundingClientRect();
    const shown = turn.querySelector(".message").getBoundingClientRect();
    return shown.bottom > top && shown.top < bottom;
  });

  await check("a message is queued while an answer is written", async () => {
    await workbench.newConversation();
    await workbench.ask("first question");
    await turn(0).getByText("Answer to first question").waitFor();
    await workbench.type("second question");
    await chat.getByRole("button", { name: "Queue" }).click();
    await workbench.type("third question");
    await chat.getByLabel("chat input").press("Enter");
    await waiting("third question").waitFor();
    assert.deepEqual(await chat.locator("#queue .label").allInnerTexts(), ["second question", "third question"]);
    assert.equal(await chat.locator("#log > .turn").count(), 1, "what waits is in the log, too");
    await eventually(async () => assert.ok(await inView(turn(0)), "the answer that is written is out of view"));
    await capture("12-queued");
    await waiting("third question").getByRole("button", { name: "Withdraw" }).click();
    await waiting("third question").waitFor({ state: "detached" });
    assert.equal(await chat.getByLabel("chat input").inputValue(), "");
    model.goOn();
    await turn(1).getByText("Answer to second question").waitFor();
    assert.equal(await turn(0).getAttribute("aria-busy"), null);
    model.goOn();
    await workbench.idle();
    assert.deepEqual(model.asked.slice(-2), ["first question", "second question"]);
  });

  await check("keys go to the chat with what is selected; in a narrow view, no button is cut", async () => {
    const press = async (...keys) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const drag = async (from, to) => {
      await page.mouse.move(from, 400);
      await page.mouse.down();
      await page.mouse.move(to, 400, { steps: 5 });
      await page.mouse.up();
    };
    await workbench.openFile("main.go");
    await page.locator(".editor-instance .view-line", { hasText: "package main" }).click();
    await press("Home", "Shift+End", "Control+k", "l");
    await workbench.chip("main.go").first().waitFor();
    await workbench.inputFocused();
    await press("Control+k", "Shift+I");
    await chat.getByText("Ask about the code").waitFor();
    await workbench.inputFocused();
    await page.locator(".editor-instance .view-line", { hasText: "package main" }).click();
    await press("Control+k", "i");
    await chat.locator('[aria-label="chat input"]:focus').waitFor();
    await workbench.ask("narrow question");
    await turn(0).getByText("Answer to narrow question").waitFor();
    const side = await page.locator(".part.sidebar").boundingBox();
    await drag(side.x + side.width, side.x + 200);
    await workbench.type("more");
    await eventually(async () => assert.ok(await chat.locator("body").evaluate(() => innerWidth) < side.width - 50, "the view is not narrow"));
    await workbench.still(chat.locator("#log"));
    const cut = await chat.locator("#bar").evaluate((bar) => [...bar.querySelectorAll("button:not([hidden])")]
      .filter((button) => button.getBoundingClientRect().right > bar.getBoundingClientRect().right + 1).map(({ textContent }) => textContent));
    await capture("12-narrow");
    const narrow = await page.locator(".part.sidebar").boundingBox();
    await drag(narrow.x + narrow.width, side.x + side.width);
    assert.deepEqual(cut, []);
    await workbench.type("");
    model.goOn();
    await workbench.idle();
  });

  await check("a message steers the answer that is being written", async () => {
    await workbench.newConversation();
    await workbench.ask("paint it");
    await turn(0).getByText("Answer to paint it").waitFor();
    await workbench.type("but blue");
    await chat.getByLabel("chat input").press("Control+Enter");
    await chat.locator(".question.joining", { hasText: "but blue" }).getByText(stored).waitFor();
    await capture("13-steering");
    model.goOn();
    await turn(0).getByText("Answer to but blue").waitFor();
    assert.equal(await chat.locator(".question.joining").count(), 0);
    assert.equal(await chat.locator("#log > .turn").count(), 1);
    model.goOn();
    await workbench.idle();
    assert.match(await turn(0).locator(".body").innerText(), /^Answer to paint it\s+but blue\s+Answer to but blue$/);
    await capture("14-steered");
  });

  await check("a message steers also when others wait, and one that waits is sent now", async () => {
    const steer = async (text, work) => {
      await work();
      await chat.locator(".question.joining", { hasText: text }).getByText(stored).waitFor();
      model.goOn();
      await turn(0).getByText(`Answer to ${text}`).waitFor();
    };
    await workbench.newConversation();
    await workbench.ask("build it");
    await turn(0).getByText("Answer to build it").waitFor();
    for (const text of ["of wood", "then paint it"]) {
      await workbench.type(text);
      await chat.getByLabel("chat input").press("Enter");
      await waiting(text).waitFor();
    }
    await steer("but larger", async () => {
      await workbench.type("but larger");
      await chat.getByLabel("chat input").press("Control+Enter");
    });
    await steer("of wood", () => waiting("of wood").getByRole("button", { name: "Join the running answer now" }).click());
    assert.deepEqual(await chat.locator("#queue .label").allInnerTexts(), ["then paint it"]);
    model.goOn();
    await turn(1).getByText("Answer to then paint it").waitFor();
    model.goOn();
    await workbench.idle();
    await workbench.newConversation();
    await workbench.openConversation("build it");
    await chat.locator("#log:not(.replaying)").waitFor();
    assert.deepEqual((await chat.locator("#log > .question .text").allInnerTexts()).at(-1), "then paint it");
  });

  await check("two messages with the same words steer one after the other", async () => {
    await workbench.newConversation();
    await workbench.ask("count");
    await turn(0).getByText("Answer to count").waitFor();
    const notes = chat.locator(".question.joining", { hasText: "more" });
    for (const n of [0, 1]) {
      await workbench.type("more");
      await chat.getByLabel("chat input").press("Control+Enter");
      await notes.nth(n).getByText(stored).waitFor();
    }
    for (const left of [1, 0]) {
      model.goOn();
      await turn(0).getByText("Answer to more").nth(1 - left).waitFor();
      await eventually(async () => assert.equal(await notes.count(), left));
    }
    model.goOn();
    await workbench.idle();
    assert.equal(await chat.locator("#log > .turn").count(), 1);
  });

  await check("a steered answer that breaks off is removed back to the steering message", async () => {
    await workbench.newConversation();
    await workbench.ask("draw it");
    await turn(0).getByText("Answer to draw it").waitFor();
    await workbench.type("but small");
    await chat.getByLabel("chat input").press("Control+Enter");
    await chat.locator(".question.joining", { hasText: "but small" }).getByText(stored).waitFor();
    model.goOn();
    await turn(0).getByText("Answer to but small").waitFor();
    model.cut();
    await turn(0).getByText("trying again").waitFor();
    await turn(0).getByText("Answer to but small").waitFor();
    model.goOn();
    await workbench.idle();
    assert.match(await turn(0).locator(".body").innerText(), /^Answer to draw it\s+but small\s+trying again:[^\n]*\s+Answer to but small$/);
  });

  await check("the list of conversations says which one runs", async () => {
    await workbench.newConversation();
    await workbench.ask("go slowly");
    await turn(0).getByText("Answer to go slowly").waitFor();
    await listed("go slowly", "sync", "running");
    model.goOn();
    await workbench.idle();
  });

  await check("stopping ends the running turn, and what is queued is answered next", async () => {
    await workbench.newConversation();
    await workbench.ask("run on");
    await turn(0).getByText("Answer to run on").waitFor();
    await workbench.type("and then");
    await chat.getByLabel("chat input").press("Enter");
    await waiting("and then").waitFor();
    await chat.getByRole("button", { name: "Stop" }).click();
    await turn(0).getByText("Stopped").waitFor();
    await turn(1).getByText("Answer to and then").waitFor();
    assert.equal(await chat.locator("#queue li").count(), 0);
    model.goOn();
    await workbench.idle();
    assert.equal(await chat.getByLabel("chat input").inputValue(), "");
  });

  for (const [button, verdict] of [["Reject", "Rejected"], ["Allow", "Allowed"]]) {
    await check(`permission is requested before a check runs: ${button}`, async () => {
      await workbench.newConversation();
      await workbench.ask(`check: ${button}`);
      const card = turn(0).locator(".permission", { hasText: "run the check hello" });
      await card.getByText("echo hello").waitFor();
      await turn(0).locator(".ending", { hasText: /^Waits for your answer$/ }).waitFor();
      await listed(`check: ${button}`, "bell-dot", "waits for you");
      await capture(`17-permission-${button.toLowerCase()}`);
      await card.getByRole("button", { name: button, exact: true }).click();
      await card.getByText(verdict).waitFor();
      await turn(0).getByText("Answer to check").waitFor();
      assert.equal(await turn(0).locator(".tool-call.finished", { hasText: "ran hello" }).count(), button === "Allow" ? 1 : 0);
      model.goOn();
      await workbench.idle();
    });
  }

  await check("a permanent answer is listed and revoked", async () => {
    const card = turn(0).locator(".permission", { hasText: "run the check hello" });
    const asks = async (question, button) => {
      await workbench.newConversation();
      await workbench.ask(question);
      await card.getByRole("button", { name: button, exact: true }).click();
      await turn(0).getByText(`Answer to ${question}`).waitFor();
      model.goOn();
      await workbench.idle();
    };
    await asks("check always", "Always allow");
    await workbench.command("ploke: Manage Permissions…");
    const row = page.locator(".quick-input-list .monaco-list-row", { hasText: "run the check hello" });
    await row.filter({ hasText: "always allowed since" }).waitFor();
    await capture("23-permanent");
    await row.click();
    await row.waitFor({ state: "hidden" });
    await asks("check anew", "Reject");
  });

  await check("the model reads the diagnostics of other extensions", async () => {
    await workbench.openFile("broken.json");
    await page.locator(".squiggly-error").first().waitFor();
    await workbench.newConversation();
    await workbench.ask("diagnose it");
    await turn(0).getByText("Answer to diagnose it").waitFor();
    assert.match(model.read, /broken\.json[^]*Expected comma/);
    model.goOn();
    await workbench.idle();
  });

  await check("a conversation is found by its content, renamed, exported as Markdown and deleted", async () => {
    const row = (text) => page.locator(".quick-input-list .monaco-list-row", { hasText: text }).first();
    const press = async (text, button) => {
      await row(text).hover();
      await row(text).locator(`.action-label[aria-label="${button}"]`).click();
    };
    await workbench.command("ploke: Open Conversation");
    await page.locator(".quick-input-widget input.input").first().fill("answer but blue"); // one search
    await row("paint it").waitFor();
    await capture("15-found");
    await press("paint it", "Rename…");
    await page.locator(".quick-input-list").waitFor({ state: "hidden" }); // the input box for the name has no list
    await page.locator(".quick-input-widget input.input").first().fill("Colours");
    await page.keyboard.press("Enter");
    await workbench.command("ploke: Open Conversation");
    await press("Colours", "Open as Markdown");
    await page.locator(".view-line", { hasText: "Answer to but blue" }).waitFor();
    await capture("16-markdown");
    await workbench.command("ploke: Open Conversation");
    await press("Colours", "Delete…");
    await page.locator(".monaco-dialog-box").getByRole("button", { name: "Delete" }).click();
    await page.locator(".monaco-dialog-box").waitFor({ state: "detached" });
    const listed = async () => {
      await workbench.command("ploke: Open Conversation");
      await row("first question").waitFor();
      const count = await row("Colours").count();
      await page.keyboard.press("Escape");
      return count > 0;
    };
    for (let tries = 1; await listed(); tries++) { // the server may still be deleting it
      assert.ok(tries < 10, "the conversation is still listed");
    }
  });
}
