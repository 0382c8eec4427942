// Drives the workbench as a user would: keys, clicks, and what can be seen.
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const PATIENCE = 20_000;

export class Workbench {
  /** Opens the folder at the address, in a browser that has the environment. */
  static async open(testbed, profile, env, address, folder) {
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
    const workbench = new Workbench(context, context.pages()[0] ?? (await context.newPage()));
    await workbench.page.goto(`${address}/?folder=${folder}`);
    await workbench.page.locator(".monaco-workbench .part.statusbar").waitFor();
    return workbench;
  }

  constructor(context, page) {
    this.context = context;
    this.page = page;
    this.foreign = new Set();
    page.setDefaultTimeout(PATIENCE);
    context.on("requestfinished", (request) => this.note(request));
    context.on("requestfailed", (request) => this.note(request));
  }

  /** Notes a host that is not ours; a webview's own files have a host's name, but a service worker serves them. */
  async note(request) {
    const { protocol, hostname } = new URL(request.url());
    if (!/^(https?|wss?):$/.test(protocol) || hostname === "127.0.0.1") return;
    if (!(await request.response())?.fromServiceWorker()) this.foreign.add(hostname);
  }

  get status() {
    return this.page.locator('.statusbar-item[id="ploke.ploke.ploke"]');
  }

  /** The chat's document, inside of its two frames. */
  get chat() {
    return this.page.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame");
  }

  async command(name) {
    await this.pick("F1", `>${name}`, name);
  }

  async openFile(name) {
    await this.pick("Control+p", name, name.split("/").at(-1));
    await this.page.locator(".tab.active", { hasText: name.split("/").at(-1) }).waitFor();
  }

  /** Saves what is unsaved, once these files are seen to be; only open editors are saved. */
  async saveAll(...names) {
    for (const name of names) await this.page.locator(".tab.dirty", { hasText: name }).waitFor();
    await this.command("File: Save All");
    await this.page.locator(".tab.dirty").first().waitFor({ state: "detached" });
  }

  /**
   * Opens the quick input by a key, types and takes what is shown. A command
   * before it may still be moving the focus, which closes the input, and a row
   * that is drawn anew loses its click: then it is opened again.
   */
  async pick(key, typed, shown) {
    const input = this.page.locator(".quick-input-widget input.input").first();
    for (let attempt = 1; ; attempt++) {
      await this.page.keyboard.press(key);
      try {
        await input.fill(typed, { timeout: 2000 });
        await this.page.locator(".quick-input-list .monaco-list-row", { hasText: shown }).first().click({ timeout: 5000 });
        return await taken(input, typed);
      } catch (error) {
        if (attempt === 4) throw error;
        await this.page.keyboard.press("Escape");
      }
    }
  }

  /** Replaces the user's settings, as a user would in the editor. */
  async changeSettings(settings) {
    await this.command("Preferences: Open User Settings (JSON)");
    await this.page.locator(".tab.active", { hasText: "settings.json" }).waitFor();
    await this.page.locator(".editor-instance .view-line", { hasText: Object.keys(settings)[0] }).click();
    await this.page.keyboard.press("Control+a");
    await this.page.keyboard.press("Delete");
    await this.page.keyboard.insertText(JSON.stringify(settings, null, 2));
    await this.page.locator(".tab.active.dirty").waitFor();
    await this.page.keyboard.press("Control+s");
    await this.page.locator(".tab.active.dirty").waitFor({ state: "detached" });
    await this.command("View: Close Editor");
  }

  async newConversation() {
    await this.command("ploke: New Conversation");
    await this.chat.getByText("Ask about the code").waitFor();
  }

  async type(text) {
    await this.chat.getByLabel("chat input").fill(text);
  }

  /** Waits until nothing is answered in the chat. */
  async idle() {
    await this.chat.getByRole("button", { name: "Send" }).waitFor();
  }

  async ask(text) {
    await this.type(text);
    await this.chat.getByRole("button", { name: "Send" }).click();
    await this.chat.locator(".question", { hasText: text }).last().waitFor();
  }

  async openConversation(question) {
    await this.command("ploke: Open Conversation");
    await this.page.locator(".quick-input-list .monaco-list-row", { hasText: question }).first().click();
    await this.chat.locator(".question", { hasText: question }).waitFor();
  }

  get lastTurn() {
    return this.chat.locator("#log > .turn:last-child");
  }

  async turnEnd() {
    await this.chat.locator("#log > .turn:last-child:not([aria-busy])").waitFor();
  }

  /** Runs the code action whose title has the text, on the place of the cursor. */
  async codeAction(text) {
    await this.page.keyboard.press("Control+.");
    const row = this.page.locator(".action-widget .monaco-list-row.action", { hasText: text });
    await row.waitFor();
    // Clicks are swallowed by the menu's own cover: go there by keys.
    for (let i = 0; i < 20 && !(await row.getAttribute("class")).includes("focused"); i++) {
      await this.page.keyboard.press("ArrowDown");
    }
    await this.page.keyboard.press("Enter");
  }

  /** Records every label that the status item has, from now on. */
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

  /** Says goodbye first: else the extension host and the language server linger. */
  async close() {
    await this.page.goto("about:blank");
    await delay(1000);
    await this.context.close();
  }
}

/** Waits until the quick input has gone, or asks for something else. */
async function taken(input, typed, patience = 5000) {
  const deadline = Date.now() + patience;
  while ((await input.isVisible()) && (await input.inputValue()) === typed) {
    if (Date.now() > deadline) throw new Error(`nothing was taken for ${typed}`);
    await delay(50);
  }
}
