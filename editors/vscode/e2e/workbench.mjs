// Drives the workbench as a user does: with keys and clicks, by what is visible.
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

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
    return new Workbench(context, context.pages()[0] ?? (await context.newPage()), address);
  }

  constructor(context, page, address) {
    this.context = context;
    this.page = page;
    this.address = address;
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
    await this.goto(`folder=${folder}`);
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
    const loaded = this.page.waitForEvent("load");
    await Promise.all([loaded, this.command("Developer: Reload Window").catch(() => loaded)]);
    await this.status.waitFor();
  }

  /** Waits until the folder's index is ready. */
  async indexed() {
    await this.page.locator('.statusbar-item[aria-label*="index ready"]').waitFor();
  }

  get status() {
    return this.page.locator('.statusbar-item[id="ploke.ploke.ploke"]');
  }

  /** The chat's document, inside of two frames. */
  get chat() {
    return this.page.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame");
  }

  async command(name) {
    await this.pick("F1", `>${name}`, name);
  }

  /** What has been notified and not been cleared since. */
  async notifications() {
    await this.command("Notifications: Show Notifications");
    const all = await this.page.locator(".notifications-center .notification-list-item-message").allInnerTexts();
    await this.command("Notifications: Hide Notifications");
    return all;
  }

  async openFile(name) {
    await this.pick("Control+p", name, name.split("/").at(-1));
    await this.page.locator(".tab.active", { hasText: name.split("/").at(-1) }).waitFor();
  }

  /** Closes all editors, and saves nothing. */
  async closeEditors() {
    const tabs = this.page.locator(".tabs-container .tab");
    for (let left = await tabs.count(); left > 0; left = await tabs.count()) {
      await this.command("View: Revert and Close Editor");
      await tabs.nth(left - 1).waitFor({ state: "detached" });
    }
  }

  /** Waits until these files are unsaved, and saves all open editors. */
  async saveAll(...names) {
    for (const name of names) await this.page.locator(".tab.dirty", { hasText: name }).waitFor();
    await this.command("File: Save All");
    await this.page.locator(".tab.dirty").first().waitFor({ state: "detached" });
  }

  /**
   * Opens the quick input with a key, types a text and clicks a shown row. It retries,
   * since an earlier command may still move the focus, which closes the input, and a
   * row that is redrawn loses its click.
   */
  async pick(key, typed, shown) {
    const input = this.page.locator(".quick-input-widget input.input").first();
    for (let attempt = 1; ; attempt++) {
      await this.page.keyboard.press(key);
      try {
        await input.fill(typed, { timeout: 2000 });
        await this.page.locator(".quick-input-list .monaco-list-row", { hasText: shown }).first().click({ timeout: 5000 });
        return await accepted(input, typed);
      } catch (error) {
        if (attempt === 4) throw error;
        await this.page.keyboard.press("Escape");
      }
    }
  }

  /** Shows the chat and waits until its input has the focus, which would close a quick input that is opened meanwhile. */
  async showChat() {
    await this.command("ploke: Ask");
    await this.chat.locator('[aria-label="chat input"]:focus').waitFor();
  }

  /** Opens the view of the proposed edits, once something waits, and gives it room for all. */
  async listEdits() {
    await this.command("ploke: List Proposed Edits");
    const pane = this.page.locator(".pane", { has: this.page.locator(".pane-header", { hasText: "Proposed Edits" }) });
    await pane.locator(".monaco-list-row").first().waitFor();
    const edge = this.page.locator(".part.sidebar .monaco-sash.horizontal:not(.disabled)").last();
    for (let tries = 0; tries < 10 && (await pane.boundingBox()).height <= 300; tries++) { // its edge moves while it opens
      const { x, y, height } = await edge.boundingBox();
      await this.page.mouse.move(x + 50, y + height / 2);
      await this.page.mouse.down();
      await this.page.mouse.move(x + 50, y - 250, { steps: 5 });
      await this.page.mouse.up();
    }
  }

  /** Shows an empty conversation. If the shown one is, it stays: nothing would show when the command has run. */
  async newConversation() {
    await this.chat.locator("#log > *").first().waitFor();
    if ((await this.chat.locator(".question").count()) === 0) return;
    await this.command("ploke: New Conversation");
    await this.chat.getByText("Ask about the code").waitFor();
  }

  async type(text) {
    await this.chat.getByLabel("chat input").fill(text);
  }

  /** Waits until no answer is being written in the chat. */
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
