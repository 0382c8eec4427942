// Decisions on a proposal that a second turn amends between what is shown and the answer. The server's messages are held
// back, as on a slow connection. What is decided in all ways names the version that was shown.
import assert from "node:assert/strict";
import { replacing } from "./editingModel.mjs";
import { eventually } from "./eventually.mjs";
import { heldServer } from "./heldServer.mjs";
import * as project from "./project.mjs";

const greet = "greet/greet.go";
const before = project.files[greet];

export async function run({ open, check, capture, workbench, onDisk, model, useModel, binary, temporary }) {
  const { page, chat } = workbench;
  const server = heldServer(temporary, binary);
  await open({ serverPath: server.path, indexed: true, chat: true });
  await useModel("scripted/editing");
  const line = (text) => page.locator(".editor-instance .view-line", { hasText: text }).first();
  const lens = (name) => page.locator(".editor-instance .codelens-decoration a", { hasText: new RegExp(`^\\s*${name}$`) });
  const row = (text) => page.locator(".pane .monaco-list-row", { hasText: text });
  const turn = (n) => chat.locator("#log > .turn").nth(n);
  const card = () => chat.locator("#log .proposal").last();
  const press = (name) => card().getByRole("button", { name, exact: true }).click();
  const says = (label) => card().locator(".status", { hasText: new RegExp(`^${label}$`) }).waitFor();
  const refusal = page.locator(".notification-toast", { hasText: "the proposal has changed; look again" });

  /** Has a turn replace a text, and returns once the edit is staged. */
  async function stage(question, old, text) {
    model.edits = [replacing("Other words", [greet, old, text])];
    const staged = model.nextStaged();
    await workbench.ask(question);
    await staged;
  }

  /** Shows a proposal, and lets a second turn amend it, of which the window does not hear. */
  async function showAndAmend() {
    await workbench.newConversation();
    await stage("choose better words", "Hello", "Good day");
    await card().waitFor();
    await workbench.turnEnd();
    await workbench.listEdits();
    await row("Good day").waitFor(); // the lens could still be that of an earlier proposal
    await workbench.openFile(greet);
    await lens("Accept").waitFor();
    server.hold();
    await stage("choose other words", "Good day", "Evil day");
  }

  /** Checks that a decision on what was shown is refused, and shows what the proposal has become. */
  async function refused(shot) {
    await refusal.first().waitFor();
    await capture(shot);
    await line('"Hello"').waitFor();
    assert.equal(await line("Evil day").count() + await line("Good day").count(), 0);
    assert.equal(onDisk(greet), before);
    server.release();
    await workbench.turnEnd();
    await workbench.command("Notifications: Clear All Notifications");
  }

  /** Clicks a lens until it is refused: one that is redrawn loses its click. */
  async function clickLens(name) {
    for (let attempt = 1; ; attempt++) {
      if ((await lens(name).count()) > 0) await lens(name).click(); // what is decided on has no lens until the server says more
      try {
        return await refusal.first().waitFor({ timeout: 3000 });
      } catch (error) {
        if (attempt === 4) throw error;
      }
    }
  }

  await check("the button of a card does not accept what it has not shown", async () => {
    await showAndAmend();
    await turn(0).getByRole("button", { name: "Accept", exact: true }).click();
    await refused("90-amended-card");
    await press("Accept");
    await line('"Evil day"').waitFor();
    await says("Applied");
    await press("Undo");
    await says("Undone");
    await press("Redo");
    await says("Applied");
    await press("Undo");
    await says("Undone");
  });

  await check("a lens does not accept what it has not shown", async () => {
    await showAndAmend();
    await clickLens("Accept");
    await refused("91-amended-lens");
    await row("Evil day").waitFor();
    await page.keyboard.press("Alt+F5");
    await page.locator('.statusbar-item[id="ploke.ploke.ploke.review"]', { hasText: "1 of 1" }).waitFor();
    for (const key of ["Control+k", "n"]) await page.keyboard.press(key);
    await says("Rejected");
    assert.equal(onDisk(greet), before);
  });

  await check("a file is not rejected in a version that was not shown", async () => {
    await showAndAmend();
    await turn(0).getByRole("button", { name: "Reject", exact: true }).click();
    await refused("92-amended-reject");
    await says("Waiting");
    await workbench.command("ploke: Reject Proposed Edit");
    await says("Rejected");
  });

  await check("what is typed in a diff is accepted with it", async () => {
    await workbench.newConversation();
    await stage("choose better words", "Hello", "Good day");
    await card().waitFor();
    await workbench.turnEnd();
    await press("Show diff");
    await page.locator(".monaco-diff-editor .modified .view-line", { hasText: "Good day" }).click();
    await page.keyboard.press("End");
    await page.keyboard.type(" // kind");
    await page.locator(".tab.active.dirty").waitFor();
    await press("Accept");
    await says("Applied");
    await workbench.openFile(greet);
    await line('"Good day" // kind').waitFor();
    await workbench.command("ploke: Undo Proposed Edit");
    await says("Undone");
  });

  await check("what is decided on is gone from the file at once, however slow the server is", async () => {
    await workbench.newConversation();
    await stage("choose better words", "Hello", "Good day");
    await card().waitFor();
    await workbench.turnEnd();
    await workbench.openFile(greet);
    await lens("Reject").waitFor();
    server.hold();
    await lens("Reject").click();
    await lens("Reject").waitFor({ state: "detached" });
    await page.locator(".editor-instance .view-line [class*='ced-']").first().waitFor({ state: "detached" });
    server.release();
    await says("Rejected");
    assert.equal(onDisk(greet), before);
  });

  await check("what is decided on does not come back with what the server has said before", async () => {
    await workbench.newConversation();
    await stage("choose better words", "Hello", "Good day");
    await card().waitFor();
    await workbench.turnEnd();
    await workbench.openFile(greet);
    await lens("Reject").waitFor();
    server.hold("ploke/review");
    const asked = () => server.asked("ploke/review").length;
    const before = asked();
    await line("package greet").click();
    await page.keyboard.press("Home");
    await page.keyboard.type("// "); // the server says that the places have changed, and is asked where they are
    await eventually(async () => assert.ok(asked() > before));
    await lens("Reject").click();
    await lens("Reject").waitFor({ state: "detached" });
    await says("Rejected");
    const stale = asked();
    server.releaseOne();
    await eventually(async () => assert.ok(asked() > stale)); // it was outdated, so the server is asked once more
    await page.locator(".editor-instance .view-line").first().hover(); // a round trip to the page
    assert.equal(await lens("Reject").count(), 0, "what was decided on is there again");
    await row("Good day").waitFor({ state: "detached" });
    server.release();
    await workbench.command("File: Revert File");
  });

  await check("a chip says that the server still looks at it", async () => {
    const label = chat.locator("#chips .chip", { hasText: "greet.go" });
    await workbench.openFile(greet);
    server.hold();
    await workbench.command("ploke: Add to ploke Chat");
    await label.and(chat.locator("[aria-busy=true]")).waitFor();
    server.release();
    await workbench.chip("greet.go").waitFor();
    await workbench.clear();
  });

  await check("each decision names the version that was shown", async () => {
    const decisions = server.decisions();
    const kinds = new Set(decisions.map(({ method }) => method.split("/").at(-1)));
    assert.deepEqual([...kinds].sort(), ["accept", "edit", "redo", "reject", "undo"]);
    const unnamed = decisions.filter(({ params }) => !params.version);
    assert.deepEqual(unnamed.map(({ method, params }) => [method, params]), []);
  });
}
