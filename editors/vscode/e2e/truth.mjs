// What has failed looks like it: steps, quotations, answers out of view, files that go.
import assert from "node:assert/strict";
import { replacing } from "./editingModel.mjs";
import { eventually } from "./eventually.mjs";

const filesOfEachKind = [
  { tool: "create_file", args: { file: "docs/new.md", content: "One.\nTwo.\nThree.\n", reason: "Each kind" } },
  { tool: "delete_file", args: { file: "greet/name.go", reason: "Each kind" } },
  { tool: "rename_file", args: { file: "broken.json", to: "fixed.json", reason: "Each kind" } },
  replacing("Each kind", ["main.go", "		fmt.Println(greet.Greeting(name))\n", "		fmt.Println(greet.Greeting(name))\n		os.Exit(0)\n"]),
];

export async function run({ open, check, capture, workbench, model, useModel, server, binary }) {
  const { page, chat } = workbench;
  await open({ indexed: true, chat: true });
  const failed = workbench.lastTurn.locator(".tool-call.failed");
  const mark = (step) => step.locator("summary").evaluate((summary) => getComputedStyle(summary, "::before").content);

  await check("nothing is said of the cost of a model that costs nothing", async () => {
    assert.doesNotMatch(await workbench.status.getAttribute("aria-label"), /\$/);
  });

  await check("a check that fails and an edit that can't be staged have a cross, and are counted", async () => {
    await useModel("scripted/editing");
    model.edits = [
      replacing("Nothing", ["main.go", "no such text", "text"]),
      { tool: "run_check", args: { name: "bad" } },
      { tool: "run_check", args: { name: "hello" } },
    ];
    await workbench.newConversation();
    await workbench.ask("check it");
    for (const name of ["bad", "hello"]) {
      await workbench.lastTurn.locator(".permission", { hasText: `run the check ${name}` }).getByRole("button", { name: "Allow", exact: true }).click();
    }
    await workbench.turnEnd();
    for (const fold of await workbench.lastTurn.locator(".fold > summary").all()) await fold.click();
    await failed.nth(1).waitFor();
    assert.deepEqual(await Promise.all((await failed.all()).map(mark)), ['"✗"', '"✗"']);
    assert.match(await failed.last().innerText(), /ran bad: exit status \d/);
    assert.equal(await mark(workbench.lastTurn.locator(".tool-call.finished")), '"✓"');
    const folds = (await workbench.lastTurn.locator(".fold > summary").allInnerTexts()).join();
    assert.match(folds, /[12] failed/);
    await capture("40-failed-steps");
  });

  await check("a quotation that is not in its file says so", async () => {
    await useModel("scripted/said");
    model.said = 'It is here:\n<code="greet/greet.go" #7:9>\nfunc Greeting(n Name) (string, error) {\n\treturn n.Title(), nil\n}\n</code>\n';
    await workbench.newConversation();
    await workbench.ask("quote it");
    await workbench.lastTurn.getByText("differs from the file").waitFor();
    assert.equal(await workbench.lastTurn.locator("button.citation").count(), 0);
    await capture("41-differs");
  });

  await check("a failure below the view is shown above the composer", async () => {
    const strip = chat.locator("#failed");
    await useModel("scripted/failing");
    await workbench.newConversation();
    await workbench.type(`${"one more line\n".repeat(70)}status 401`);
    await chat.getByRole("button", { name: "Send" }).click();
    await workbench.lastTurn.locator(".failure").waitFor();
    await chat.locator("#log > .question").last().getByRole("button", { name: "Show more" }).click();
    await chat.locator("#log").evaluate((log) => log.scrollTo(0, 0));
    await strip.getByText("Failed").waitFor();
    await capture("42-failure-strip");
    await strip.getByRole("button", { name: "Show" }).click();
    await strip.waitFor({ state: "hidden" });
    await workbench.lastTurn.locator(".failure").waitFor();
  });

  await check("another key can be given where a provider refuses the key", async () => {
    await workbench.lastTurn.getByRole("button", { name: "Enter another key…" }).click();
    const input = page.locator(".quick-input-widget input[type=password]");
    await input.fill("another-key-1234");
    const before = server.processes(binary)[0].pid;
    await page.keyboard.press("Enter");
    await eventually(() => assert.ok(server.processes(binary).some(({ pid }) => pid !== before), "the server got no key"));
    model.works = true;
    await workbench.indexed();
    await workbench.lastTurn.getByRole("button", { name: "Retry" }).click();
    await workbench.lastTurn.getByText("It works now.").waitFor();
  });

  await check("a card and the view say what becomes of files, with the same counts", async () => {
    await useModel("scripted/editing");
    model.edits = filesOfEachKind;
    await workbench.newConversation();
    await workbench.ask("do each");
    await workbench.turnEnd();
    await workbench.listEdits();
    const file = (name) => workbench.lastTurn.locator(".proposal .files li", { hasText: name });
    const row = (name) => page.locator(".pane .monaco-list-row", { hasText: name }).first();
    for (const [name, badge, size] of [
      ["new.md", "new", "+3"], ["name.go", "deleted", "−22"], ["fixed.json", "renamed", ""], ["main.go", "", "+1"],
    ]) {
      await file(name).locator(".size").waitFor({ state: "attached" });
      await eventually(async () => {
        const inCard = (await file(name).innerText()).split(/\s+/);
        const inView = (await row(name).locator(".label-description").innerText()).split(/\s+/);
        for (const text of [badge, size].filter(Boolean)) {
          assert.ok(inCard.includes(text), `the card says ${inCard}`);
          assert.ok(inView.includes(text), `the view says ${inView}`);
        }
      });
    }
    const colour = await file("name.go").locator(".badge").evaluate((node) => getComputedStyle(node).color);
    const [red, green, blue] = colour.match(/\d+/g).map(Number);
    assert.ok(red > 150 && green < red / 2 && blue < red / 2, `${colour} is not red`);
    await capture("43-badges");
    await workbench.lastTurn.getByRole("button", { name: "Reject", exact: true }).click();
    await workbench.lastTurn.locator(".status", { hasText: "Rejected" }).waitFor();
  });

  await check("a server that is killed and starts again causes no notification", async () => {
    await workbench.command("Notifications: Clear All Notifications");
    await useModel("scripted/manual");
    await workbench.newConversation();
    await workbench.ask("cut short");
    await workbench.lastTurn.getByText("Answer to cut short").waitFor();
    process.kill(server.processes(binary)[0].pid, "SIGKILL");
    await workbench.lastTurn.getByText("Interrupted").waitFor();
    await workbench.newConversation();
    await workbench.command("ploke: Choose Model"); // what is asked meanwhile waits
    await page.locator(".quick-input-list .monaco-list-row").first().waitFor();
    await page.keyboard.press("Escape");
    await workbench.indexed();
    assert.deepEqual(await workbench.notifications(), []);
  });
}
