// The status bar item: the state of the server and of the index, the model, what the day
// has cost, and the running turns. Its tooltip has the details, with what to do.
import { type Disposable, StatusBarAlignment, type StatusBarItem, ThemeColor, window } from "vscode";
import type { Chat } from "./chat";
import type { Client } from "./client";
import { inBackground } from "./errors";
import type { ModelChoice } from "./model";
import { type IndexStatus, indexStatus, ledger } from "./protocol";
import { tooltip } from "./statusTooltip";
import { type StatusFacts, describe, isBusy, isProblem, label } from "./statusWords";

export class Status implements Disposable {
  private readonly item: StatusBarItem = window.createStatusBarItem("ploke", StatusBarAlignment.Right, 100);
  private readonly subscriptions: Disposable[];
  private index: IndexStatus | undefined;
  private cost: StatusFacts["cost"];
  private turns = 0;

  constructor(
    private readonly client: Client,
    private readonly chat: Chat,
    private readonly choice: ModelChoice,
  ) {
    this.item.name = "ploke";
    this.item.command = "ploke.view.ask";
    this.subscriptions = [
      this.item,
      client.onHealth(() => this.draw()),
      client.onRunning((running) => void this.refresh(running)),
      client.onEvent((event) => event.type === "index" && this.draw(event.index)),
      chat.onChange(() => this.turnsChanged()),
      choice.onChange(() => this.draw()),
    ];
    this.draw();
    this.item.show();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** Asks a newly started server for its index status. An event that arrives before the response is newer. */
  private readonly refresh = inBackground(async (running: boolean) => {
    this.index = undefined;
    this.draw();
    if (!running || !this.client.answers) return;
    const status = await this.client.request(indexStatus, {});
    if (!this.index) this.draw(status);
    await this.readCost();
  });

  private turnsChanged(): void {
    const turns = this.chat.runningTitles.length;
    if (turns < this.turns) void this.readCost();
    this.turns = turns;
    this.draw();
  }

  private readonly readCost = inBackground(async () => {
    if (this.client.health.state !== "running") return;
    const { today, dailyLimit } = await this.client.request(ledger, { limit: 1 });
    this.cost = { today, limit: dailyLimit };
    this.draw();
  });

  private draw(index = this.index): void {
    this.index = index;
    const { health } = this.client;
    const facts: StatusFacts = {
      health, index, model: this.choice.used, cost: this.cost, running: this.chat.runningTitles,
      otherVersion: health.state === "running" && !this.client.answers,
    };
    const icon = isProblem(facts) ? "$(warning)" : isBusy(facts) ? "$(loading~spin)" : "$(comment-discussion)";
    const lines = describe(facts);
    this.item.text = `${icon} ploke${label(facts)}`;
    this.item.backgroundColor = isProblem(facts) ? new ThemeColor("statusBarItem.warningBackground") : undefined;
    this.item.tooltip = tooltip(lines);
    this.item.accessibilityInformation = { label: `ploke, ${lines.join(", ")}` };
  }
}
