// Accepting means done, with VS Code's own settings: files are saved and open no tabs, a conflict keeps nothing else from
// being accepted, and what waits is listed after any decisions.
import assert from "node:assert/strict";
import { rmSync, existsSync } from "node:fs";
import { join } from "node:path";
import { replacing } from "./editingModel.mjs";
import { eventually } from "./eventually.mjs";
import * as project from "./project.mjs";

const each = [
  { tool: "create_file", args: { file: "docs/new.md", content: "One.\n", reason: "Each kind" } },
  { tool: "delete_file", args: { file: "broken.json" } },
  { tool: "rename_file", args: { file: "go.mod", to: "go.mod.txt" } },
  replacing("Each kind", ["greet/greet.go", '"Hello"', '"Good day"'], ["greet/greet.go", "func Greeting(n", "func Greet(n"], ["main.go", "os.Exit(1)", "os.Exit(2)"]),
];

export async function run({ open, check, capture, workbench, model, useModel, userSettings, workspace, onDisk }) {
  const { page, chat } = workbench;
  userSettings({ "files.refactoring.autoSave": true });
  await open({ indexed: true, chat: true });
  await useModel("scripted/editing");
  const card = () => workbench.lastTurn.locator(".proposal");
  const says = (label) => card().locator(".status", { hasText: label }).waitFor();
  const press = (name) => card().getByRole("button", { name, exact: true }).click();
  const rows = page.locator(".pane", { has: page.locator(".pane-header", { hasText: "Proposed Edits" }) }).locator(".monaco-list-row");
  const dirty = page.locator(".tab.dirty");
  const line = (text) => page.locator(".editor-instance .view-line", { hasText: text }).first();

  async function propose(edits) {
    model.edits = edits;
    await workbench.newConversation();
    await workbench.ask("make it so");
    await card().waitFor();
    await workbench.turnEnd();
    await card().getByRole("button", { name: "Accept", exact: true }).waitFor();
  }

  /** Makes the folder as it was, with no editor open. */
  async function begin() {
    await workbench.closeEditors();
    for (const path of ["docs", "go.mod.txt"]) rmSync(join(workspace, path), { recursive: true, force: true });
    project.write(workspace);
    await workbench.command("Notifications: Clear All Notifications");
  }

  const becomes = (what, holds) => eventually(async () => assert.ok(await holds(), what));

  await check("accepted files are saved, and those that were not open get no tab", async () => {
    for (const edits of [each, [replacing("One file", ["main.go", "os.Exit(1)", "os.Exit(3)"])]]) {
      await begin();
      await propose(edits);
      await press("Accept");
      await says(/^Applied$/);
      const exit = edits === each ? 2 : 3;
      await becomes("main.go is not saved", () => onDisk("main.go").includes(`os.Exit(${exit})`));
      await page.waitForTimeout(1500); // VS Code opens a tab for a file that is unsaved for 800 ms
      await eventually(async () => assert.deepEqual(await page.locator(".tabs-container .tab").allInnerTexts(), []));
    }
    await press("Undo");
    await says(/^Undone$/);
    await becomes("the undo is not saved", () => onDisk("main.go").includes("os.Exit(1)"));
  });

  await check("a card accepts what fits, as the key does, and offers to resolve the conflict", async () => {
    for (const accept of [() => press("Accept"), () => page.keyboard.press("Control+k").then(() => page.keyboard.press("Alt+y"))]) {
      await begin();
      await propose([replacing("Two files", ["greet/greet.go", '"Hello"', '"Good day"'], ["main.go", "os.Exit(1)", "os.Exit(2)"])]);
      await workbench.openFile("greet/greet.go");
      await line("const polite").click();
      await page.keyboard.press("End");
      await page.keyboard.type(" // mine");
      await says(/1 conflict, 1 waiting/);
      await accept();
      await says(/1 conflict, 1 applied/);
      await page.locator(".notification-toast", { hasText: "1 edit does not fit" }).getByRole("button", { name: "Resolve Conflict" }).waitFor();
      await becomes("main.go is not saved", () => onDisk("main.go").includes("os.Exit(2)"));
      await capture("45-one-conflict");
      await press("Reject");
      await says(/1 applied, 1 rejected/);
    }
  });

  await check("after any decisions the view lists what waits, and the files are as decided", async () => {
    for (let seed = 1; seed <= 4; seed++) {
      const random = generator(seed);
      await begin();
      await propose(each);
      await workbench.listEdits();
      const conflict = random() < 0.7;
      if (conflict) {
        await workbench.openFile("greet/greet.go");
        await line("const polite").click();
        await page.keyboard.press("End");
        await page.keyboard.type(` // mine ${seed}`);
        await says(/1 conflict/);
      }
      const accepted = {};
      for (const name of shuffled(["docs/new.md", "broken.json", "go.mod → go.mod.txt", "main.go"], random)) {
        accepted[name] = random() < 0.5;
        const button = card().getByRole("button", { name: `${accepted[name] ? "Accept" : "Reject"} ${name}`, exact: true });
        await button.click();
        await button.waitFor({ state: "detached" });
      }
      await press("Accept"); // what fits of the rest
      await becomes(`seed ${seed}: the view lists what waits`, async () => {
        const listed = (await rows.allInnerTexts()).join("\n");
        return conflict ? listed.includes("conflict") : listed.includes("applied");
      });
      const text = (path) => (existsSync(join(workspace, path)) ? onDisk(path) : undefined);
      await becomes(`seed ${seed}: ${JSON.stringify(accepted)}`, () =>
        (text("docs/new.md") === "One.\n") === accepted["docs/new.md"] &&
        (text("broken.json") === undefined) === accepted["broken.json"] &&
        (text("go.mod.txt") !== undefined && text("go.mod") === undefined) === accepted["go.mod → go.mod.txt"] &&
        text("main.go").includes("os.Exit(2)") === accepted["main.go"] &&
        text("greet/greet.go").includes("func Greet(n") && text("greet/greet.go").includes('"Good day"') === !conflict);
      if (conflict) {
        await press("Reject");
        await card().locator(".status", { hasText: "conflict" }).waitFor({ state: "detached" });
      }
      assert.deepEqual((await workbench.notifications()).filter((text) => !text.includes("does not fit")), []);
      await page.keyboard.press("Escape");
    }
    await capture("46-decided");
    userSettings({});
  });
}

/** Returns a generator of numbers from 0 to 1, always the same ones for a seed. */
function generator(seed) {
  let state = seed;
  return () => (state = (state * 16807) % 2147483647) / 2147483647;
}

function shuffled(all, random) {
  return all.map((one) => [random(), one]).sort(([a], [b]) => a - b).map(([, one]) => one);
}
