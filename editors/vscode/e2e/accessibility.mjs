// The chat for those who use a screen reader, keys only, other colours or no motion.
import assert from "node:assert/strict";
import { replacing } from "./editingModel.mjs";
import { eventually } from "./eventually.mjs";
import { useTheme, violations } from "./looks.mjs";

export async function run({ open, check, capture, workbench, model, useModel }) {
  const { page, chat } = workbench;
  const body = chat.locator("body");
  await open({ indexed: true, chat: true });

  await check("a screen reader names the speakers, and says an answer once and whole", async () => {
    await useModel("scripted/manual");
    await body.evaluate(recordAnnouncements);
    await workbench.ask("speak up");
    await workbench.lastTurn.getByText("Answer to speak up").waitFor();
    assert.deepEqual(await announced(), [], "an answer is said while it is written");
    model.goOn();
    await workbench.idle();
    await eventually(async () => assert.deepEqual(await announced(), ["status: Answer to speak up"]));
    await chat.getByRole("article", { name: "You" }).getByText("speak up").waitFor();
    await chat.getByRole("article", { name: "ploke" }).getByText("Answer to speak up").waitFor();
  });

  await check("a screen reader says at once what failed, and what needs a decision", async () => {
    await workbench.ask("check: loud");
    const card = workbench.lastTurn.getByRole("article", { name: "permission request" });
    await card.getByRole("button", { name: "Reject", exact: true }).click();
    await workbench.lastTurn.getByText("Answer to check").waitFor();
    model.goOn();
    await workbench.idle();
    await useModel("scripted/failing");
    await workbench.ask("fail with 401");
    await workbench.lastTurn.locator(".failure").waitFor();
    await workbench.idle();
    const alarms = (await announced()).filter((text) => text.startsWith("alert: "));
    assert.equal(alarms.length, 2);
    assert.match(alarms[0], /^alert: ploke asks: .*hello/);
    assert.match(alarms[1], /^alert: Failed .*401/);
  });

  await check("nothing moves for those who want no motion", async () => {
    const moving = () => body.evaluate(() => document.getAnimations().filter(({ playState }) => playState === "running").length);
    // What was moving may end first: a transition takes a moment. VS Code follows the system a moment later, too, and takes its class away.
    const stopsWith = (className) => eventually(async () => {
      if (className) await body.evaluate((node, className) => node.classList.add(className), className);
      assert.equal(await moving(), 0);
    });
    await useModel("scripted/manual");
    await workbench.ask("stand still");
    await workbench.lastTurn.getByText("Answer to stand still").waitFor();
    await eventually(async () => assert.ok((await moving()) > 0));
    await page.emulateMedia({ reducedMotion: "reduce" });
    await stopsWith();
    await page.emulateMedia({ reducedMotion: null });
    await stopsWith("vscode-reduce-motion");
    await body.evaluate((node) => node.classList.remove("vscode-reduce-motion"));
    model.goOn();
    await workbench.idle();
  });

  await check("the keyboard alone asks, opens a step and a citation, accepts an edit and edits a message", async () => {
    await useModel("scripted/rich");
    await workbench.newConversation();
    await askWithKeys("how are names read?");
    await moveFocus("Shift+Tab", ".fold > summary");
    await page.keyboard.press("Enter");
    await moveFocus("Tab", ".tool-call > summary");
    await page.keyboard.press("Enter");
    await workbench.lastTurn.locator(".texts", { hasText: "func ParseName" }).first().waitFor();
    await moveFocus("Tab", ".citation");
    await page.keyboard.press("Enter");
    await page.locator(".tab.active", { hasText: "name.go" }).waitFor();
    await useModel("embedded");
    await workbench.newConversation();
    await askWithKeys("rename ParseName to ReadName");
    await workbench.lastTurn.locator(".proposal .size").first().waitFor({ state: "attached" }); // the card is whole
    await chat.getByRole("region", { name: "proposed edits" }).waitFor();
    await moveFocus("Shift+Tab", ".proposal .decision", /^Accept$/);
    await page.keyboard.press("Enter");
    await workbench.lastTurn.locator(".proposal").getByText("Applied", { exact: true }).waitFor();
    await workbench.showChat();
    await moveFocus("Shift+Tab", '.question button[aria-label="Edit this message"]');
    await page.keyboard.press("Enter");
    await chat.locator("#editing").waitFor();
    assert.equal(await chat.getByLabel("chat input").inputValue(), "rename ParseName to ReadName");
    await page.keyboard.press("Escape");
    await chat.locator("#editing").waitFor({ state: "hidden" });
  });

  await check("what is looked at in each theme is there", async () => {
    await useModel("scripted/failing");
    await workbench.newConversation();
    await workbench.ask("fail with 429");
    await workbench.lastTurn.locator(".failure").waitFor();
    model.edits = [replacing("A warmer greeting", ["greet/greet.go", '"Hello"', '"Good day"'], ["main.go", "os.Exit(1)", "os.Exit(2)"])];
    await useModel("scripted/editing");
    await workbench.newConversation();
    await workbench.ask("greet people more warmly");
    await workbench.lastTurn.locator(".proposal").waitFor();
    await workbench.turnEnd();
  });

  for (const name of ["light", "dark", "high-contrast"]) {
    await check(`axe finds nothing to complain about: ${name}`, async () => {
      await useTheme(workbench, name);
      await workbench.openConversation("how are names read?");
      await workbench.lastTurn.locator("details").evaluateAll((all) => all.forEach((details) => (details.open = true)));
      await workbench.lastTurn.locator(".citation").click();
      await page.locator(".editor-instance .view-line", { hasText: "type Name struct" }).click();
      await page.keyboard.press("Shift+ArrowDown");
      await chat.locator("#chips", { hasText: "name.go" }).waitFor();
      await workbench.lastTurn.locator("h1").evaluate((heading) => heading.scrollIntoView());
      await looksGood(`40-answer-${name}`);
      await workbench.openConversation("greet people more warmly");
      await workbench.openFile("greet/greet.go");
      await page.locator(".editor-instance .codelens-decoration a", { hasText: "Accept" }).first().waitFor();
      await eventually(async () => {
        const borders = await page.locator(".editor-instance .view-overlays").first().evaluate((overlays) =>
          [...overlays.querySelectorAll(".cdr[class*='ced-']")].map((mark) => getComputedStyle(mark)).filter(({ borderTopStyle }) => borderTopStyle === "dashed").map(({ borderTopColor }) => borderTopColor));
        assert.ok(borders.length > 0);
        for (const border of borders) assert.equal(border === "rgba(0, 0, 0, 0)", name !== "high-contrast", "only high contrast needs a border");
      });
      await looksGood(`41-review-${name}`);
      await workbench.openConversation("fail with 429");
      await workbench.lastTurn.locator(".failure").waitFor();
      await looksGood(`42-failure-${name}`);
    });
  }

  /** Keeps the screen, and looks at it with axe. */
  async function looksGood(shot) {
    await capture(shot);
    assert.deepEqual(await violations(workbench), []);
  }

  /** What a screen reader has said so far. */
  function announced() {
    return body.evaluate(() => window.announced);
  }

  /** Focuses the input, and asks with the keyboard. */
  async function askWithKeys(question) {
    await workbench.showChat();
    await page.keyboard.type(question);
    await page.keyboard.press("Enter");
    await chat.locator(".question", { hasText: question }).waitFor();
    await workbench.idle();
  }

  /** Presses a key until the focus is on an element, and visible all the way. */
  async function moveFocus(key, selector, text = "") {
    for (let pressed = 0; pressed < 60; pressed++) {
      await page.keyboard.press(key);
      const focused = await body.evaluate(() => {
        const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
        return { visible: outlineStyle !== "none" && outlineWidth !== "0px", tag: document.activeElement.outerHTML.slice(0, 100) };
      });
      assert.ok(focused.visible || focused.tag.startsWith("<body"), `the focus is not visible on ${focused.tag}`);
      if (await chat.locator(`${selector}:focus`, { hasText: text }).count()) return;
    }
    assert.fail(`${key} never leads to ${selector}`);
  }
}

/** In the webview: records what live regions say, as "role: text". */
function recordAnnouncements() {
  window.announced = [];
  for (const region of document.querySelectorAll("[role=status], [role=alert]")) {
    new MutationObserver(() => region.textContent && window.announced.push(`${region.getAttribute("role")}: ${region.textContent}`))
      .observe(region, { childList: true, characterData: true, subtree: true });
  }
}
