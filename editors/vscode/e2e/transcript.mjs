// What one reads in a conversation: long questions, links to what is named, formulas, code, what calls have done, and the
// texts that one looks for.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "./eventually.mjs";

const answer = `The Makefile calls \`ParseName\`, and so does \`Greeting()\`; name.go and \`greet.go:8\` have them, \`twice.md\` is in two
folders, nowhere.go in none, and \`strings.Cut\` is not here. Press <kbd>Ctrl</kbd>+<kbd>S</kbd>.[^1]

The sum is $\\sum_{i=1}^{n} x_i$, which costs $5 or $10.

$$
\\frac{a}{b}
$$

![a diagram](https://example.com/diagram.png)

| a | b | c | d | e | f |
|---|---|---|---|---|---|
| ${Array(6).fill("some words that need room").join(" | ")} |

[^1]: This is a note.

\`\`\`mermaid
graph TD; A-->B;
\`\`\`

\`\`\`go
func main() {
	run()
}
\`\`\`
`;

const question = `Explain **this** code:

\`\`\`go
${Array.from({ length: 40 }, (_, n) => `var line${n} = ${n}`).join("\n")}
\`\`\`

It is long.`;

export async function run({ open, check, capture, workspace, workbench, model, useModel }) {
  const { page, chat } = workbench;
  const turn = workbench.lastTurn;
  const log = chat.locator("#log");
  const box = (locator) => locator.evaluate((node) => node.getBoundingClientRect().toJSON());
  writeFileSync(join(workspace, "Makefile"), "all:\n");
  for (const folder of ["one", "two"]) {
    mkdirSync(join(workspace, folder));
    writeFileSync(join(workspace, folder, "twice.md"), "# Twice\n");
  }
  await open({ indexed: true, chat: true });
  await useModel("scripted/said");

  await check("a long question is a card of a few lines, and the answer is below it", async () => {
    model.said = answer;
    await workbench.type(question);
    await chat.getByRole("button", { name: "Send" }).click();
    await turn.getByText("The sum is").waitFor();
    await workbench.turnEnd();
    const card = chat.locator("#log > .question").last();
    await card.locator("strong", { hasText: "this" }).waitFor();
    assert.equal(await card.locator("figure.code .language").innerText(), "go");
    const folded = await eventually(async () => {
      const { height } = await box(card);
      assert.ok(height < 130, `the question is ${height} px high`);
      assert.ok((await box(turn)).top - (await box(log)).top < 180, "the answer is out of sight");
      return height;
    });
    await capture("60-long-question");
    await card.getByRole("button", { name: "Show more" }).click();
    await eventually(async () => assert.ok((await box(card)).height > 500));
    await card.getByRole("button", { name: "Show less" }).click();
    await eventually(async () => assert.equal((await box(card)).height, folded));
  });

  await check("files and symbols that an answer names are links, if they are the only ones of their name", async () => {
    const links = turn.locator(".message a[href^='file:']");
    await eventually(async () => assert.deepEqual(await links.allInnerTexts(), ["Makefile", "ParseName", "Greeting()", "name.go", "greet.go:8"]));
    const symbol = turn.locator("a", { hasText: "ParseName" });
    assert.match(await symbol.getAttribute("title"), /^func ParseName\(line string\) \(Name, error\)\ngreet\/name.go::ParseName$/);
    await symbol.click();
    await page.locator(".tab.active", { hasText: "name.go" }).waitFor();
    await page.locator('[id="status.editor.selection"]', { hasText: "Ln 16" }).waitFor();
  });

  await check("formulas, keys, notes and images are drawn, and nothing is fetched", async () => {
    await turn.locator(".math:not(.display) math munderover, .math:not(.display) math msubsup").first().waitFor({ state: "attached" });
    await turn.locator(".math.display mfrac").waitFor({ state: "attached" });
    assert.equal(await turn.locator(".math").count(), 2, "a price is a formula");
    assert.deepEqual(await turn.locator("kbd").allInnerTexts(), ["Ctrl", "S"]);
    assert.match(await turn.locator(".footnote").innerText(), /^1 This is a note\.$/);
    assert.equal(await turn.locator("a.image").getAttribute("href"), "https://example.com/diagram.png");
    const table = await turn.locator(".table").evaluate((node) => [node.scrollWidth > node.clientWidth, getComputedStyle(node).backgroundAttachment]);
    assert.deepEqual(table, [true, "local, local, scroll, scroll"]);
    await turn.locator(".math.display").scrollIntoViewIfNeeded();
    await capture("61-formulas");
    assert.deepEqual([...workbench.blocked], []);
  });

  await check("code goes into a new file, and a key leads from block to block", async () => {
    await chat.getByLabel("chat input").focus();
    await page.keyboard.press("Control+Alt+PageDown");
    await chat.locator("figure.code", { hasText: "graph TD" }).locator("pre:focus").waitFor();
    await page.keyboard.press("Control+Alt+PageDown");
    const block = chat.locator("figure.code", { hasText: "run()" });
    await block.locator("pre:focus").waitFor();
    await block.getByRole("button", { name: "Put into a new file" }).click();
    await page.locator(".tab.active", { hasText: "Untitled-1" }).waitFor();
    await page.locator('[id="status.editor.mode"]', { hasText: "Go" }).waitFor();
    await page.locator(".view-line", { hasText: "func main" }).first().waitFor();
    await capture("62-new-file");
    await workbench.closeEditors();
    await chat.locator("figure.code", { hasText: "graph TD" }).getByRole("button", { name: "Open as a diagram" }).click();
    await page.locator(".tab", { hasText: "Preview" }).waitFor();
    await workbench.closeEditors();
  });

  await check("a text is found in all turns, also in those that are not drawn", async () => {
    await workbench.newConversation();
    const turns = 14; // more than fill the view and what is drawn around it
    for (let n = 0; n < turns; n++) {
      model.said = `Answer ${n} has a Needle.\n\n${"Words that fill the view.\n\n".repeat(60)}`;
      await workbench.ask(`question ${n}`);
      await workbench.turnEnd();
    }
    await workbench.reloadWindow();
    await workbench.showChat();
    await chat.locator("#log:not(.replaying)").waitFor();
    await chat.locator(".question", { hasText: `question ${turns - 1}` }).waitFor();
    assert.ok(await chat.locator(".turn.undrawn").count() > 0, "all turns are drawn");
    await eventually(async () => {
      const question = await box(chat.locator(".question").last());
      const top = (await box(log)).top;
      assert.ok(Math.abs(question.top - top) < 40, `the last question is at ${question.top}, the view at ${top}`);
    });
    await page.keyboard.press("Control+f");
    await chat.getByLabel("find in the conversation").fill("needle");
    const count = chat.locator("#find-count");
    await count.getByText(new RegExp(`^\\d+ of ${turns}$`)).waitFor();
    assert.equal(await page.locator(".find-widget.visible").count(), 0, "the editor finds, too");
    const first = parseInt(await count.innerText());
    await page.keyboard.press("Enter");
    await count.getByText(`${(first % turns) + 1} of ${turns}`).waitFor();
    await page.keyboard.press("F3");
    const at = ((first + 1) % turns) + 1;
    await count.getByText(`${at} of ${turns}`).waitFor();
    const shown = chat.getByText(`Answer ${at - 1} has a Needle.`);
    await eventually(async () => {
      const [match, view] = [await box(shown), await box(log)];
      assert.ok(match.top >= view.top && match.bottom <= view.bottom, "the match is out of sight");
    });
    await capture("63-found");
    await page.keyboard.press("Escape");
    await chat.locator("#find").waitFor({ state: "hidden" });
  });

  await check("a call says what it does, and shows its result as a person reads it", async () => {
    await useModel("scripted/teller");
    await workbench.newConversation();
    const step = (tool, args, title, work) => model.asking(async () => {
      model.call({ name: tool, arguments: JSON.stringify(args) });
      if (title) await turn.locator(".tool-call.started .what", { hasText: title }).waitFor();
      await work?.();
    });
    await model.asking(() => workbench.ask("what is here?"));
    await step("run_check", { name: "colors" }, "running the check colors…", () => turn.locator(".permission").getByRole("button", { name: "Allow", exact: true }).click());
    await step("read_file", { file: "greet/greet.go", start_line: 4, end_line: 9 });
    await step("search_text", { pattern: "Family" });
    model.say("That is all.");
    model.goOn();
    await workbench.turnEnd();
    const shown = async (text) => {
      await turn.locator(".tool-call > summary", { hasText: text }).click();
      return turn.locator(".tool-call[open] .texts").last();
    };
    for (const fold of await turn.locator(".fold > summary").all()) await fold.click();
    const check = await shown("ran colors");
    assert.equal(await check.locator("pre.terminal").textContent(), "red\n");
    assert.equal(await check.locator(".ended.failed").innerText(), "exit status 3");
    await check.locator("details.raw > summary").click();
    await check.locator("pre", { hasText: '"passed": false' }).waitFor();
    const read = await shown("read greet");
    await read.locator("figure.code .code-keyword", { hasText: "const" }).waitFor({ state: "attached" });
    await read.locator("a", { hasText: "greet/greet.go:4-9" }).waitFor();
    const hits = await shown("searched");
    await hits.locator(".hits h5").nth(1).waitFor();
    assert.deepEqual(await hits.locator(".hits h5").allInnerTexts(), ["greet/greet.go", "greet/name.go"]);
    await hits.locator("a", { hasText: "greet/name.go:11" }).waitFor();
    await capture("64-results");
  });

  await check("the message that is edited is marked, and its buttons cover no text", async () => {
    const card = chat.locator("#log > .question").last();
    await card.hover();
    const tools = await box(card.locator(".tools"));
    const text = await box(card.locator(".text"));
    assert.ok(tools.right <= text.left || tools.top >= text.bottom, "the buttons are on the text");
    await card.getByRole("button", { name: "Edit this message" }).click();
    await chat.locator(".question.edited", { hasText: "what is here?" }).waitFor();
    await capture("65-edited");
    await page.keyboard.press("Escape");
    await chat.locator(".question.edited").waitFor({ state: "detached" });
  });
}
