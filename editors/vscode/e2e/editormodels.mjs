// The list of models where VS Code has none of its own, which is so without another extension.
import assert from "node:assert/strict";

export const shared = true;

export async function run({ open, check, workbench }) {
  const { page } = workbench;
  const row = (text) => page.locator(".quick-input-list .monaco-list-row", { hasText: text });
  await open({ indexed: true, chat: true });

  await check("without models of VS Code the list has none and says nothing of it, and offers to add one", async () => {
    await workbench.command("ploke: Choose Model");
    await row("Add a Model…").waitFor();
    assert.equal(await row("editor/").count(), 0);
    assert.equal(await row("does not list its models").count(), 0);
    await row("Add a Model…").click();
    await row("OpenRouter").waitFor();
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(".notification-toast").count(), 0);
  });

  await check("a model that has words for how long it reasons is chosen with one", async () => {
    await workbench.command("ploke: Choose Model");
    await row("scripted/deep").click();
    await row("As the model does by default").waitFor();
    await row("high").click();
    await page.locator('.statusbar-item[id="ploke.ploke.ploke"][aria-label*="scripted/deep#high"]').waitFor();
    await workbench.command("ploke: Choose Model");
    await row("scripted/deep").and(page.locator('[aria-label*="effort: high"]')).waitFor();
    assert.equal(await row("its provider does not list it").count(), 0);
    await page.keyboard.press("Escape");
  });

  await check("Enter right after the last letter of a model's name chooses the whole name", async () => {
    await workbench.command("ploke: Choose Model");
    const input = page.locator(".quick-input-widget input.input").first();
    await input.and(page.locator('[placeholder*="PROVIDER/MODEL"]')).waitFor();
    await input.fill("scripted/sai");
    await row("as typed").and(page.locator(".focused")).waitFor();
    await input.evaluate((field) => { // before anybody has heard of the letter
      field.value += "d";
      field.dispatchEvent(new InputEvent("input", { bubbles: true }));
      field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", code: "Enter", keyCode: 13, bubbles: true, cancelable: true }));
    });
    await page.locator('.statusbar-item[id="ploke.ploke.ploke"][aria-label*="scripted/said"]').waitFor();
  });
}
