// Other extensions: their models answer, VS Code's chat gets ploke's tools and its MCP server, and a failed test is fixed.
// What VS Code 1.100 has no door for is absent there, without a word.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "./eventually.mjs";

export async function run({ open, check, capture, workbench, workspace, server, model, useModel, userSettings, temporary }) {
  const { page, chat } = workbench;
  const guestVsix = join(temporary, "guest.vsix");
  const vsce = join(import.meta.dirname, "../node_modules/.bin/vsce");
  const args = ["package", "--no-dependencies", "--skip-license", "--allow-missing-repository", "--out", guestVsix];
  execFileSync(vsce, args, { cwd: join(import.meta.dirname, "guest"), stdio: "pipe" });
  server.install(guestVsix);
  workbench.more = `&payload=${encodeURIComponent('[["enableProposedApi",""]]')}`; // the guest's models need a consent
  userSettings({ "chat.disableAIFeatures": false });
  await open({ indexed: true, chat: true });
  const guest = async (method, params = {}) => {
    const port = readFileSync(join(server.env.TMPDIR, "guest-port"), "utf8");
    const response = await fetch(`http://127.0.0.1:${port}`, { method: "POST", body: JSON.stringify({ method, params }) });
    const { result, error } = await response.json();
    if (error) throw new Error(error);
    return result;
  };
  const hasModels = await eventually(() => guest("hasModels"));
  const row = (text) => page.locator(".quick-input-list .monaco-list-row", { hasText: text });

  await check("the tools of ploke find code and symbols for whoever asks VS Code for them", async () => {
    await eventually(async () => {
      const names = await guest("tools");
      for (const name of ["ploke_search", "ploke_symbol"]) assert.ok(names.includes(name), `${name} is not among ${names}`);
    });
    assert.match(await guest("invoke", { name: "ploke_search", input: { query: "reads a name", limit: 3 } }), /^(\S+:\d+-\d+ .*\n?){1,3}$/);
    assert.match(await guest("invoke", { name: "ploke_symbol", input: { query: "ParseName" } }), /^greet\/name\.go:\d+-\d+ · function · .*ParseName[^\n]*$/);
    assert.equal(await guest("invoke", { name: "ploke_symbol", input: { query: "Zzqx" } }), "Nothing was found.");
  });

  if (hasModels) {
    await check("the models of other extensions are listed, and answer with tools", async () => {
      await workbench.command("ploke: Choose Model");
      await row("editor/guest/open").waitFor();
      await row("editor/guest/private").waitFor();
      await capture("70-editor-models");
      await page.keyboard.press("Escape");
      await useModel("editor/guest/open");
      await workbench.newConversation();
      await workbench.ask("read the names");
      await workbench.lastTurn.getByText("It says: true").waitFor();
      await workbench.idle();
      await workbench.lastTurn.locator(".tool-call.finished").waitFor({ state: "attached" });
      assert.ok((await guest("seen")).tools.includes("read_file"));
      await capture("71-editor-model");
    });

    await check("an answer of another extension's model is stopped there, too", async () => {
      await workbench.ask("endless");
      await workbench.lastTurn.getByText("It never ends").waitFor();
      await chat.getByRole("button", { name: "Stop" }).click();
      await workbench.lastTurn.getByText("Stopped").waitFor();
      await eventually(async () => assert.ok((await guest("seen")).cancelled));
    });

    await check("what a model refuses is said in its words", async () => {
      await workbench.ask("blocked");
      await workbench.lastTurn.locator(".failure", { hasText: "The filter of the guest says no: " }).waitFor();
    });

    await check("a model that the person has not allowed says so, and answers once it is allowed", async () => {
      await useModel("editor/guest/private");
      await workbench.newConversation();
      await workbench.ask("may I");
      const dialog = page.locator(".monaco-dialog-box", { hasText: "Guest" });
      await dialog.getByRole("button", { name: "Cancel" }).click();
      const failure = workbench.lastTurn.locator(".failure");
      await failure.getByText("cannot be used by 'ploke.ploke': choose the model again, and let ploke use it when the editor asks").waitFor();
      assert.deepEqual(await failure.getByRole("button").allInnerTexts(), ["Retry", "Choose model…"]); // it has no key
      await capture("72-not-allowed");
      await workbench.lastTurn.getByRole("button", { name: "Retry" }).click();
      await dialog.getByRole("button", { name: "Allow" }).click();
      await workbench.lastTurn.getByText("Guest: may I").waitFor();
    });

    await check("VS Code lists ploke's MCP server", async () => {
      await workbench.command("MCP: List Servers");
      await row("ploke").first().waitFor();
      await capture("73-mcp");
      await page.keyboard.press("Escape");
    });
  }

  await check("a failed test is explained with what it said, and where it is", async () => {
    await useModel("scripted/said");
    model.said = "The greeting lacks a comma.";
    await guest("fail", { path: join(workspace, "greet/greet.go"), line: 7, label: "TestGreeting", message: "want Hello, Ada!\ngot Hello Ada!" });
    const asked = chat.locator(".question", { hasText: "/fix the test TestGreeting fails" });
    await workbench.command("Test Results: Focus on Test Results View");
    const failure = page.locator(".test-output-peek-tree .monaco-list-row", { hasText: "want Hello, Ada!" });
    await failure.hover();
    await failure.getByRole("button", { name: "Fix This Failure" }).click();
    await asked.first().waitFor();
    await workbench.idle();
    assert.match(model.question, /func Greeting[\s\S]*\nFix what is wrong\.[\s\S]*\nthe test TestGreeting fails$/);
    await workbench.command("View: Hide Panel");
    await workbench.openFile("greet/greet.go");
    await page.keyboard.press("Control+g"); // to the line of the test
    await page.locator(".quick-input-widget input.input").first().fill(":8");
    await page.keyboard.press("Enter");
    await workbench.command("Test: Peek Output");
    const peek = page.locator(".peekview-widget");
    await peek.getByText("got Hello Ada!").first().waitFor();
    await peek.hover();
    await capture("74-test");
    await peek.getByText("Fix This Failure").click();
    await asked.nth(1).waitFor();
    await workbench.idle();
    assert.match(model.question, /the test TestGreeting fails:\n\n```\nwant Hello, Ada!\ngot Hello Ada!\n```$/);
  });

  workbench.more = "";
  userSettings({});
}
