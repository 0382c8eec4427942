// Proof: what a person sees of a change that was checked in a sandbox before they look, and of a command that runs.
import assert from "node:assert/strict";
import { replacing } from "./editingModel.mjs";
import { eventually } from "./eventually.mjs";

const settings = `[checks.build]
command = ["sh", "-c", "if grep -q BROKEN greet/greet.go; then echo greet/greet.go:5:1: a broken word; exit 1; fi"]
on = "proposal"
[proof]
rounds = 0
`;

export async function run({ open, check, capture, workbench, model, useModel, server }) {
  server.writeServerSettings(settings);
  await open({ indexed: true, chat: true });
  await useModel("scripted/editing");
  const source = (name) => workbench.lastTurn.locator(".proposal .evidence > li", { has: workbench.page.locator(".source", { hasText: name }) });
  const bar = workbench.chat.getByRole("region", { name: "proposed edits" });
  const allow = () => workbench.lastTurn.locator(".permission", { hasText: "run commands in a sandbox" })
    .getByRole("button", { name: "Always allow", exact: true }).click();

  await check("a card says what is new with the change, and leads there", async () => {
    model.edits = [replacing("Other words", ["greet/greet.go", "Hello", "BROKEN"])];
    await workbench.ask("choose other words");
    await allow();
    const build = source("build");
    await build.getByText("1 new problem").waitFor();
    await workbench.turnEnd();
    assert.match(await build.getAttribute("class"), /failed/);
    await bar.locator(".failed").getByText("build: 1 new problem").waitFor();
    await build.locator("summary").click();
    await build.locator(".output", { hasText: "a broken word" }).waitFor();
    await capture("50-evidence");
    await build.getByRole("button", { name: "greet/greet.go:5" }).click();
    await workbench.page.locator(".monaco-diff-editor .modified .view-line", { hasText: "BROKEN" }).waitFor();
  });

  await check("what is fixed has passed, without another question", async () => {
    model.edits = [replacing("Other words", ["greet/greet.go", "BROKEN", "Good day"])];
    await workbench.ask("choose good words");
    await workbench.turnEnd();
    await source("build").getByText("passed").waitFor();
    await bar.getByTitle(/^build: passed/).waitFor(); // go vet, which may not be installed, can be more urgent
    assert.equal(await workbench.lastTurn.locator(".permission").count(), 0);
    await capture("51-evidence-passed");
  });

  await check("a running command shows what it prints, until it ends", async () => {
    model.edits = [{ tool: "run_command", args: { command: ["echo begun; head -c 1 /dev/zero >ready; while [ -e ready ]; do sleep 0.1; i=x$i; [ $i = xxxxxxxxxxxxxxx ] && rm ready; done"] } }];
    await workbench.newConversation();
    const printed = await printedFromNow(); // it is there for a moment only
    await workbench.ask("run it");
    const step = workbench.lastTurn.locator(".tool-call");
    await eventually(async () => assert.match((await printed()).join(), /begun/));
    await capture("52-command");
    await workbench.turnEnd();
    assert.equal(await step.locator(".printed").count(), 0);
    assert.equal(await step.evaluate((details) => details.open), false);
  });

  /** Records what the chat shows of what commands print from now on. */
  async function printedFromNow() {
    const body = workbench.chat.locator("body");
    await body.evaluate((body) => {
      window.printed = [];
      new MutationObserver(() => window.printed.push(...[...body.querySelectorAll(".printed")].map(({ textContent }) => textContent)))
        .observe(body, { childList: true, characterData: true, subtree: true });
    });
    return () => body.evaluate(() => window.printed);
  }
}
