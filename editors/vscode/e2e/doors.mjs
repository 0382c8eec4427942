// Doors of the workbench that lead to the chat: a change of the selected lines, source control, and the terminal.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { replacing } from "./editingModel.mjs";
import { eventually } from "./eventually.mjs";

export async function run({ open, check, capture, workbench, workspace, server, model, useModel, userSettings, onDisk }) {
  const { page, chat } = workbench;
  const input = chat.getByLabel("chat input");
  const question = (text) => chat.locator(".question", { hasText: text }).last();
  const git = (...args) =>
    execFileSync("git", ["-c", "user.name=Tester", "-c", "user.email=tester@example.com", ...args], { cwd: workspace, env: server.env, stdio: "pipe" });
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", "Greet people");
  userSettings({ "git.enabled": true, "git.path": "/usr/bin/git", "git.openRepositoryInParentFolders": "never" });
  await open({ indexed: true, chat: true });
  await useModel("scripted/said");

  await check("the last command of the terminal goes along, with what it printed", async () => {
    model.said = "There is no such file.";
    await workbench.command("Terminal: Create New Terminal");
    await page.locator(".terminal-wrapper.active .xterm-screen").waitFor();
    await page.locator(".xterm.focus, .xterm:focus-within").first().waitFor();
    await page.locator(".terminal-wrapper.active .terminal-command-decoration, .terminal-tabs-entry, .single-terminal-tab").first().waitFor();
    await page.keyboard.type("true"); // VS Code may lose what the very first command prints
    await page.keyboard.press("Enter");
    await page.locator(".terminal-command-decoration:not(.default-color)").first().waitFor();
    await page.keyboard.type("sleep 1; ls no-such-file"); // and what is printed before it says that a command has begun
    await page.keyboard.press("Enter");
    await page.locator(".terminal-command-decoration.error").first().waitFor();
    await workbench.showChat();
    await workbench.ask("what went wrong? @terminal");
    await workbench.turnEnd();
    assert.match(model.question, /The last command in the terminal \(exit status 2\):\n\n```console\n\$ sleep 1; ls no-such-file\n[^\x1b]*No such file or directory\n```/);
    await workbench.command("ploke: Fix the Last Command");
    await question("/fix the failure of the last command").waitFor();
    await workbench.turnEnd();
    assert.match(model.question, /^Fix what is wrong\.[\s\S]*\$ sleep 1; ls no-such-file/);
    await capture("58-last-command");
    await workbench.command("Terminal: Kill All Terminals");
  });

  await check("a key asks what to change in the selected lines, and the edit waits there", async () => {
    await useModel("scripted/editing");
    model.edits = [replacing("Be friendly", ["greet/greet.go", '"Hello"', '"Hi"'])];
    await workbench.openFile("greet/greet.go");
    await page.locator(".view-line", { hasText: "const polite" }).click();
    await page.keyboard.press("Control+k");
    await page.keyboard.press("j");
    const words = page.locator(".quick-input-widget input.input").first();
    await page.locator(".quick-input-title", { hasText: "ploke: change greet.go:5" }).waitFor();
    await capture("59-change-here");
    await words.fill("be friendly");
    await page.keyboard.press("Enter");
    await question("be friendly").waitFor();
    await page.locator(".statusbar-item", { hasText: "1 proposed edit" }).or(page.locator('.statusbar-item[aria-label*="proposed edit"]')).first().waitFor();
    assert.match(model.question, /const polite = "Hello"/);
    await workbench.turnEnd();
    await capture("59-changed-here");
    await workbench.command("ploke: Reject All Proposed Edits");
    assert.match(onDisk("greet/greet.go"), /"Hello"/);
    await workbench.closeEditors();
  });

  await check("a commit message is written into the box of source control, and the changes are reviewed", async () => {
    await useModel("scripted/said");
    writeFileSync(join(workspace, "main.go"), `${onDisk("main.go")}\n// The end.\n`);
    git("add", "main.go");
    await page.getByRole("tab", { name: /^Source Control/ }).first().click();
    const box = page.locator(".scm-editor .view-lines");
    await box.waitFor();
    model.said = "Here it is:\n\n```\nMark the end of main\n\nReaders look for it.\n```\n";
    await workbench.command("ploke: Write a Commit Message");
    await page.locator(".scm-editor .view-line", { hasText: "Mark the end of main" }).waitFor();
    assert.match(model.question, /\+\/\/ The end\./);
    await capture("60-commit-message");
    model.said = "I can't say [why](command:workbench.action.files.newUntitledFile).";
    await workbench.command("ploke: Write a Commit Message");
    const said = page.locator(".notification-toast .notification-list-item-message", { hasText: "the model wrote no commit message: “I can't say" });
    await said.waitFor();
    assert.equal(await said.locator("a").count(), 0, "words of the model are a command");
    await workbench.command("Notifications: Clear All Notifications");
    model.said = "Looks right.";
    await workbench.command("ploke: Review These Changes");
    await question("/review").waitFor();
    await workbench.turnEnd();
    assert.match(model.question, /Review the code\.[\s\S]*\+\/\/ The end\./);
    assert.equal(await input.inputValue(), "");
  });
  await check("the chat moves to an editor and back, with what was typed", async () => {
    await workbench.showChat();
    await input.fill("a draft");
    await workbench.command("ploke: Open the Chat in an Editor");
    await page.locator(".tab.active", { hasText: "ploke" }).waitFor();
    const views = page.locator("iframe.webview.ready");
    await views.nth(1).waitFor();
    const frame = (index) => page.frameLocator("iframe.webview.ready").nth(index).frameLocator("iframe#active-frame");
    const says = (index) => frame(index).getByText("The chat is open in an editor.").count();
    const inEditor = await eventually(async () => {
      const left = await Promise.all([says(0), says(1)]);
      assert.deepEqual(left.toSorted(), [0, 1], "the view does not say where the chat is");
      return frame(left.indexOf(0));
    });
    await inEditor.locator(".question", { hasText: "/review" }).last().waitFor(); // the draft is replayed right behind
    await inEditor.locator('[aria-label="chat input"]:not(:placeholder-shown)').waitFor();
    await eventually(async () => assert.equal(await inEditor.getByLabel("chat input").inputValue(), "a draft"));
    await capture("64-chat-in-editor");
    await inEditor.getByLabel("chat input").fill("again");
    model.said = "In an editor.";
    await inEditor.getByRole("button", { name: "Send" }).click();
    await inEditor.getByText("In an editor.").last().waitFor();
    await workbench.command("ploke: Bring the Chat Back to the Side Bar");
    await page.waitForFunction(() => document.querySelectorAll("iframe.webview.ready").length === 1);
    assert.equal(await views.count(), 1);
    await chat.getByText("In an editor.").last().waitFor();
  });

  await check("the chat moves to a window of its own and back", async () => {
    const opened = page.context().waitForEvent("page");
    await workbench.command("ploke: Open the Chat in a Window");
    const own = await opened;
    const inWindow = own.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame");
    await inWindow.locator(".question", { hasText: "/review" }).last().waitFor();
    model.said = "In a window.";
    await inWindow.getByLabel("chat input").fill("and here?");
    await inWindow.getByRole("button", { name: "Send" }).click();
    await inWindow.getByText("In a window.").last().waitFor();
    const closed = own.waitForEvent("close");
    await own.locator(".editor-actions, .tabs-container").first().waitFor();
    await page.bringToFront();
    await page.locator(".part.editor").first().click(); // commands are listed in the window that has the focus
    await workbench.command("ploke: Bring the Chat Back to the Side Bar");
    await closed;
    await chat.getByText("In a window.").last().waitFor();
  });
  userSettings({});
}
