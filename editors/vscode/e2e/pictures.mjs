// The pictures of the README: the real program in a real workbench, with the embedded
// model, on net/http of Go's standard library.
import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export async function run({ open, check, capture, workbench, workspace, userSettings }) {
  const { page, chat } = workbench;
  const goroot = execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim();
  for (const name of readdirSync(workspace)) rmSync(join(workspace, name), { recursive: true });
  cpSync(join(goroot, "src/net/http"), join(workspace, "net/http"), { recursive: true, filter: (path) => !path.includes("testdata") });
  writeFileSync(join(workspace, "go.mod"), "module std\n");
  userSettings({ "workbench.colorTheme": "Default Dark Modern", "editor.minimap.enabled": false });
  await open({ indexed: true, chat: true });
  const line = (text) => page.locator(".editor-instance .view-line", { hasText: text }).first();

  await check("the picture of a cited answer", async () => {
    await widen(170);
    await workbench.ask("how does the server shut down gracefully?");
    await workbench.turnEnd();
    await chat.locator(".turn a", { hasText: "server.go" }).first().click();
    await line("func (s *Server) Shutdown").waitFor();
    await workbench.faded(page.locator("body"));
    await capture("readme-answer");
  });

  await check("the picture of a review", async () => {
    await workbench.ask("rename shutdownPollIntervalMax to maxShutdownPoll");
    await workbench.turnEnd();
    await workbench.command("ploke: Go to Next Proposed Edit");
    await page.locator(".editor-instance .codelens-decoration a:visible", { hasText: "Accept" }).first().waitFor();
    await chat.getByRole("region", { name: "proposed edits" }).getByText("3 of 4").waitFor();
    await workbench.faded(page.locator("body"));
    await capture("readme-review");
  });

  await check("the picture of the list of proposed edits, in high contrast", async () => {
    await workbench.chooseTheme("Dark High Contrast");
    await workbench.listEdits();
    await chat.getByRole("region", { name: "proposed edits" }).getByRole("button", { name: "Go to Next Proposed Edit" }).click();
    await chat.getByRole("region", { name: "proposed edits" }).getByText("4 of 4").waitFor();
    await workbench.faded(page.locator("body"));
    await capture("readme-review-list");
    await workbench.chooseTheme("Default Dark Modern"); // which the next scenario has, too
  });

  /** Makes the side bar wider. */
  async function widen(by) {
    const edge = await page.locator(".part.sidebar").boundingBox();
    await page.mouse.move(edge.x + edge.width, 450);
    await page.mouse.down();
    await page.mouse.move(edge.x + edge.width + by, 450, { steps: 5 });
    await page.mouse.up();
  }
}
