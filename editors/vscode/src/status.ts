// The status bar item: the state of the server and of the index, the chosen model,
// and the running turns.
import { type Disposable, StatusBarAlignment, type StatusBarItem, window } from "vscode";
import type { Chat } from "./chat";
import type { Client } from "./client";
import type { ModelChoice } from "./model";
import { type IndexStatus, indexStatus } from "./protocol";

export class Status implements Disposable {
  private readonly item: StatusBarItem = window.createStatusBarItem("ploke", StatusBarAlignment.Right, 100);
  private readonly subscriptions: Disposable[];
  private index: IndexStatus | undefined;

  constructor(
    private readonly client: Client,
    private readonly chat: Chat,
    private readonly choice: ModelChoice,
  ) {
    this.item.name = "ploke";
    this.item.command = "ploke.view.ask";
    this.subscriptions = [
      this.item,
      client.onRunning((running) => void this.refresh(running)),
      client.onEvent((event) => event.type === "index" && this.draw(event.index)),
      chat.onChange(() => this.draw(this.index)),
      choice.onChange(() => this.draw(this.index)),
    ];
    this.draw(undefined);
    this.item.show();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** Asks a newly started server for its index status. An event that arrives before the response is newer. */
  private async refresh(running: boolean): Promise<void> {
    this.draw(undefined);
    if (!running) return;
    if (!this.client.answers) return void (this.item.tooltip = "ploke: the server and this extension speak different versions");
    const status = await this.client.request(indexStatus, {});
    if (!this.index) this.draw(status);
  }

  private draw(index: IndexStatus | undefined): void {
    this.index = index;
    const titles = this.chat.runningTitles;
    const busy = titles.length > 0 || index?.state === "starting" || index?.state === "indexing";
    const idle = index && index.state !== "failed" ? "$(comment-discussion)" : "$(warning)";
    this.item.text = `${busy ? "$(loading~spin)" : idle} ploke${this.label(titles[0])}`;
    const model = this.choice.model ? [`Model: ${this.choice.model}`] : [];
    this.item.tooltip = [describe(index), ...model, ...titles.map((title) => `Running: ${title}`)].join("\n");
  }

  /** What stands behind the name: the running turn, or the chosen model. */
  private label(running: string | undefined): string {
    if (running) return `: ${shorten(running)}`;
    return this.choice.model ? ` (${shorten(this.choice.model)})` : "";
  }
}

function describe(index: IndexStatus | undefined): string {
  if (!index) return "ploke: the server does not run";
  if (index.state === "failed") return `ploke: indexing failed: ${index.error ?? "no reason was given"}`;
  return `ploke: index ${index.state}, ${index.files} files, ${index.symbols} symbols`;
}

function shorten(title: string): string {
  const line = title.split("\n", 1)[0] ?? "";
  return line.length > 40 ? `${line.slice(0, 39)}…` : line;
}
