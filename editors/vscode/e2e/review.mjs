// The review in the editor: marks, lenses and hovers in the files, next and previous,
// diffs, the view of proposed edits, conflicts, undo and redo.
import assert from "node:assert/strict";
import { replacing } from "./editingModel.mjs";
import { eventually } from "./eventually.mjs";
import * as project from "./project.mjs";

const greet = "greet/greet.go";
const clearer = replacing("Clearer words",
  [greet, 'const polite = "Hello"', 'const polite = "Good day"'],
  [greet, "// Greeting returns the sentence that greets a person.\n", "// Greeting returns the sentence that greets a person.\n// It never fails.\n"],
  [greet, 'return polite + ", " + n.Given + "!"', 'return polite + ", dear " + n.Given + "!"'],
  ["greet/name.go", '"the name is empty"', '"a name is missing"'],
  ["main.go", "os.Exit(1)", "os.Exit(2)"]);

export async function run({ open, check, capture, workbench, onDisk, model, useModel }) {
  const { page } = workbench;
  await open({ indexed: true, chat: true });
  await useModel("scripted/editing");
  const line = (text) => page.locator(".editor-instance .view-line", { hasText: text }).first();
  const lens = (name) => page.locator(".editor-instance .codelens-decoration a", { hasText: new RegExp(`^\\s*${name}$`) });
  const place = page.locator('.statusbar-item[id="ploke.ploke.ploke.review"]');
  const tree = page.locator(".pane", { has: page.locator(".pane-header", { hasText: "Proposed Edits" }) });
  const row = (text) => tree.locator(".monaco-list-row", { hasText: text });
  const bar = workbench.chat.getByRole("region", { name: "proposed edits" });
  const card = () => workbench.lastTurn.locator(".proposal");
  const says = (label) => card().locator(".status", { hasText: new RegExp(`^${label}$`) }).waitFor();
  const press = (name) => card().getByRole("button", { name, exact: true }).click();
  const left = page.locator(".monaco-diff-editor .original .view-line");
  const right = page.locator(".monaco-diff-editor .modified .view-line");
  const diffFocused = page.locator(".monaco-diff-editor .modified .monaco-editor.focused, .monaco-diff-editor .monaco-editor.focused.modified-in-monaco-diff-editor");
  const cursorAt = (number) => page.locator('[id="status.editor.selection"]', { hasText: new RegExp(`^Ln ${number},`) }).waitFor();

  async function propose(edits) {
    model.edits = edits;
    await workbench.newConversation();
    await workbench.ask("make it so");
    await card().waitFor();
    await workbench.turnEnd();
  }

  /** Presses the keys of a chord. */
  async function chord(...keys) {
    for (const key of keys) await page.keyboard.press(key);
  }

  /** What decorations show behind the text of a line, and what of that has another ground than the rest. */
  const ghost = (text) => line(text).evaluate((node) => {
    const shown = [...node.querySelectorAll("[class*='ced-']")].map((span) => getComputedStyle(span, "::after")).filter(({ content }) => content.startsWith('"'));
    const plain = (content) => JSON.parse(content).replaceAll("\u00a0", " ");
    const [common] = shown.map(({ backgroundColor }) => backgroundColor);
    return { text: shown.map(({ content }) => plain(content)).join("").trimEnd(), marked: shown.filter(({ backgroundColor }) => backgroundColor !== common).map(({ content }) => plain(content)) };
  });

  /** How many parts of the text have this colour of the theme as their ground. */
  const grounds = (colour) => page.locator(".editor-instance .view-overlays").first().evaluate((overlays, colour) => {
    const wanted = document.createElement("i");
    overlays.append(wanted);
    wanted.style.backgroundColor = `var(--vscode-${colour.replaceAll(".", "-")})`;
    const ground = getComputedStyle(wanted).backgroundColor;
    wanted.remove();
    return [...overlays.querySelectorAll("[class*='ced-']")].filter((mark) => getComputedStyle(mark).backgroundColor === ground).length;
  }, colour);

  await check("the new text is beside the old one, with what differs marked in both, and nothing is inserted", async () => {
    await propose([clearer]);
    await workbench.openFile(greet);
    await lens("Accept").nth(2).waitFor();
    await eventually(async () => {
      for (const name of ["Accept", "Reject", "Edit"]) assert.equal(await lens(name).count(), 3, name);
      assert.equal(await line("Good day").count(), 0);
      assert.deepEqual(await ghost("const polite"), { text: 'const polite = "Good day"', marked: ["Good day"] });
      assert.equal((await ghost("func Greeting")).text, "// It never fails.");
      assert.equal(await grounds("diffEditor.removedTextBackground"), 1);
      assert.equal(await page.locator(".editor-instance .glyph-margin-widgets [class*='ced-']").count(), 3);
    });
    await place.getByText("5 proposed edits").waitFor();
    const lines = await grounds("diffEditor.removedLineBackground"); // the same colour as that of texts in some themes
    await line("const polite").click();
    await eventually(async () => assert.equal(await grounds("diffEditor.removedLineBackground"), lines + 1, "the line is not tinted"));
    await line("const polite").hover({ position: { x: 20, y: 8 } });
    const hover = page.locator(".monaco-hover:visible", { hasText: "Clearer words" });
    await hover.getByText("Good day").first().waitFor();
    await capture("30-review");
    await page.keyboard.press("Escape");
  });

  await check("the view takes a line until it is asked for, and the bar counts and walks", async () => {
    const { height } = await tree.locator(".pane-header").boundingBox();
    await eventually(async () => assert.equal((await tree.boundingBox()).height, height));
    await bar.getByText("3 files · 5 edits").waitFor();
    await line("package greet").click();
    for (const [name, at] of [["Next", "1 of 5"], ["Next", "2 of 5"], ["Previous", "1 of 5"], ["Previous", "5 of 5"]]) {
      await bar.getByRole("button", { name: `Go to ${name} Proposed Edit` }).click();
      await bar.getByText(at).waitFor();
    }
    await line("os.Exit(1)").waitFor();
    await bar.getByRole("button", { name: "3 files · 5 edits" }).click();
    await row("Clearer words").waitFor();
    await workbench.openFile(greet);
  });

  await check("next and previous walk over all files, and the status bar counts", async () => {
    await line("package greet").click();
    for (const [at, text] of [[1, "const polite"], [2, "func Greeting"], [3, "n.Given"], [4, "name is empty"], [5, "os.Exit(1)"], [1, "const polite"]]) {
      await chord("Alt+F5");
      await place.getByText(`${at} of 5 · Clearer words`).waitFor();
      await line(text).waitFor();
    }
    await chord("Shift+Alt+F5");
    await place.getByText("5 of 5").waitFor();
    await capture("31-next");
    await place.click();
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "a name is missing" }).click();
    await place.getByText("4 of 5").waitFor();
    await line("name is empty").waitFor();
  });

  await check("a view lists what waits by proposal, file and hunk, with a badge", async () => {
    await workbench.listEdits();
    await row("Clearer words").getByText("5 edits").waitFor();
    await row("greet.go").waitFor();
    await row("a name is missing").waitFor();
    await page.locator(".activitybar .badge-content", { hasText: "5" }).waitFor();
    await row("os.Exit(2)").click();
    await place.getByText("5 of 5").waitFor();
  });

  await check("a hunk is accepted by its lens, and the card and the view say so", async () => {
    await workbench.openFile(greet);
    await lens("Accept").first().click();
    await line('const polite = "Good day"').waitFor();
    await says("4 waiting, 1 applied");
    await row("Clearer words").getByText("4 edits").waitFor();
    await lens("Accept").nth(2).waitFor({ state: "detached" });
    await capture("32-accepted-hunk");
  });

  await check("hunks move with what is typed, and are accepted and rejected with keys", async () => {
    await line("package greet").click();
    await chord("Home");
    await page.keyboard.type("// Typed.\n// Again.\n");
    await eventually(async () => assert.equal(await lens("Accept").count(), 2));
    await chord("Alt+F5");
    await place.getByText("1 of 4").waitFor();
    await cursorAt(9);
    await chord("Control+k", "y");
    await line("It never fails").waitFor();
    await place.getByText("1 of 3").waitFor(); // the next one
    await cursorAt(13);
    await chord("Control+k", "n");
    await says("2 waiting, 2 applied, 1 rejected");
    assert.equal(await line("dear").count(), 0);
    await workbench.openFile(greet);
    await line("// Again.").waitFor();
    await lens("Accept").first().waitFor({ state: "detached" });
  });

  await check("the rest is accepted from the view, and all is undone and redone from there", async () => {
    await row("Clearer words").getByText("2 edits").waitFor(); // a row that is drawn again loses a click
    await row("main.go").hover();
    await row("main.go").getByRole("button", { name: "Accept Proposed Edits of File" }).click();
    await says("1 waiting, 3 applied, 1 rejected");
    await row("Clearer words").getByText("1 edit").waitFor();
    await row("Clearer words").hover();
    await row("Clearer words").getByRole("button", { name: "Reject All Proposed Edits" }).click();
    await says("3 applied, 2 rejected");
    assert.equal(await card().getByRole("button", { name: "Accept", exact: true }).count(), 0);
    await row("Clearer words").getByText("3 applied, 2 rejected").waitFor();
    await row("Clearer words").hover();
    await row("Clearer words").getByRole("button", { name: "Undo Proposed Edit" }).click();
    await says("3 undone, 2 rejected");
    await row("Clearer words").getByText("3 undone, 2 rejected").waitFor();
    await line('const polite = "Hello"').waitFor();
    await line("// Again.").waitFor();
    await capture("33-undone");
    await row("Clearer words").hover();
    await row("Clearer words").getByRole("button", { name: "Redo Proposed Edit" }).click();
    await says("3 applied, 2 rejected");
    await line('const polite = "Good day"').waitFor();
    await workbench.saveAll("greet.go", "main.go");
    assert.match(onDisk("main.go"), /os\.Exit\(2\)/);
    assert.equal(onDisk("greet/name.go"), project.files["greet/name.go"]);
  });

  await check("a diff compares the file with what still waits, after each step", async () => {
    await propose([replacing("Dear reader", [greet, '"Good day"', '"Dear"'], [greet, "It never fails.", "It always works."], ["main.go", "os.Exit(2)", "os.Exit(3)"])]);
    await card().getByRole("button", { name: "greet/greet.go", exact: true }).click();
    await right.filter({ hasText: '"Dear"' }).waitFor();
    await left.filter({ hasText: '"Good day"' }).waitFor();
    await capture("34-diff");
    await diffFocused.waitFor();
    await chord("Control+k", "y");
    await left.filter({ hasText: '"Dear"' }).waitFor();
    await right.filter({ hasText: "It always works" }).waitFor();
    await left.filter({ hasText: "It never fails" }).waitFor();
    await says("2 waiting, 1 applied");
    await place.getByText("1 of 2").waitFor();
  });

  await check("the right side of a diff is edited, and the proposal follows", async () => {
    await right.filter({ hasText: "It always works" }).click();
    await chord("End");
    await page.keyboard.type(" Mostly.");
    const diff = page.locator(".tab", { hasText: "greet.go: Dear reader" });
    await diff.and(page.locator(".dirty")).waitFor();
    await page.locator(".tab:not(.active)", { hasText: "greet.go" }).click();
    await line("It never fails").waitFor();
    await line("package greet").click();
    await chord("Control+Home", "End");
    await page.keyboard.type(" In the file.");
    await diff.click();
    await right.filter({ hasText: "It always works" }).click();
    await page.locator(".editor-actions").getByRole("button", { name: "Accept Proposed Edit at Cursor" }).click();
    await says("1 waiting, 2 applied");
    await page.locator(".tab", { hasText: "main.go: Dear reader" }).waitFor(); // the next one, unless another editor is shown first
    await workbench.openFile(greet);
    await line("It always works. Mostly.").waitFor();
    await line("// Typed. In the file.").waitFor();
    await diff.waitFor({ state: "detached" }); // nothing waits there any more
    await capture("35-edited-diff");
  });

  await check("the next file is accepted from its lens", async () => {
    await workbench.saveAll("greet.go");
    await page.getByRole("tab", { name: "main.go", exact: true }).click();
    await lens("Accept").click();
    await line("os.Exit(3)").waitFor();
    await says("Applied");
  });

  await check("what the editor's own keys undo and redo is said, and can be redone from the card", async () => {
    await line("os.Exit(3)").click();
    for (const [key, exit, label] of [["Control+z", 2, "2 applied, 1 undone"], ["Control+y", 3, "Applied"], ["Control+z", 2, "2 applied, 1 undone"]]) {
      await chord(key);
      await line(`os.Exit(${exit})`).waitFor();
      await says(label);
    }
    await press("Redo");
    await line("os.Exit(3)").waitFor();
    await says("Applied");
    await workbench.saveAll("main.go");
  });

  await check("a conflict is resolved in the merge editor", async () => {
    await propose([replacing("Kinder", [greet, '"Dear"', '"Kind"'], ["greet/name.go", "is empty", "is missing"])]);
    await workbench.openFile(greet);
    await line('"Dear"').click();
    await chord("End");
    await page.keyboard.type(" // mine");
    await lens("Resolve conflict").waitFor();
    await says("1 conflict, 1 waiting");
    await card().locator(".conflict pre").getByText('"Dear" // mine').waitFor();
    await capture("36-conflict");
    await lens("Resolve conflict").click();
    await page.locator(".merge-editor").waitFor();
    await page.locator(".merge-editor .view-line", { hasText: '"Kind"' }).first().waitFor();
    await page.locator(".merge-editor").getByText("1 Conflict Remaining").waitFor();
    await page.locator(".merge-editor .conflict-actions, .merge-editor-conflict-actions").getByText("Accept Now").first().click();
    await capture("37-merge");
    const result = page.locator(".merge-editor .result .view-line");
    await result.filter({ hasText: '"Dear" // mine' }).click();
    await chord("End");
    await page.keyboard.type(" and kind");
    await page.locator(".editor-actions").getByRole("button", { name: "Accept Merge" }).click();
    await says("1 waiting, 1 applied");
    await page.locator(".merge-editor").waitFor({ state: "detached" });
    await workbench.openFile(greet);
    await line('"Dear" // mine and kind').waitFor();
    await lens("Resolve conflict").waitFor({ state: "detached" });
    await capture("38-merged");
    await press("Undo");
    await says("1 waiting, 1 undone");
    await line('"Dear" // mine').waitFor();
    assert.equal(await line("and kind").count(), 0);
  });

  await check("a new file, a deletion and another name are shown and accepted one by one", async () => {
    await propose([
      { tool: "create_file", args: { file: "greet/bye.go", content: "package greet\n\nconst bye = 1\n", reason: "Move things" } },
      { tool: "delete_file", args: { file: "broken.json" } },
      { tool: "rename_file", args: { file: "main.go", to: "greeter.go" } },
    ]);
    await row("Move things").getByText("3 edits").waitFor();
    await capture("39-files");
    await card().getByRole("button", { name: "greet/bye.go", exact: true }).click();
    await right.filter({ hasText: "const bye" }).waitFor();
    await diffFocused.waitFor();
    await chord("Control+k", "y");
    await says("2 waiting, 1 applied");
    await card().getByRole("button", { name: "Accept broken.json" }).click();
    await says("1 waiting, 2 applied");
    await page.getByRole("tab", { name: "bye.go", exact: true }).waitFor(); // VS Code opens it a while after it was made
    await page.getByRole("tab", { name: "main.go", exact: true }).click();
    await lens("Accept: rename to greeter.go").click();
    await says("Applied");
    await page.locator(".tab.active", { hasText: "greeter.go" }).waitFor();
    await press("Undo");
    await says("Undone");
  });

  await check("what waits is there again after a restart of the server", async () => {
    await workbench.command("ploke: Restart Server");
    await row("Kinder").waitFor();
    await place.getByText("1 proposed edit").waitFor();
  });
}
