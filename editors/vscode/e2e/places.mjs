// The places of the workbench from which the user asks ploke: the explorer, the editor,
// the terminal, and the menus of problems.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "./eventually.mjs";

export async function run({ open, check, capture, workbench, server, model, useModel }) {
  const { page, chat, context } = workbench;
  const chip = (label) => workbench.chip(label);
  const focused = () => workbench.inputFocused();
  /** Opens a context menu and chooses a row of it. */
  const choose = async (target, row, options = {}) => {
    await target.click({ button: "right", ...options });
    await page.locator(".monaco-menu").getByRole("menuitem", { name: row }).first().waitFor();
    await capture(`53-menu-${row.replaceAll(" ", "-")}`);
    const item = page.locator(".monaco-menu").getByRole("menuitem", { name: row }).first();
    await item.click();
    await item.waitFor({ state: "hidden", timeout: 2000 }).catch(() => item.click()); // a click right after a menu opens does nothing
  };
  const clear = () => workbench.clear();
  const settings = JSON.parse(readFileSync(join(server.data, "User", "settings.json"), "utf8"));
  server.writeSettings("User", { ...settings, "terminal.integrated.gpuAcceleration": "off" }); // its text is in the DOM
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open({ indexed: true });

  await check("a file of the explorer is added to the chat, which may not be open yet", async () => {
    await choose(page.locator(".explorer-folders-view .monaco-list-row", { hasText: "main.go" }), "Add to ploke Chat");
    await chip("main.go").waitFor();
    await focused();
    await clear();
  });

  await check("the selection of an editor is put into the composer", async () => {
    await workbench.openFile("greet/greet.go");
    await page.locator(".monaco-editor .view-line").first().click();
    await page.keyboard.press("Shift+ArrowDown");
    await choose(page.locator(".monaco-editor .view-line").first(), "Ask ploke About This");
    await chip("greet.go:1").waitFor();
    await focused();
    await capture("54-asked-about");
    await clear();
  });

  await check("an untitled document is quoted", async () => {
    await workbench.command("File: New Untitled Text File");
    await page.locator(".editor-instance > .monaco-editor.focused[data-uri^='untitled:']").waitFor();
    await page.keyboard.type("half a program");
    await page.keyboard.press("Control+a");
    await workbench.command("ploke: Ask ploke About This");
    await focused();
    await workbench.inputSays("Untitled-1:\n```plaintext\nhalf a program\n```\n");
    assert.equal(await chat.locator("#chips .chip").count(), 0);
    await clear();
  });

  await check("the selection of the terminal is quoted, and the clipboard stays", async () => {
    await page.evaluate(() => navigator.clipboard.writeText("kept"));
    await workbench.command("Terminal: Create New Terminal");
    const terminal = page.locator(".terminal-wrapper.active .xterm-screen");
    await terminal.waitFor();
    await page.locator(".xterm.focus, .xterm:focus-within").first().waitFor();
    await page.keyboard.type("echo broken$((40+2))");
    await page.keyboard.press("Enter");
    const output = terminal.locator(".xterm-rows > div", { hasText: /^broken42/ }).first();
    await output.dblclick({ position: { x: 10, y: 5 }, force: true }); // selects the word, below layers of the terminal
    await choose(output, "Ask ploke About This", { position: { x: 10, y: 5 }, force: true });
    await focused();
    await eventually(async () => assert.match(await workbench.input.inputValue(), /^Terminal \w+:\n```\nbroken42\n```\n$/));
    await eventually(async () => assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "kept"));
    await capture("55-terminal");
    await clear();
    await workbench.command("Terminal: Kill All Terminals");
  });

  await check("a problem offers to be fixed, in the editor and in the list of problems", async () => {
    await useModel("scripted/said");
    model.said = "It lacks a comma.";
    await workbench.openFile("broken.json");
    await page.locator(".squiggly-error").first().waitFor();
    await page.locator(".view-line", { hasText: '"b"' }).getByText('"b"').click();
    await workbench.showCodeAction("ploke: fix: Expected comma");
    await capture("56-lightbulb");
    await page.keyboard.press("Escape");
    await workbench.command("Problems: Focus on Problems View");
    const row = page.locator(".markers-panel .monaco-list-row", { hasText: "Expected comma" }).first();
    await row.click();
    await page.keyboard.press("Control+.");
    const fix = page.locator(".monaco-menu").getByRole("menuitem", { name: "ploke: fix: Expected comma" });
    await fix.waitFor();
    await capture("57-problem");
    await fix.click();
    await chat.locator(".question", { hasText: "Expected comma" }).waitFor();
    await workbench.turnEnd();
    assert.ok(model.question.includes("Fix the problem at broken.json:3"), model.question);
  });
  server.writeSettings("User", settings);
}
