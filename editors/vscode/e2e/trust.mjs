// Folders that the user does not trust, and folders that are not on the disk.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export async function run({ open, check, capture, workbench, workspace, userSettings }) {
  const { page, chat } = workbench;
  mkdirSync(join(workspace, ".vscode"));
  writeFileSync(join(workspace, ".vscode/settings.json"), '{ "ploke.index.exclude": ["greet"] }');
  userSettings({ "security.workspace.trust.enabled": true, "security.workspace.trust.startupPrompt": "never" });
  const symbols = async () => Number(/(\d+) symbols/.exec(await workbench.status.getAttribute("aria-label"))[1]);

  await open({ indexed: true, chat: true });
  await check("in a folder that is not trusted, the chat works without the folder's settings, and says so", async () => {
    await page.locator(".statusbar-item", { hasText: "Restricted Mode" }).waitFor();
    await workbench.ask("where is the name of a person parsed?");
    await workbench.turnEnd();
    await workbench.lastTurn.locator(".message", { hasText: "ParseName" }).first().waitFor();
    assert.ok((await symbols()) > 1, "the folder's settings are applied");
    await pageOfExtensionSays("The settings of the folder are ignored.");
    await capture("31-restricted");
  });

  await check("the settings of a folder apply once it is trusted", async () => {
    await workbench.command("Workspaces: Manage Workspace Trust");
    await page.locator(".workspace-trust-editor").getByRole("button", { name: "Trust", exact: true }).click();
    await page.locator('.statusbar-item[aria-label*=" 1 symbols"]').waitFor();
  });

  await check("a folder that is not on the disk is refused with a reason", async () => {
    await workbench.leave();
    await workbench.goto("folder=memfs:/project");
    await pageOfExtensionSays("ploke works with folders on the disk only");
    assert.equal(await workbench.status.count(), 0);
    assert.equal(await chat.locator("#log").count(), 0);
    await capture("32-virtual");
  });
  userSettings({});

  /** Opens the page of the extension, and waits until it has the words. */
  async function pageOfExtensionSays(words) {
    await page.locator('.activitybar .action-label[aria-label^="Extensions"]').click();
    await page.locator(".extensions-viewlet .monaco-list-row", { hasText: "ploke" }).first().dblclick();
    await page.locator(".extension-editor", { hasText: words }).waitFor();
  }
}
