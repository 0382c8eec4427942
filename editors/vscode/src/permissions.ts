// Questions for leave. Each is drawn by the turn that asks, and waits until it is
// answered there, or the server takes it back. An answer for ever can be taken back.
import { type CancellationToken, type Disposable, EventEmitter, window } from "vscode";
import type { Chat } from "./chat";
import type { Client } from "./client";
import { reporting } from "./errors";
import type { Answer } from "./messages";
import { type PermissionQuestion, permissionForget, permissionList } from "./requests";

export class Permissions implements Disposable {
  private readonly asking = new EventEmitter<void>();
  private readonly open = new Map<string, (answer: Answer) => void>();

  /** Something is asked. */
  readonly onAsk = this.asking.event;

  constructor(
    private readonly client: Client,
    private readonly chat: Chat,
  ) {
    client.askPermission = (question, token) => this.ask(question, token);
  }

  /** Answers an open question; one that is settled needs no answer. */
  answer(id: string, answer: Answer): void {
    this.open.get(id)?.(answer);
  }

  /** Lists the answers that hold for ever in this workspace; what is chosen will be asked again. */
  async review(): Promise<void> {
    const { permissions } = await this.client.request(permissionList, {});
    if (permissions.length === 0) return void window.showInformationMessage("Nothing is always allowed or rejected here.");
    const items = permissions.map(({ key, title, allowed, since }) => ({
      key, label: title, description: `${allowed ? "always allowed" : "always rejected"} since ${new Date(since).toLocaleString()}`,
    }));
    const chosen = await window.showQuickPick(items, { placeHolder: "Which answer is to be taken back?" });
    if (chosen) await this.client.request(permissionForget, { key: chosen.key });
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
