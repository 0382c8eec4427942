// Deciding on proposals of the embedded model: accepting, rejecting, undo and redo,
// accepting by file, accepting an edited proposal, and a conflict.
import assert from "node:assert/strict";
import * as project from "./project.mjs";

export async function run({ open, check, capture, workbench, onDisk }) {
  const { page } = workbench;
  await open({ indexed: true, chat: true });
  const line = (text) => page.locator(".editor-instance .view-line", { hasText: text }).first();
  const press = (card, name) => card.getByRole("button", { name, exact: true }).click();

  async function propose(text) {
    await workbench.newConversation();
    await workbench.ask(text);
    const card = workbench.lastTurn.locator(".proposal");
    await card.waitFor();
    await workbench.turnEnd();
    return card;
  }

  await check("a rename is proposed, shown as a diff, accepted and applied", async () => {
    await workbench.ask("rename ParseName to ReadName");
    const card = workbench.lastTurn.locator(".proposal");
    await card.waitFor();
    await card.getByRole("button", { name: "Show diff" }).click();
    await page.locator(".multiDiffEntry, .multi-diff-editor, .multiDiffEditor").first().waitFor();
    await page.locator(".view-line", { hasText: "ReadName" }).first().waitFor();
    await capture("5-diff");
    await card.getByRole("button", { name: "Accept", exact: true }).click();
    await card.getByText("Applied", { exact: true }).waitFor();
    await workbench.openFile("greet/name.go");
    await page.locator(".view-line", { hasText: "func ReadName" }).waitFor();
    await capture("6-accepted");
    await workbench.saveAll("main.go", "name.go");
    assert.equal(onDisk("main.go"), project.files["main.go"].replaceAll("ParseName", "ReadName"));
    assert.match(onDisk("greet/name.go"), /func ReadName\(line string\)/);
  });

  await check("a rejected proposal changes nothing", async () => {
    const before = onDisk("greet/greet.go");
    await workbench.ask("rename polite to hello");
    const card = workbench.lastTurn.locator(".proposal");
    await card.getByRole("button", { name: "Show diff" }).click();
    await page.locator(".monaco-diff-editor .view-line", { hasText: "const hello" }).first().waitFor();
    await capture("7-single-diff");
    await card.getByRole("button", { name: "Reject" }).click();
    await card.getByText("Rejected").waitFor();
    await page.locator(".tab", { hasText: "rename polite to hello" }).waitFor({ state: "detached" }); // nothing waits there any more
    await workbench.openFile("greet/greet.go");
    await page.locator(".view-line", { hasText: "const polite" }).waitFor();
    assert.equal(onDisk("greet/greet.go"), before);
  });

  await check("an applied edit is undone and redone", async () => {
    const card = await propose("rename ReadName to TakeName");
    await press(card, "Accept");
    await card.getByText("Applied", { exact: true }).waitFor();
    await workbench.openFile("greet/name.go");
    await line("func TakeName").waitFor();
    await press(card, "Undo");
    await card.getByText("Undone").waitFor();
    await line("func ReadName").waitFor();
    await capture("18-undone");
    await press(card, "Redo");
    await card.getByText("Applied", { exact: true }).waitFor();
    await line("func TakeName").waitFor();
    await workbench.saveAll("main.go", "name.go");
    assert.match(onDisk("main.go"), /greet\.TakeName/);
    assert.match(onDisk("greet/name.go"), /TakeName reads[^]*func TakeName/);
  });

  await check("a proposal is accepted file by file, and the card says what is left", async () => {
    const card = await propose("rename TakeName to FetchName");
    const other = await card.getByRole("button", { name: "Accept greet/name.go" }).elementHandle();
    await card.getByRole("button", { name: "Accept main.go" }).click();
    await card.getByText("2 waiting, 1 applied").waitFor();
    assert.equal(await card.getByRole("button", { name: "Accept main.go" }).count(), 0);
    assert.ok(await other.evaluate((button) => button.isConnected), "the button of the other file may lose a click");
    await capture("19-part");
    await press(card, "Accept");
    await card.getByText("Applied", { exact: true }).waitFor();
    await workbench.saveAll("main.go", "name.go");
    assert.match(onDisk("main.go"), /greet\.FetchName/);
    assert.match(onDisk("greet/name.go"), /FetchName reads[^]*func FetchName/);
  });

  await check("a proposal is edited before it is accepted", async () => {
    const before = onDisk("greet/greet.go");
    const card = await propose("rename polite to kind");
    await press(card, "Show diff");
    const changed = page.locator(".monaco-diff-editor .modified .view-line", { hasText: "const kind" });
    await changed.click();
    await page.keyboard.press("End");
    await page.keyboard.type(" // not");
    await page.locator(".tab.active.dirty").waitFor();
    await page.keyboard.press("Control+s");
    await page.locator(".tab.active.dirty").waitFor({ state: "detached" });
    assert.equal(onDisk("greet/greet.go"), before);
    await page.keyboard.type(" rude"); // accepting saves it
    await page.locator(".tab.active.dirty").waitFor();
    await capture("20-edited");
    await press(card, "Accept");
    await card.getByText("Applied", { exact: true }).waitFor();
    await page.locator(".tab", { hasText: "rename polite to kind" }).waitFor({ state: "detached" });
    await workbench.openFile("greet/greet.go");
    await workbench.saveAll("greet.go");
    assert.equal(onDisk("greet/greet.go"), before.replaceAll("polite", "kind").replace('kind = "Hello"', '$& // not rude'));
  });

  await check("a proposal that no longer fits shows its conflict, until the text fits again", async () => {
    const card = await propose("rename kind to warm");
    await line("const kind").click();
    await page.keyboard.press("End");
    await page.keyboard.type(" at all");
    await card.getByText("2 conflict, 2 waiting").waitFor();
    const conflict = card.locator(".conflict").last();
    await conflict.locator("pre", { hasText: "at all" }).waitFor(); // it conflicts from the first letter on
    assert.match(await conflict.innerText(), /^greet\/greet\.go:\d+ has changed:/);
    const sides = await conflict.locator("pre").allInnerTexts();
    assert.deepEqual(sides.map((text) => text.trim().split("\n").at(-1)), ["const kind", "const kind", "const warm"].map(
      (name, side) => `${name} = "Hello" // not rude${side === 1 ? " at all" : ""}`,
    ));
    await capture("21-conflict");
    await line("at all").click();
    await page.keyboard.press("End");
    for (const _ of " at all") await page.keyboard.press("Backspace");
    await press(card, "Accept");
    await card.getByText("Applied", { exact: true }).waitFor();
    assert.equal(await card.locator(".conflict").count(), 0);
    await workbench.saveAll("greet.go");
    await workbench.command("Notifications: Clear All Notifications");
  });
}
