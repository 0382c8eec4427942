// The view of the chat: sends the messages of [Chat] to the webview, and passes on
// the user's actions there. It is in the side bar or, as the user wants, in an editor:
// there is one at a time, so that there is one draft.
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import {
  type Disposable,
  type ExtensionContext,
  Uri,
  ViewColumn,
  type Webview,
  type WebviewPanel,
  type WebviewPanelSerializer,
  type WebviewView,
  type WebviewViewProvider,
  commands,
  env,
  window,
} from "vscode";
import type { Branches } from "./branches";
import type { Chat } from "./chat";
import type { Composer } from "./composer";
import { messageOf, reporting } from "./errors";
import type { Guide } from "./guide";
import type { FromView, Repair, ToView } from "./webviewMessages";
import type { Permissions } from "./permissions";
import type { Client } from "./client";
import { fenced, insertCode, openCitation, openDiagram, openLink, openNew } from "./navigation";
import type { ReviewBar } from "./reviewBar";

export const viewId = "ploke.view.chat";
export const panelId = "ploke.chat";

export class ChatView implements WebviewViewProvider, WebviewPanelSerializer, Disposable {
  private readonly subscriptions: Disposable[];
  private view: WebviewView | undefined;
  private panel: WebviewPanel | undefined;
  private listening: Disposable | undefined;
  private ready = false;
  private focusWhenReady = false;
  private overdue: NodeJS.Timeout | undefined;

  constructor(
    private readonly context: ExtensionContext,
    private readonly client: Client,
    private readonly chat: Chat,
    private readonly branches: Branches,
    private readonly composer: Composer,
    private readonly permissions: Permissions,
    private readonly guide: Guide,
    private readonly reviewBar: ReviewBar,
  ) {
    this.subscriptions = [
      chat.onDraw((message) => this.post(message)),
      composer.onPost((message) => this.post({ type: "composer", message })),
      guide.onDraw((message) => this.post({ type: "guide", message })),
      reviewBar.onDraw((summary) => this.post({ type: "review", summary })),
      chat.onReportedTurn(() => void this.reveal()),
      permissions.onAsk(() => void this.reveal()),
    ];
  }

  resolveWebviewView(view: WebviewView): void {
    this.view = view;
    view.onDidDispose(() => {
      this.view = undefined;
      if (!this.panel) clearTimeout(this.overdue);
    });
    if (this.panel) this.showElsewhere(view);
    else this.draw(view.webview);
  }

  /** Opens the chat in an editor, where it stays over a reload of the window. */
  async openInEditor(): Promise<void> {
    if (!this.panel) {
      this.adopt(window.createWebviewPanel(panelId, "ploke", ViewColumn.Active, { enableFindWidget: false, retainContextWhenHidden: true }));
    }
    await this.focusInput();
  }

  /** Opens the chat in a window of its own. */
  async openInWindow(): Promise<void> {
    await this.openInEditor();
    await commands.executeCommand("workbench.action.moveEditorToNewWindow");
  }

  /** Brings the chat back from its editor. */
  async openInView(): Promise<void> {
    this.panel?.dispose();
    await this.focusInput();
  }

  async deserializeWebviewPanel(panel: WebviewPanel): Promise<void> {
    if (this.panel) panel.dispose();
    else this.adopt(panel);
  }

  /** Shows the chat. The focus stays where it is, except when the view is opened for the first time. */
  async reveal(): Promise<void> {
    if (this.panel) this.panel.reveal(undefined, true);
    else if (this.view) this.view.show(true);
    else await commands.executeCommand(`${viewId}.focus`);
  }

  /** Shows the chat and focuses its input. */
  async focusInput(): Promise<void> {
    this.focusWhenReady = !this.ready;
    if (this.panel) this.panel.reveal();
    else await commands.executeCommand(`${viewId}.focus`);
    this.composer.focus();
  }

  dispose(): void {
    clearTimeout(this.overdue);
    this.listening?.dispose();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private adopt(panel: WebviewPanel): void {
    this.panel = panel;
    panel.iconPath = Uri.joinPath(this.context.extensionUri, "media", "ploke.svg");
    panel.onDidDispose(() => {
      this.panel = undefined;
      clearTimeout(this.overdue);
      if (this.view) this.draw(this.view.webview);
    });
    if (this.view) this.showElsewhere(this.view);
    this.draw(panel.webview);
  }

  /**
   * Draws the chat in a webview, which then is the only one that has it. In a browser under load, VS Code now and then
   * loads no script into a webview, which stays empty then: a page that has not reported after the patience, in
   * milliseconds, is drawn again.
   */
  private draw(webview: Webview, patience = 10_000): void {
    this.ready = false;
    const media = Uri.joinPath(this.context.extensionUri, "media");
    const out = Uri.joinPath(this.context.extensionUri, "out");
    webview.options = { enableScripts: true, localResourceRoots: [media, out] };
    this.listening?.dispose();
    this.listening = webview.onDidReceiveMessage(reporting((message: FromView) => this.handle(message)));
    webview.html = this.html(webview, media, out);
    clearTimeout(this.overdue);
    this.overdue = setTimeout(() => this.draw(webview, 2 * patience), patience);
  }

  private showElsewhere({ webview }: WebviewView): void {
    webview.options = { enableCommandUris: ["ploke.view.openChatInView"] };
    webview.html = elsewhere;
  }

  private post(message: ToView): void {
    if (this.ready) void (this.panel ?? this.view)?.webview.postMessage(message);
  }

  /** Replays the chat: a webview that was hidden starts empty and reports "ready". */
  private start(): void {
    this.ready = true;
    clearTimeout(this.overdue);
    this.post(this.chat.replay());
    for (const message of this.composer.replay()) this.post({ type: "composer", message });
    for (const message of this.guide.replay()) this.post({ type: "guide", message });
    this.post({ type: "review", summary: this.reviewBar.summary });
    if (this.focusWhenReady) this.composer.focus();
    this.focusWhenReady = false;
  }

  private async handle(message: FromView): Promise<unknown> {
    switch (message.type) {
      case "ready":
        return this.start();
      case "composer":
        return this.composer.handle(message.message);
      case "guide":
        return this.guide.handle(message.message);
      case "review":
        return this.reviewBar.run(message.action);
      case "edit":
        return this.composer.edit(message.turn);
      case "retry":
        return this.branches.retry(message.turn);
      case "step":
        return this.branches.step(message.turn, message.by);
      case "resume":
        return this.chat.resume();
      case "withdraw":
        return this.chat.withdraw(message.turn);
      case "drop":
        return this.chat.drop(message.turn);
      case "steer":
        return this.chat.steer(message.turn);
      case "answer":
        return this.permissions.answer(message.permission, message.answer);
      case "openCitation":
        return openCitation(this.client, message.citation);
      case "openLink":
        return openLink(this.client, message.href);
      case "copyCode":
        return env.clipboard.writeText(message.text);
      case "insertCode":
        return insertCode(message.text);
      case "applyCode":
        return this.chat.send({ text: `Apply this code to the file that it belongs to:\n\n${fenced(message.text, message.language)}`, attachments: [] }, false);
      case "newFile":
        return openNew(message.text, message.language);
      case "openDiagram":
        return openDiagram(message.text);
      case "findPlaces":
        return this.findPlaces(message.names);
      case "openCall":
        return this.drawCall(message.turn, message.callId);
      case "repair":
        return repair(message.repair);
      case "showFile":
      case "acceptFile":
      case "rejectFile":
      case "resolveFile":
        return commands.executeCommand(`ploke.view.${message.type}`, message.proposal, message.file, message.version);
      case "showProposal":
      case "acceptProposal":
      case "rejectProposal":
      case "undoProposal":
      case "redoProposal":
        return commands.executeCommand(`ploke.view.${message.type}`, message.proposal, message.version);
    }
  }

  private async findPlaces(names: string[]): Promise<void> {
    this.post({ type: "places", names, places: await this.chat.places(names) });
  }

  private async drawCall(turn: string, callId: string): Promise<void> {
    try {
      this.post({ type: "call", turn, callId, texts: await this.chat.callTexts(callId) });
    } catch (error) {
      this.post({ type: "call", turn, callId, texts: { arguments: "", result: messageOf(error), cut: false, folders: [] } });
    }
  }

  private html(webview: Webview, media: Uri, out: Uri): string {
    const values: Record<string, string> = {
      nonce: randomBytes(16).toString("hex"),
      csp: webview.cspSource,
      media: webview.asWebviewUri(media).toString(),
      script: webview.asWebviewUri(Uri.joinPath(out, "chat.js")).toString(),
    };
    const template = readFileSync(Uri.joinPath(media, "chat.html").fsPath, "utf8");
    return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? "");
  }
}

/** What the view says while the chat is in an editor. */
const elsewhere = `<!DOCTYPE html>
<html lang="en">
  <head><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><title>ploke</title></head>
  <body><p>The chat is open in an editor.</p><p><a href="command:ploke.view.openChatInView">Bring it back here</a></p></body>
</html>`;

function repair(how: Repair): Thenable<unknown> {
  if (how === "openSettings") return commands.executeCommand("workbench.action.openSettings", "ploke.providers");
  return commands.executeCommand(`ploke.view.${how}`);
}
