// Notebooks: what is selected in a cell, links to a cell, and the diff of an edit.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "./eventually.mjs";
import { notebook, notebookEdit } from "./notebook.mjs";

const quoting = `The mean is in numbers.ipynb:14, and the numbers are read here:

<code="numbers.ipynb" #9:11>
    """Reads a number of each line."""
    with open(path) as lines:
        return [float(row[0]) for row in csv.reader(lines)]
</code>
`;

export async function run({ open, check, capture, workspace, workbench, model, useModel }) {
  const { page, chat } = workbench;
  writeFileSync(join(workspace, "numbers.ipynb"), notebook);
  await open({ indexed: true, chat: true });
  const line = (text) => page.locator(".notebookOverlay .view-line", { hasText: text }).first();
  /** Whether the notebook editor has the focus on a cell, by its number from 1. */
  const focusedOn = (number) => eventually(async () => {
    const focused = page.locator(".notebookOverlay .cell-list-container .monaco-list-row.focused");
    assert.equal(await focused.getAttribute("data-index"), String(number - 1));
  });
  const noText = async () => assert.equal(await page.locator(".editor-instance > .monaco-editor[data-uri$='numbers.ipynb']").count(), 0, "the JSON is shown");

  await check("what is selected in a cell goes along, and names the cell", async () => {
    await useModel("scripted/said");
    model.said = quoting;
    await workbench.pick("Control+p", "numbers.ipynb", { hasText: "numbers.ipynb" });
    await line("mean = sum").click();
    await page.keyboard.press("Home");
    await page.keyboard.press("Shift+End");
    await workbench.chip("numbers.ipynb, cell 3:2").waitFor();
    await capture("80-cell-selected");
    await workbench.ask("what is it?");
    await workbench.turnEnd();
    assert.match(model.question, /From cell 3 of numbers\.ipynb/);
    assert.match(model.question, /mean = sum\(values\)/);
    assert.doesNotMatch(model.question, /print\(mean\)|cell_type/);
    await chat.locator("#log > .question .attached", { hasText: "numbers.ipynb, cell 3" }).waitFor();
  });

  await check("@selection is what is selected in a cell, also before it is saved", async () => {
    await line("print").click();
    await page.keyboard.press("End");
    await page.keyboard.type("  # shown");
    await page.locator(".tab.dirty", { hasText: "numbers.ipynb" }).waitFor();
    await page.keyboard.press("Shift+Home");
    await workbench.chip("numbers.ipynb, cell 3:3").waitFor();
    await chat.getByRole("button", { name: /Remove .*cell 3/ }).click();
    await workbench.ask("what does @selection do?");
    await workbench.turnEnd();
    assert.match(model.question, /From cell 3 of numbers\.ipynb[^]*print\(mean\) {2}# shown/);
    await line("print").click();
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+s");
    await page.locator(".tab.dirty").waitFor({ state: "detached" });
  });

  await check("a link to a notebook opens its cell", async () => {
    await workbench.closeEditors();
    await workbench.lastTurn.locator("a", { hasText: "numbers.ipynb, cell 2" }).click();
    await focusedOn(2);
    await workbench.lastTurn.locator("button.citation", { hasText: "numbers.ipynb, cell 2" }).click();
    await focusedOn(2);
    await workbench.lastTurn.locator("a", { hasText: "numbers.ipynb:14" }).click();
    await focusedOn(3);
    await capture("81-cell-opened");
    await noText();
    assert.equal(await page.locator(".tab", { hasText: "numbers.ipynb" }).count(), 1);
  });

  await check("an edit of a notebook is shown as cells", async () => {
    model.edits = notebookEdit;
    await useModel("scripted/editing");
    await workbench.newConversation();
    await workbench.ask("plot the numbers");
    await workbench.turnEnd();
    await workbench.command("ploke: Go to Next Proposed Edit");
    await page.locator(".notebook-text-diff-editor .view-line", { hasText: "max(1, len(values))" }).first().waitFor();
    await capture("82-notebook-diff");
    await noText();
    await workbench.lastTurn.locator(".proposal").getByRole("button", { name: "Reject", exact: true }).click();
    await workbench.lastTurn.getByText("Rejected").waitFor();
  });
}
