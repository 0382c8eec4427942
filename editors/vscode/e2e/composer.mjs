// The composer: its size, completion, chips, drafts, history and keys.
import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const shared = true;

export async function run({ open, check, capture, workbench, workspace, server, model, useModel }) {
  const { page, chat } = workbench;
  const { input } = workbench;
  const chip = (label) => workbench.chip(label);
  const chips = chat.locator("#chips .chip");
  const option = (label) => chat.getByRole("option", { name: label });
  const problem = (text) => chat.locator("#problems", { hasText: text });
  writeFileSync(join(workspace, "logo.png"), Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"));
  writeFileSync(join(workspace, "gone.go"), "package main\n\nfunc gone() {}\n");
  const commands = join(server.env.XDG_CONFIG_HOME, "ploke-lsp/commands");
  mkdirSync(commands, { recursive: true });
  writeFileSync(join(commands, "review.md"), "---\ndescription: Reviews a file\nargument-hint: FILE\n---\nReview $1 as a pedant.\n");
  await open({ indexed: true, chat: true });
  const clear = () => workbench.clear();
  await useModel("scripted/said");
  model.said = "Noted.";

  await check("the input grows with its text up to 40% of the view, and is empty without a scrollbar", async () => {
    await workbench.newConversation();
    const size = () => input.evaluate(({ scrollHeight, clientHeight, offsetHeight }) => ({ scrollHeight, clientHeight, offsetHeight, view: innerHeight }));
    const empty = await size();
    assert.equal(empty.scrollHeight, empty.clientHeight);
    await input.fill("one\ntwo\nthree");
    const three = await size();
    assert.ok(three.clientHeight > 2 * empty.clientHeight - 10, `three lines are ${three.clientHeight} high, one ${empty.clientHeight}`);
    assert.equal(three.scrollHeight, three.clientHeight);
    await input.fill("line\n".repeat(200));
    const long = await size();
    assert.ok(Math.abs(long.offsetHeight - 0.4 * long.view) < 2, `200 lines are ${long.offsetHeight} of ${long.view} high`);
    assert.ok(long.scrollHeight > long.clientHeight);
    await capture("40-long-draft");
    await input.fill("");
    assert.deepEqual(await size(), empty);
  });

  await check("files, folders and symbols are completed, and attached", async () => {
    await input.pressSequentially("Look at @gre");
    await option("greet/").first().waitFor();
    await capture("41-completion");
    assert.equal(await input.getAttribute("aria-expanded"), "true");
    await input.press("Tab"); // goes into the folder
    await workbench.inputSays("Look at @greet/"); // the list may still be that of a part of the word
    await option("greet/name.go").waitFor();
    await input.press("ArrowDown");
    const selected = await input.getAttribute("aria-activedescendant");
    assert.equal(await chat.locator(`#${selected}`).getAttribute("aria-selected"), "true");
    await option("greet/name.go").click();
    await chip("greet/name.go").waitFor();
    assert.equal(await input.inputValue(), "Look at @greet/name.go ");
    await input.pressSequentially("and #Parse");
    await option("ParseName").first().waitFor();
    await input.press("Enter");
    await chip("ParseName").waitFor();
    await input.pressSequentially("in @greet");
    await option("greet/").first().waitFor();
    await input.press("Enter");
    await chip(/^greet\//).filter({ hasNotText: "name.go" }).waitFor();
    await capture("42-chips");
    await chat.getByRole("button", { name: "Send" }).click();
    await workbench.turnEnd();
    for (const sent of ["type Name struct", "func ParseName", "name.go: Name, ParseName"]) assert.ok(model.question.includes(sent), `${sent} is not in ${model.question}`);
    await chat.locator(".question .attached", { hasText: "ParseName" }).waitFor();
    assert.equal(await chips.count(), 0);
    await capture("43-sent");
  });

  await check("open files are offered first, their folders dimmed, and what was typed is bold", async () => {
    await clear();
    await workbench.newConversation();
    await workbench.openFile("greet/greet.go");
    await workbench.openFile("greet/name.go");
    await workbench.showChat();
    await input.pressSequentially("@");
    await option("greet/name.go").waitFor();
    const shown = () => chat.locator("#completions li").evaluateAll((items) => items.map((item) => item.title));
    assert.deepEqual((await shown()).slice(0, 2), ["greet/name.go", "greet/greet.go"]);
    const first = chat.locator("#completions li").first();
    assert.equal(await first.locator(".label").innerText(), "name.go");
    assert.equal(await first.locator(".path").innerText(), "greet");
    assert.equal(await first.locator("svg.icon").count(), 1);
    await capture("41-open-files");
    await input.pressSequentially("na");
    await first.locator("b", { hasText: "na" }).waitFor();
    assert.equal((await shown())[0], "greet/name.go");
    await capture("41-matched");
    await input.press("Escape");
    await clear();
    await input.pressSequentially("#");
    await option("ParseName").first().waitFor();
    assert.match(await first.innerText(), /greet\/name\.go/);
    await input.press("Escape");
    await clear();
    await workbench.closeEditors();
    await workbench.showChat();
  });

  await check("a slash offers the built-in commands, what the chat can do, and to add a command", async () => {
    await clear();
    await input.pressSequentially("/");
    for (const name of ["/commit", "/docs", "/explain", "/fix", "/review", "/tests", "/new", "/model", "/help", "Add a command…"]) await option(name).waitFor();
    await capture("42-slash");
    await input.pressSequentially("new");
    await option("/new").waitFor();
    await input.press("Enter");
    await workbench.inputSays("");
    await chat.getByText("Ask about the code").waitFor();
    await input.pressSequentially("/");
    await option("Add a command…").click();
    const name = page.locator(".quick-input-widget input.input").first();
    await name.and(page.locator('[placeholder="changelog"]')).waitFor();
    await name.fill("notes");
    await page.keyboard.press("Enter");
    await page.locator(".tab.active", { hasText: "notes.md" }).waitFor();
    await workbench.closeEditors();
    await workbench.showChat();
    await input.pressSequentially("/no");
    await option("/notes").waitFor();
    await input.press("Escape");
    await clear();
  });

  await check("a command is completed at the beginning of a message only, and sent as its text", async () => {
    await clear();
    await input.pressSequentially("/re");
    await option("/review").waitFor();
    await capture("42-command");
    await input.press("Enter");
    await workbench.inputSays("/review "); // the list may still be that of a part of the word
    await input.pressSequentially("main.go");
    await input.press("Enter");
    await chat.locator(".question", { hasText: "/review main.go" }).waitFor();
    await workbench.turnEnd();
    assert.ok(model.question.includes("Review main.go as a pedant."), model.question);
    rmSync(join(commands, "review.md")); // from here on, the built-in command
    await input.pressSequentially("a /re");
    await input.pressSequentially(" @gre"); // whose completions come after any for the word before
    await option("greet/").first().waitFor();
    assert.equal(await option("/review").count(), 0);
    await input.press("Escape");
    await clear();
  });

  await check("Escape closes the completion, the focus brings it back, and an answer for an older word is dropped", async () => {
    await clear();
    await input.pressSequentially("@gre");
    await option("greet/").first().waitFor();
    await input.press("Escape");
    await option("greet/").first().waitFor({ state: "hidden" });
    assert.equal(await input.inputValue(), "@gre");
    await input.press("e");
    await option("greet/").first().waitFor();
    await chat.locator("#log").focus();
    await option("greet/").first().waitFor({ state: "hidden" });
    await input.focus(); // as a person who comes back to the window
    await option("greet/").first().waitFor();
    const late = { type: "completions", request: 1, replace: 4, items: [{ kind: "file", label: "old.go", insert: "@old.go" }] };
    await input.evaluate((_, message) => window.dispatchEvent(new MessageEvent("message", { data: { type: "composer", message } })), late);
    assert.equal(await option("old.go").count(), 0);
    await input.fill("");
  });

  await check("a chip is removed with its button, with Backspace, and with Delete", async () => {
    await clear();
    for (const name of ["main.go", "go.mod", "broken.json"]) {
      await input.pressSequentially(`@${name}`);
      await option(name).first().waitFor();
      await input.press("Enter");
      await chip(name).waitFor();
    }
    await input.fill("");
    await chip("go.mod").getByRole("button").click();
    await chip("go.mod").waitFor({ state: "detached" });
    await input.press("Backspace");
    await chip("broken.json").waitFor({ state: "detached" });
    await chip("main.go").getByRole("button").focus();
    await page.keyboard.press("Delete");
    await chip("main.go").waitFor({ state: "detached" });
    await chat.locator('[aria-label="chat input"]:focus').waitFor();
  });

  await check("Enter right after a letter accepts what fits all that was typed", async () => {
    await clear();
    await input.fill("");
    await input.pressSequentially("@");
    await option("main.go").first().waitFor();
    await input.evaluate((field) => {
      field.setRangeText("go.mo", 1, 1, "end");
      field.dispatchEvent(new InputEvent("input", { bubbles: true }));
      field.setRangeText("d", 6, 6, "end");
      field.dispatchEvent(new InputEvent("input", { bubbles: true }));
      field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
    });
    await chip("go.mod").waitFor();
    assert.equal(await input.inputValue(), "@go.mod ");
    assert.equal(await chips.count(), 1);
    await clear();
  });

  await check("an image is refused with the reason, and so is a file that is gone when it is sent", async () => {
    await clear();
    await input.fill("What is it?");
    await input.pressSequentially(" @logo");
    await option("logo.png").first().waitFor();
    await input.press("Enter");
    await problem("logo.png can't be attached: it is an image, and only text is sent to a model").waitFor();
    await chip("logo.png").waitFor({ state: "detached" });
    await capture("44-image-refused");
    await input.fill("What is @gone");
    await option("gone.go").first().waitFor();
    await input.press("Enter");
    await chip("gone.go").waitFor();
    rmSync(join(workspace, "gone.go"));
    await input.press("Enter");
    await problem("gone.go can't be attached: there is no such file any more").waitFor();
    assert.equal(await input.inputValue(), "What is @gone.go");
    assert.equal(await chat.locator(".question", { hasText: "What is @gone" }).count(), 0);
    await capture("45-refused");
    await input.fill("");
  });
}
