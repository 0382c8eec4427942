// Drives the workbench as a user does: with keys and clicks, by what is visible.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { eventually } from "./eventually.mjs";
import { slowPage } from "./slow.mjs";

const TIMEOUT_MS = 20_000;
const webviewHost = ".vscode-resource.vscode-cdn.net";

export class Workbench {
  /** Starts a browser with the environment, for the workbench at the address. */
  static async start(testbed, profile, env, address) {
    const { chromium } = createRequire(join(testbed, "package.json"))("playwright-core");
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: "/usr/bin/chromium",
      env,
      headless: true,
      viewport: { width: 1400, height: 900 },
      args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
    });
    const page = context.pages()[0] ?? (await context.newPage());
    await slowPage(context, page);
    return new Workbench(context, page, address);
  }

  constructor(context, page, address) {
    this.context = context;
    this.page = page;
    this.address = address;
    this.more = ""; // in the address of each folder
    this.foreign = new Set();
    this.blocked = new Set();
    page.setDefaultTimeout(TIMEOUT_MS);
    context.on("requestfinished", (request) => this.note(request));
    context.on("requestfailed", (request) => this.note(request));
  }

  /**
   * Records a foreign host: as blocked if a content security policy has kept the request from leaving. The files of a webview
   * have a foreign host name too, but a service worker serves them; a browser under load may ask for them before it has one,
   * which fails, since nobody has a host of that name.
   */
  async note(request) {
    const { protocol, hostname } = new URL(request.url());
    if (!/^(https?|wss?):$/.test(protocol) || hostname === "127.0.0.1") return;
    if (request.failure()?.errorText === "csp") this.blocked.add(hostname);
    else if (request.failure() && hostname.endsWith(webviewHost)) return;
    else if (!(await request.response())?.fromServiceWorker()) this.foreign.add(hostname);
  }

  /** Opens a folder. */
  async open(folder) {
    await this.goto(`folder=${folder}${this.more}`);
  }

  async goto(query) {
    await this.page.goto(`${this.address}/?${query}`);
    await this.page.locator(".monaco-workbench .part.statusbar").waitFor();
  }

  /**
   * Leaves the folder, so that its server ends. All webviews have one origin in code-server, where VS Code has one for each:
   * the service worker of one view would be in the way of the next one, whose page may then wait for its own for ever.
   */
  async leave() {
    await this.page.evaluate(async () => {
      for (const registration of (await navigator.serviceWorker?.getRegistrations()) ?? []) {
        if (registration.scope.includes("/webview/")) await registration.unregister();
      }
    });
    await this.page.goto("about:blank");
  }

  /** Reloads the window as a user does, so that VS Code first writes what it keeps. */
  async reloadWindow() {
    let reloaded = false;
    const loaded = this.page.waitForEvent("load").then(() => (reloaded = true));
    await Promise.all([loaded, this.command("Developer: Reload Window", () => reloaded)]);
    await this.status.waitFor();
  }

  /** Waits until the folder's index is ready. */
  async indexed() {
    await this.page.locator('.statusbar-item[aria-label*="index ready"]').waitFor();
  }

  get status() {
    return this.page.locator('.statusbar-item[id="ploke.ploke.ploke"]');
  }

  /** The chat's document, inside of two frames. Notebooks and previews have such frames, too. */
  get chat() {
    return this.page.frameLocator('iframe.webview.ready[src*="extensionId=ploke.ploke"]').frameLocator("iframe#active-frame");
  }

  /** The input of the chat. */
  get input() {
    return this.chat.getByLabel("chat input");
  }

  async inputSays(text) {
    await eventually(async () => assert.equal(await this.input.inputValue(), text));
  }

  /** Waits until the input of the chat has the focus, which would close a quick input that is opened meanwhile. */
  async inputFocused() {
    await this.chat.locator('[aria-label="chat input"]:focus').waitFor();
  }

  /** The chip of this label, once the server has looked at it. */
  chip(label) {
    return this.chat.locator("#chips .chip:not([aria-busy])", { hasText: label });
  }

  /** Empties the composer. */
  async clear() {
    await this.input.fill("");
    await eventually(async () => {
      const left = await this.chat.locator("#chips .chip").count();
      if (left > 0) await this.input.press("Backspace");
      assert.equal(left, 0);
    });
  }

  /** Waits until the server has what was sent: it answers in order. */
  async heard() {
    await this.input.fill("@");
    await this.chat.getByRole("option").first().waitFor();
    await this.input.fill("");
  }

  /** Waits until nothing moves in a part of the chat for some frames. */
  async still(part) {
    await part.evaluate(async (node) => {
      const drawn = () => [node.scrollTop, node.scrollHeight, node.childElementCount].join();
      for (let same = 0, last = ""; same < 4; last = drawn()) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
        same = drawn() === last ? same + 1 : 0;
      }
    });
  }

  /** Waits until all that fades in a document, given by its body, is there. */
  async faded(body) {
    await body.evaluate(() => Promise.all(document.getAnimations().filter((each) => each.effect?.getComputedTiming().endTime !== Infinity).map((each) => each.finished.catch(() => {}))));
  }

  /** Runs a command by its whole name, since others may begin with it, until it is done in another way than by closing the list. */
  async command(name, done) {
    const whole = new RegExp(`^${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(…|\\.\\.\\.)?$`);
    await this.pick("F1", `>${name}`, { has: this.page.locator(".label-name", { hasText: whole }) }, done);
  }

  /** What has been notified and not been cleared since. */
  async notifications() {
    await this.command("Notifications: Show Notifications");
    await this.page.locator(".notifications-center.visible").waitFor();
    const all = await this.page.locator(".notifications-center .notification-list-item-message").allInnerTexts();
    await this.command("Notifications: Hide Notifications");
    return all;
  }

  async openFile(name) {
    const file = name.split("/").at(-1);
    await this.pick("Control+p", name, { hasText: file });
    await this.page.locator(`.tab.active[data-resource-name="${file}"]`).waitFor();
    await this.page.locator(`.editor-instance > .monaco-editor[data-uri$="/${name}"]`).waitFor(); // no diff of the file
  }

  /** Closes all editors, and saves nothing. */
  async closeEditors() {
    const tabs = this.page.locator(".tabs-container .tab");
    for (let open = await tabs.allInnerTexts(); open.length > 0; open = await tabs.allInnerTexts()) {
      await this.command("View: Revert and Close Editor");
      await eventually(async () => assert.notDeepEqual(await tabs.allInnerTexts(), open));
    }
  }

  /** Waits until these files are unsaved, and saves all open editors. */
  async saveAll(...names) {
    for (const name of names) await this.page.locator(".tab.dirty", { hasText: name }).waitFor();
    await this.command("File: Save All Files");
    await this.page.locator(".tab.dirty").first().waitFor({ state: "detached" });
  }

  /**
   * Opens the quick input with a key, types a text and clicks the first shown row of a kind. It retries,
   * since an earlier command may still move the focus, which closes the input, and a
   * row that is redrawn loses its click.
   */
  async pick(key, typed, kind, done = () => false) {
    const input = this.page.locator(".quick-input-widget input.input").first();
    for (let attempt = 1; ; attempt++) {
      await this.page.keyboard.press(key);
      try {
        await input.fill(typed, { timeout: 2000 });
        await this.page.locator(".quick-input-list .monaco-list-row", kind).first().click({ timeout: 5000 });
        return await accepted(input, typed);
      } catch (error) {
        if (done()) return;
        if (attempt === 4) throw error;
        await this.page.keyboard.press("Escape");
      }
    }
  }

  async showChat() {
    await this.command("ploke: Ask");
    await this.inputFocused();
  }

  /** Opens the view of the proposed edits, once something waits, and gives it room for all. */
  async listEdits() {
    await this.command("ploke: List Proposed Edits");
    const pane = this.page.locator(".pane", { has: this.page.locator(".pane-header", { hasText: "Proposed Edits" }) });
    await pane.locator(".monaco-list-row").first().waitFor();
    const edge = this.page.locator(".part.sidebar .monaco-sash.horizontal:not(.disabled)").last();
    for (let tries = 0; tries < 10 && (await pane.boundingBox()).height <= 300; tries++) { // its edge moves while it opens
      const { x, y, height } = await edge.boundingBox();
      const { y: top, height: tall } = await pane.boundingBox();
      await this.page.mouse.move(x + 50, y + height / 2);
      await this.page.mouse.down();
      await this.page.mouse.move(x + 50, top + tall - 350, { steps: 5 }); // from its end, which stays: a second move adds nothing
      await this.page.mouse.up();
    }
  }

  /** Shows an empty conversation. */
  async newConversation() {
    await this.command("ploke: New Conversation");
    await this.chat.locator("#log:not(:has(.question))").getByText("Ask about the code").waitFor();
    await this.inputFocused();
  }

  async type(text) {
    await this.input.fill(text);
  }

  /** Waits until the last answer is whole, and no other one is being written in the chat. */
  async idle() {
    await this.turnEnd();
    await this.chat.getByRole("button", { name: "Send" }).waitFor();
  }

  async ask(text) {
    const asked = this.chat.locator(".question", { hasText: text });
    const before = await asked.count();
    await this.type(text);
    await this.chat.getByRole("button", { name: "Send" }).click();
    await asked.nth(before).waitFor();
  }

  async openConversation(question) {
    await this.page.mouse.move(0, 0); // over a row, it shows a hover that covers the next ones
    await this.command("ploke: Open Conversation");
    await this.page.locator(".quick-input-list .monaco-list-row", { hasText: question }).first().click();
    await this.chat.locator("#log:not(.replaying) .question", { hasText: question }).waitFor();
  }

  /** Chooses a model by its name, whether its provider lists it or not. */
  async chooseModel(name) {
    await this.command("ploke: Choose Model");
    const input = this.page.locator(".quick-input-widget input.input").first();
    await input.and(this.page.locator('[placeholder*="PROVIDER/MODEL"]')).waitFor();
    await input.fill(name);
    await this.page.locator(".quick-input-list .monaco-list-row", { hasText: name }).first().click();
    await this.page.locator(`.statusbar-item[id="ploke.ploke.ploke"][aria-label*="${name}"]`).waitFor();
  }

  /** Chooses a colour theme by its name. */
  async chooseTheme(name) {
    await this.command("Preferences: Color Theme");
    await this.page.locator(".quick-input-widget input.input").first().fill(name);
    await this.page.locator(".quick-input-list .monaco-list-row.focused", { hasText: name }).waitFor();
    await this.page.keyboard.press("Enter");
  }

  get lastTurn() {
    return this.chat.locator("#log > .turn:last-child");
  }

  async turnEnd() {
    await this.chat.locator("#log > .turn:last-child:not([aria-busy])").waitFor();
  }

  /** Lists the code actions at the cursor, and returns the one whose title contains the text. New diagnostics close the list, so it retries. */
  async showCodeAction(text) {
    const row = this.page.locator(".action-widget .monaco-list-row.action", { hasText: text });
    for (let attempt = 1; ; attempt++) {
      await this.page.keyboard.press("Control+.");
      try {
        await row.waitFor({ timeout: 5000 });
        return row;
      } catch (error) {
        if (attempt === 4) throw error;
        await this.page.keyboard.press("Escape");
      }
    }
  }

  /** Runs the code action at the cursor whose title contains the text. */
  async codeAction(text) {
    const row = await this.showCodeAction(text);
    // An overlay of the menu swallows clicks, so select the row with keys.
    for (let i = 0; i < 20 && !(await row.getAttribute("class")).includes("focused"); i++) {
      await this.page.keyboard.press("ArrowDown");
    }
    await row.and(this.page.locator(".focused")).waitFor();
    await this.page.keyboard.press("Enter");
  }

  /** Starts to record the labels of the status item. */
  async watchStatus() {
    await this.page.evaluate(() => {
      const item = document.getElementById("ploke.ploke.ploke");
      window.statusSeen = [item.getAttribute("aria-label")];
      new MutationObserver(() => window.statusSeen.push(item.getAttribute("aria-label")))
        .observe(item, { attributes: true, attributeFilter: ["aria-label"], subtree: true });
    });
  }

  statusSeen() {
    return this.page.evaluate(() => window.statusSeen);
  }

  async capture(path) {
    await this.page.screenshot({ path });
  }

  /** Leaves the workbench before it closes the browser; otherwise the extension host and the language server linger. */
  async close() {
    await this.leave();
    await delay(1000);
    await this.context.close();
  }
}

/** Waits until the quick input is closed, or shows another prompt. */
async function accepted(input, typed, timeout = 5000) {
  const deadline = Date.now() + timeout;
  while ((await input.isVisible()) && (await input.inputValue()) === typed) {
    if (Date.now() > deadline) throw new Error(`the quick input did not accept ${typed}`);
    await delay(50);
  }
}
