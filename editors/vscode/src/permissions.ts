// Questions for leave. Each is drawn by the turn that asks, and waits until it is
// answered there, or the server takes it back.
import { type CancellationToken, type Disposable, EventEmitter, window } from "vscode";
import type { Chat } from "./chat";
import type { Client } from "./client";
import { reporting } from "./errors";
import type { Answer } from "./messages";
import type { PermissionQuestion } from "./requests";

export class Permissions implements Disposable {
  private readonly asking = new EventEmitter<void>();
  private readonly open = new Map<string, (answer: Answer) => void>();

  /** Something is asked. */
  readonly onAsk = this.asking.event;

  constructor(
    client: Client,
    private readonly chat: Chat,
  ) {
    client.askPermission = (question, token) => this.ask(question, token);
  }

  /** Answers an open question; one that is settled needs no answer. */
  answer(id: string, answer: Answer): void {
    this.open.get(id)?.(answer);
  }

  dispose(): void {
    this.asking.dispose();
    for (const settle of this.open.values()) settle("rejectOnce");
  }

  private async ask(question: PermissionQuestion, token: CancellationToken): Promise<Answer> {
    const answered = new Promise<Answer>((resolve) => this.open.set(question.id, resolve));
    token.onCancellationRequested(() => this.answer(question.id, "rejectOnce"));
    this.asking.fire();
    if (question.conversationId !== this.chat.conversationId) void reporting(() => this.point(question))();
    return answered.finally(() => this.open.delete(question.id));
  }

  /** Leads to a question of a conversation that is not shown. */
  private async point({ title, conversationId }: PermissionQuestion): Promise<void> {
    const show = "Show";
    if ((await window.showWarningMessage(`ploke asks in another conversation: ${title}`, show)) !== show) return;
    await this.chat.open(conversationId);
  }
}
