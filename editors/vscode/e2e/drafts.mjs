// What is written and not yet sent: selections, dropped and pasted files, what was sent
// before, queued messages, and what survives hiding and reloading.
import assert from "node:assert/strict";
import { join } from "node:path";

export const shared = true;

export async function run({ open, check, capture, workbench, workspace, model, useModel }) {
  const { page, chat } = workbench;
  const { input } = workbench;
  const chip = (label) => workbench.chip(label);
  const problem = (text) => chat.locator("#problems", { hasText: text });
  const turn = (n) => chat.locator("#log > .turn").nth(n);
  /** Drops or pastes, as VS Code, another program or the clipboard does. */
  const give = (event, { uris, text, type, name, content }) =>
    input.evaluate((field, given) => {
      const data = new DataTransfer();
      if (given.uris) data.setData("text/uri-list", given.uris.join("\r\n"));
      if (given.text) data.setData("text/plain", given.text);
      if (given.name) data.items.add(new File([given.content], given.name, { type: given.type }));
      if (given.event === "drop") field.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
      else field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    }, { event, uris, text, type, name, content });
  await open({ indexed: true, chat: true });
  await useModel("scripted/said");
  model.said = "Noted.";

  await check("the selection goes along with the next message, unless it is dropped", async () => {
    await workbench.openFile("greet/greet.go");
    await workbench.pick("Control+g", ":8", { hasText: "line 8" });
    await page.locator(".monaco-editor.focused").waitFor();
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Shift+ArrowDown");
    await chip("greet.go:8-9").waitFor();
    await capture("46-selection");
    await chip("greet.go:8-9").getByRole("button").click();
    await chip("greet.go:8-9").waitFor({ state: "detached" });
    await workbench.ask("without it");
    await workbench.turnEnd();
    assert.ok(!model.question.includes("func Greeting(n Name)"), model.question);
    await page.locator(".monaco-editor .view-line").first().click();
    await page.keyboard.press("Shift+ArrowDown");
    await chip("greet.go:1").waitFor();
    await workbench.ask("with it");
    await workbench.turnEnd();
    assert.ok(model.question.includes("// Package greet says hello"), model.question);
    await chat.locator(".question .attached", { hasText: "greet.go:1" }).waitFor();
    assert.equal(await chat.locator("#chips .chip").count(), 0, "it goes along only once");
  });

  await check("files are dropped and pasted, images are refused, and text is quoted", async () => {
    await give("drop", { uris: [`file://${join(workspace, "main.go")}`, `vscode-remote://localhost:8080${join(workspace, "greet")}`] });
    await chip("main.go").waitFor();
    await chip("greet/").waitFor();
    await give("paste", { uris: [`file://${join(workspace, "go.mod")}`] });
    await chip("go.mod").waitFor();
    await give("paste", { name: "shot.png", type: "image/png", content: "\u0089PNG" });
    await problem("shot.png is an image, and only text is sent to a model").waitFor();
    await give("drop", { name: "notes.txt", type: "text/plain", content: "first\n```\nsecond" });
    await workbench.inputSays("notes.txt:\n````\nfirst\n```\nsecond\n````\n");
    await give("drop", { uris: ["file:///etc/hostname"] });
    await problem("outside").waitFor();
    await chip("hostname").waitFor({ state: "detached" });
    await capture("47-dropped");
    await workbench.clear();
  });

  await check("Up in the empty input walks through what was sent, and Down back", async () => {
    await workbench.newConversation();
    await workbench.ask("the newest");
    await workbench.turnEnd();
    await input.press("ArrowUp");
    await workbench.inputSays("the newest");
    await input.press("ArrowUp");
    await workbench.inputSays("with it");
    await input.press("ArrowUp");
    await workbench.inputSays("without it");
    await input.press("ArrowDown");
    await workbench.inputSays("with it");
    await input.press("ArrowDown");
    await input.press("ArrowDown");
    await workbench.inputSays("");
  });

  await check("a queued message is taken back with Up, and with Escape on it", async () => {
    await useModel("scripted/manual");
    await workbench.newConversation();
    await workbench.ask("run on");
    await turn(0).getByText("Answer to run on").waitFor();
    for (const [n, text] of [[1, "and then"], [2, "and last"]]) {
      await input.fill(text);
      await input.press("Enter");
      await chat.locator("#queue li").nth(n - 1).getByText(text).waitFor();
    }
    await capture("48-queued");
    await input.press("ArrowUp");
    await workbench.inputSays("and last");
    await chat.locator("#queue li", { hasText: "and last" }).waitFor({ state: "detached" });
    await input.fill("");
    await chat.locator("#queue li").getByRole("button", { name: "Withdraw" }).focus();
    await page.keyboard.press("Escape");
    await workbench.inputSays("and then");
    await chat.locator("#queue").waitFor({ state: "hidden" });
    assert.equal(await turn(0).getAttribute("aria-busy"), "true", "the answer was stopped, too");
    await input.fill("");
  });

  await check("Escape closes the completion first, and then stops the answer from anywhere in the chat", async () => {
    await input.pressSequentially("@ma");
    await chat.getByRole("option", { name: "main.go" }).waitFor();
    await input.press("Escape");
    await chat.getByRole("option", { name: "main.go" }).waitFor({ state: "hidden" });
    assert.equal(await turn(0).getAttribute("aria-busy"), "true");
    await turn(0).getByText("Answer to run on").click();
    await page.keyboard.press("Escape");
    await turn(0).getByText("Stopped").waitFor();
    await input.fill("");
    await workbench.ask("once more");
    await workbench.lastTurn.getByText("Answer to once more").waitFor();
    await input.press("Escape");
    await workbench.lastTurn.getByText("Stopped").waitFor();
  });

  await check("the draft and its chips survive hiding and reloading", async () => {
    await input.fill("half a thought");
    await give("drop", { uris: [`file://${join(workspace, "main.go")}`] });
    await chip("main.go").waitFor();
    await page.keyboard.press("Control+Shift+E");
    await page.locator(".explorer-folders-view").waitFor();
    await workbench.showChat();
    await chip("main.go").waitFor();
    await workbench.inputSays("half a thought");
    await workbench.reloadWindow();
    await workbench.showChat();
    await chip("main.go").waitFor();
    await workbench.inputSays("half a thought");
    await page.locator('[id="status.editor.selection"]', { hasText: "selected" }).waitFor();
    assert.deepEqual(await chat.locator("#chips .chip .label").allInnerTexts(), ["main.go"], "the selection that went along is back");
    await page.locator(".monaco-editor .view-line").last().click();
    await page.locator(".monaco-editor.focused").waitFor(); // a window that was just loaded takes the click late
    await page.keyboard.press("Shift+ArrowUp");
    await chat.locator("#chips .chip.selection").waitFor();
    await workbench.clear();
  });

  const notAnswered = /Stopped|Interrupted/; // the second one if VS Code ends the server before it has stopped its turns
  await check("messages that were queued when the window is reloaded are shown as not answered, and recalled", async () => {
    await workbench.newConversation();
    await workbench.ask("before the reload");
    await turn(0).getByText("Answer to before the reload").waitFor();
    for (const [n, text] of [[1, "queued first"], [2, "queued last"]]) {
      await input.fill(text);
      await input.press("Enter");
      await chat.locator("#queue li").nth(n - 1).getByText(text).waitFor();
    }
    await workbench.reloadWindow();
    await workbench.showChat();
    for (const n of [0, 1, 2]) await turn(n).getByText(notAnswered).first().waitFor();
    assert.deepEqual(await chat.locator("#log > .question .text").allInnerTexts(), ["before the reload", "queued first", "queued last"]);
    await capture("48-queue-reloaded");
    await input.press("ArrowUp");
    await workbench.inputSays("queued last");
    await input.press("ArrowUp");
    await workbench.inputSays("queued first");
    await input.fill("");
  });

  await check("the model is chosen from the composer", async () => {
    await chat.getByRole("button", { name: "scripted/manual" }).click();
    await page.locator('.quick-input-widget input[placeholder*="PROVIDER/MODEL"]').waitFor();
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "scripted/manual" }).getByText("its provider does not list it").waitFor();
    await page.keyboard.press("Escape");
  });

  await check("a text of a megabyte is refused, a large one can be edited, and 500 chips can be dropped", async () => {
    const line = "a line of pasted words\n";
    await give("paste", { text: line.repeat(46_000) });
    await problem("The pasted text is too large with 1033 KB: at most 128 KB fit").waitFor();
    assert.equal(await input.inputValue(), "");
    await give("paste", { text: line.repeat(5000) });
    await input.pressSequentially("end");
    assert.equal(await input.evaluate((field) => field.value.length), line.length * 5000 + 3);
    await input.fill("");
    const uris = Array.from({ length: 500 }, (_, n) => `file://${join(workspace, `none-${n}.go`)}`);
    await give("drop", { uris });
    await problem("there is no such file any more").waitFor();
    await chat.locator("#chips").waitFor({ state: "hidden" });
    await capture("49-many");
  });
}
