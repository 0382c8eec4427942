// Questions for leave, put to the user in the turn that asks. A question waits
// until it is answered here, or the server takes it back.
import { type CancellationToken, type Disposable, EventEmitter, window } from "vscode";
import type { Chat } from "./chat";
import type { Client } from "./client";
import { reporting } from "./errors";
import type { Answer } from "./messages";
import type { PermissionQuestion } from "./requests";

export class Permissions implements Disposable {
  private readonly asking = new EventEmitter<void>();
  private readonly open = new Map<string, (answer: Answer | undefined) => void>();

  /** A question is drawn. */
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
    for (const settle of this.open.values()) settle(undefined);
  }

  private async ask(question: PermissionQuestion, token: CancellationToken): Promise<Answer> {
    const { id, turnId, title, detail = "" } = question;
    const answered = new Promise<Answer | undefined>((resolve) => this.open.set(id, resolve));
    token.onCancellationRequested(() => this.open.get(id)?.(undefined));
    this.chat.drawIn(turnId, (turn) => ({ type: "permission", turn, permission: id, title, detail }));
    this.asking.fire();
    if (question.conversationId !== this.chat.conversationId) void reporting(() => this.point(question))();
    const answer = await answered;
    this.open.delete(id);
    const verdict = answer ? verdicts[answer] : "Not asked any more";
    this.chat.drawWhere((drawn) => drawn.type === "permission" && drawn.permission === id, { type: "settled", permission: id, verdict });
    return answer ?? "rejectOnce";
  }

  /** Leads to a question of a conversation that is not shown. */
  private async point({ title, conversationId }: PermissionQuestion): Promise<void> {
    const show = "Show";
    if ((await window.showWarningMessage(`ploke asks in another conversation: ${title}`, show)) !== show) return;
    await this.chat.open(conversationId);
  }
}

const verdicts: Record<Answer, string> = {
  allowOnce: "Allowed",
  allowAlways: "Always allowed here",
  rejectOnce: "Rejected",
  rejectAlways: "Always rejected here",
};
