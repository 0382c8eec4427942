// Guides a person beside the conversations: with questions that fit the folder, from its
// index, and with what to do while the server does not run.
import { type Disposable, EventEmitter, commands, window } from "vscode";
import type { Client } from "./client";
import { inBackground } from "./errors";
import type { FromGuide, ToGuide } from "./guideMessages";
import type { ModelChoice } from "./model";
import { unlinked } from "./notification";
import { examples } from "./protocol";
import { type ServerHealth, type ServerProblem, problemOf } from "./serverHealth";

export class Guide implements Disposable {
  private readonly drawEmitter = new EventEmitter<ToGuide>();
  private readonly subscriptions: Disposable[];
  private questions: string[] = [];

  /** Messages for the webview of the chat. */
  readonly onDraw = this.drawEmitter.event;

  constructor(
    private readonly client: Client,
    private readonly choice: ModelChoice,
    private readonly ask: (text: string) => unknown,
  ) {
    this.subscriptions = [
      this.drawEmitter,
      client.onHealth((health) => this.healthChanged(health)),
      client.onRunning((running) => running && client.answers && void this.refresh()),
      client.onEvent((event) => event.type === "index" && event.index.state === "ready" && void this.refresh()),
      choice.onChange(() => this.drawEmitter.fire(this.welcome())),
    ];
  }

  /** The messages that draw the present state. */
  replay(): ToGuide[] {
    return [this.welcome(), this.server()];
  }

  handle(message: FromGuide): unknown {
    if (message.type === "ask") return this.ask(message.text);
    return commands.executeCommand(`ploke.view.${message.action}`);
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** Shows the health in the chat. The chat may be hidden, so that a message tells of what needs a person. */
  private healthChanged(health: ServerHealth): void {
    const problem = problemOf(health);
    this.drawEmitter.fire({ type: "server", problem });
    if (problem && health.state !== "crashed") void this.tell(problem);
  }

  private async tell({ title, text }: ServerProblem): Promise<void> {
    const show = "Show in Chat";
    if ((await window.showErrorMessage(unlinked(`${title}. ${text}`), show)) === show) await commands.executeCommand("ploke.view.ask");
  }

  private welcome(): ToGuide {
    return { type: "welcome", questions: this.questions, keyless: this.choice.used === "embedded" };
  }

  private server(): ToGuide {
    return { type: "server", problem: problemOf(this.client.health) };
  }

  private readonly refresh = inBackground(async () => {
    this.questions = (await this.client.request(examples, {})).questions;
    this.drawEmitter.fire(this.welcome());
  });
}
