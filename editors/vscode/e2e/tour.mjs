// The pictures of docs/editors.md: the real program in a real workbench, with the embedded model, on encoding/csv of
// Go's standard library.
import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export async function run({ open, check, capture, workbench, workspace, userSettings }) {
  const { page, chat, input } = workbench;
  const goroot = execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim();
  for (const name of readdirSync(workspace)) rmSync(join(workspace, name), { recursive: true });
  cpSync(join(goroot, "src/encoding/csv"), join(workspace, "csv"), { recursive: true });
  writeFileSync(join(workspace, "go.mod"), "module example.com/csv\n\ngo 1.21\n");
  userSettings({ "workbench.colorTheme": "Default Light Modern", "editor.minimap.enabled": false });
  await open({ indexed: true, chat: true });
  const bar = chat.getByRole("region", { name: "proposed edits" });
  const line = (text) => page.locator(".editor-instance .view-line", { hasText: text }).first();
  const picture = async (name) => {
    await workbench.faded(page.locator("body"));
    await capture(`tour-${name}`);
  };

  await check("the picture of the first minute", async () => {
    await workbench.openFile("csv/reader.go");
    await chat.getByRole("list", { name: "questions about this folder" }).getByRole("button").first().waitFor();
    await picture("first-minute");
  });

  await check("the picture of a mention", async () => {
    await input.pressSequentially("who calls #Read");
    await chat.getByRole("option").nth(2).waitFor();
    await picture("mention");
    await input.press("Escape");
    await workbench.clear();
  });

  await check("the picture of the code actions at a function", async () => {
    await line("Package csv").click();
    await page.keyboard.press("Control+g");
    await page.locator(".quick-input-widget input.input").first().fill(":98");
    await page.keyboard.press("Enter");
    await line("func validDelim").click();
    await workbench.showCodeAction("ploke: explain validDelim");
    await picture("code-actions");
    await page.keyboard.press("Escape");
  });

  await check("the picture of a new file", async () => {
    await workbench.chooseTheme("Default Dark Modern");
    await workbench.ask("create csv/README.md with: Reads and writes comma-separated values.");
    await bar.waitFor();
    await workbench.turnEnd();
    await workbench.command("ploke: Go to Next Proposed Edit");
    await bar.getByText("1 of 1").waitFor();
    await picture("new-file");
    await workbench.command("ploke: Reject All Proposed Edits");
  });
  await check("the picture of the ledger", async () => {
    await workbench.closeEditors();
    await workbench.command("ploke: Show Ledger");
    await page.frameLocator("iframe.webview.ready").last().frameLocator("iframe#active-frame").getByRole("heading", { name: "ploke ledger" }).waitFor();
    await picture("ledger");
  });
  userSettings({});
}
