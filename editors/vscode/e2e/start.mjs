// The start: a missing server, a server of another version, and the index.
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { otherVersion } from "./version.mjs";

export async function run({ open, check, capture, workbench, workspace, binary, temporary }) {
  const { page, chat } = workbench;

  await open({ serverPath: "" });
  await check("a missing server is explained in a message and in the chat", async () => {
    const toast = page.locator(".notification-toast", { hasText: "Install ploke-lsp, or set ploke.serverPath" });
    await toast.getByRole("button", { name: "Show in Chat" }).click();
    const notice = chat.getByRole("alert");
    await notice.getByText("The server ploke-lsp was not found").waitFor();
    await capture("0-missing-server");
    await notice.getByRole("button", { name: "Open settings" }).click();
    await page.locator(".settings-editor").getByText("Server Path").first().waitFor();
    await workbench.command("View: Close Editor"); // newer workbenches show the settings over everything else
    await notice.getByRole("button", { name: "Installation help" }).click();
    await page.locator(".extension-editor").getByText("An AI assistant that knows the code").first().waitFor();
    await capture("0-installation-help");
  });

  await open({ serverPath: otherVersion(temporary, binary) });
  await check("a server of another version says once which one to update", async () => {
    const toast = page.locator(".notification-toast");
    await toast.filter({ hasText: "speaks version 9 of ploke's protocol, and ploke-lsp version 1: update ploke-lsp" }).waitFor();
    await page.locator('.statusbar-item[aria-label*="different versions"]').waitFor();
    assert.equal(await toast.count(), 1);
    await capture("0-other-version");
  });

  await open();
  await check("the folder's index becomes ready", async () => {
    await page.locator(".explorer-folders-view .monaco-list-row", { hasText: "main.go" }).waitFor();
    await workbench.indexed();
    const label = await workbench.status.getAttribute("aria-label");
    assert.match(label, /[1-9]\d* files, [1-9]\d* symbols/);
    await capture("1-indexed");
  });

  await check("the index follows the disk, and can be paused", async () => {
    const label = await workbench.status.getAttribute("aria-label");
    const files = Number(/(\d+) files/.exec(label)[1]);
    const shows = (text) => page.locator(`.statusbar-item[aria-label*="${text}"]`).waitFor();
    writeFileSync(join(workspace, "late.go"), "package main\n\nfunc late() {}\n");
    await shows(`index ready, ${files + 1} files`);
    await workbench.command("ploke: Pause Indexing");
    await shows("index paused");
    rmSync(join(workspace, "late.go"));
    await workbench.command("ploke: Resume Indexing");
    await shows(`index ready, ${files} files`);
    await workbench.command("Notifications: Clear All Notifications");
  });
}
