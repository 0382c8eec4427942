// The first five minutes: questions to click, a model with a key, the documents of the
// server, the settings and the walkthrough.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "./eventually.mjs";
import { KeyedModel } from "./keyedModel.mjs";

export async function run({ open, check, capture, workbench, server }) {
  const { page, chat } = workbench;
  const model = new KeyedModel();
  const address = await model.start();
  const input = page.locator(".quick-input-widget input.input").first();
  const row = (text) => page.locator(".quick-input-list .monaco-list-row", { hasText: text }).first();
  const dialog = page.locator(".monaco-dialog-box");
  const settings = () => JSON.parse(readFileSync(join(server.data, "User/settings.json"), "utf8"));
  const name = model.host.replace(/[^0-9]+/g, "-");

  await open({ indexed: true, chat: true });
  await check("questions about the folder can be clicked", async () => {
    const examples = chat.getByRole("list", { name: "questions about this folder" });
    await examples.getByRole("button", { name: "What does this project do?" }).waitFor();
    await examples.getByRole("button", { name: "Who calls ParseName?" }).waitFor();
    await capture("first-1-examples");
    await examples.getByRole("button", { name: "Who calls ParseName?" }).click();
    await workbench.lastTurn.getByText("main.go").first().waitFor();
    await workbench.turnEnd();
    assert.equal(await examples.count(), 0);
  });

  await check("a model is added with a key, after a wrong one was explained", async () => {
    await workbench.command("ploke: Add a Model…");
    await row("Another server").click();
    await page.locator(".quick-input-widget", { hasText: "The server's address" }).waitFor();
    await input.fill(address);
    await page.keyboard.press("Enter");
    await page.locator(".quick-input-widget", { hasText: "secret storage" }).waitFor();
    await input.fill("sk wrong");
    await page.locator(".quick-input-widget", { hasText: "no spaces" }).waitFor();
    await capture("first-2-key");
    await input.fill(" sk-wrong-key-0987654321 ");
    await page.locator(".quick-input-widget", { hasText: "no spaces" }).waitFor({ state: "hidden" });
    await page.keyboard.press("Enter");
    await dialog.getByText("HTTP 401").waitFor();
    await capture("first-3-wrong-key");
    await dialog.getByRole("button", { name: "Enter Another Key" }).click();
    await page.locator(".quick-input-widget", { hasText: "secret storage" }).waitFor();
    await input.fill(model.key);
    await page.keyboard.press("Enter");
    await row("shut").click();
    await dialog.getByText("does not exist").waitFor();
    await capture("first-4-test-failed");
    assert.deepEqual(Object.keys(settings()["ploke.providers"]), ["scripted"]);
    await dialog.getByRole("button", { name: "Choose Another Model" }).click();
    await row("quick").click();
    await page.locator(".notification-toast", { hasText: `${name}/quick answered` }).waitFor();
    assert.deepEqual(settings()["ploke.providers"][name], {
      type: "openai", baseUrl: address, apiKeyEnv: `PLOKE_KEY_${name.replaceAll("-", "_")}`,
    });
    assert.equal(settings()["ploke.model"], `${name}/quick`);
  });

  await check("the added model answers, also after a reload", async () => {
    await workbench.newConversation();
    await workbench.ask("are you there");
    await workbench.lastTurn.getByText("Ready with the key.").waitFor();
    await page.reload();
    await workbench.status.waitFor();
    await workbench.indexed();
    await workbench.newConversation();
    await workbench.ask("still there");
    await workbench.lastTurn.getByText("Ready with the key.").waitFor();
    await workbench.turnEnd();
    assert.equal(model.keys.at(-1), model.key);
  });

  await check("the status bar shows the model, with what can be done", async () => {
    await page.locator(`.statusbar-item[aria-label*="model ${name}/quick"]`).waitFor();
    await workbench.status.hover();
    const tooltip = page.locator(".monaco-hover", { hasText: "Add a model" });
    await tooltip.getByText("Ledger").waitFor();
    await capture("first-5-status");
  });

  const document = () => page.frameLocator("iframe.webview.ready").last().frameLocator("iframe#active-frame");
  await check("the ledger and the doctor are documents without the key", async () => {
    await workbench.command("ploke: Show Ledger");
    await document().getByRole("heading", { name: "ploke ledger" }).waitFor();
    await document().getByText(`${name}/quick`).first().waitFor();
    await capture("first-6-ledger");
    const ledger = await document().locator("body").innerText();
    await workbench.command("View: Close Editor");
    await workbench.command("ploke: Doctor");
    await document().getByRole("heading", { name: "ploke doctor" }).waitFor();
    await document().getByText("Everything essential works").waitFor();
    await capture("first-7-doctor");
    const doctor = await document().locator("body").innerText();
    assert.match(doctor, /has a key, from the environment variable PLOKE_KEY_/);
    for (const text of [ledger, doctor]) assert.ok(!text.includes("-key-"), text);
    await workbench.command("View: Close Editor");
  });

  await check("no key is in a settings file, a log or the state folder", () => {
    for (const folder of [join(server.data, "User/settings.json"), server.logs, server.env.PLOKE_STATE_DIR]) {
      for (const [path, text] of filesBelow(folder)) assert.ok(!text.includes("-key-1234567890") && !text.includes("-key-0987654321"), `${path} has a key`);
    }
  });

  await check("a provider is removed with its key", async () => {
    await workbench.command("ploke: Remove a Provider and Its Key…");
    await row(name).click();
    await dialog.getByRole("button", { name: "Remove" }).click();
    await page.locator('.statusbar-item[aria-label*="embedded model"]').waitFor();
    await eventually(() => assert.deepEqual(Object.keys(settings()["ploke.providers"]), ["scripted"]));
    await eventually(() => assert.ok(!settings()["ploke.model"]));
  });

  await check("settings have widgets", async () => {
    await workbench.command("Preferences: Open Settings (UI)");
    await page.locator(".settings-editor .suggest-input-container").click();
    const find = async (text) => {
      await page.keyboard.press("Control+a");
      await page.keyboard.type(text);
    };
    const setting = (label) => page.locator(".settings-editor .setting-item-contents", { hasText: label }).first();
    await find("@ext:ploke.ploke ");
    await setting("Daily Cost").waitFor();
    await capture("first-8-settings");
    for (const [id, label, widget] of [
      ["limits.turnRequests", "Turn Requests", "input"], ["limits.autoContext", "Auto Context", "input"],
      ["edits.autoAccept", "Auto Accept", ".setting-value-checkbox"], ["index.exclude", "Exclude", ".setting-list-new-row"],
      ["trace.server", "Server", ".monaco-select-box, select"],
    ]) {
      await find(`ploke.${id}`);
      await setting(label).locator(widget).first().waitFor();
    }
    await workbench.command("View: Close Editor");
  });

  await check("a walkthrough shows the first steps", async () => {
    await workbench.command("Welcome: Open Walkthrough");
    await row("Get started with ploke").click();
    const step = (title) => page.locator(".gettingStartedContainer .step-title", { hasText: title });
    for (const title of ["Ask a question, without a key", "Review an edit", "Add a model", "Learn the keys"]) await step(title).first().waitFor();
    await capture("first-9-walkthrough");
    await workbench.command("View: Close Editor");
  });
  model.stop();
}

function* filesBelow(path) {
  let entries;
  try {
    entries = readdirSync(path, { withFileTypes: true });
  } catch {
    return yield [path, readFileSync(path, "latin1")];
  }
  for (const entry of entries) {
    if (entry.isDirectory() || entry.isFile()) yield* filesBelow(join(path, entry.name));
  }
}
