// Permission requests. The turn that a request belongs to shows it until it is
// answered there, or the server cancels it. Permanent answers can be revoked.
import { type CancellationToken, type Disposable, EventEmitter, window } from "vscode";
import type { Chat } from "./chat";
import type { Client } from "./client";
import { reporting } from "./errors";
import { unlinked } from "./notification";
import type { Answer } from "./webviewMessages";
import { type PermissionAskParams, permissionForget, permissionList } from "./protocol";

export class Permissions implements Disposable {
  private readonly asking = new EventEmitter<void>();
  private readonly open = new Map<string, (answer: Answer) => void>();

  /** Fires when a request arrives. */
  readonly onAsk = this.asking.event;

  constructor(
    private readonly client: Client,
    private readonly chat: Chat,
  ) {
    client.askPermission = (question, token) => this.ask(question, token);
  }

  /** Answers an open request. A request that is already answered is ignored. */
  answer(id: string, answer: Answer): void {
    this.open.get(id)?.(answer);
  }

  /** Lists the permanent answers in this workspace and revokes the chosen one. */
  async review(): Promise<void> {
    const { permissions } = await this.client.request(permissionList, {});
    if (permissions.length === 0) return void window.showInformationMessage("No permanent answers in this workspace.");
    const items = permissions.map(({ key, title, allowed, since }) => ({
      key, label: title, description: `${allowed ? "always allowed" : "always rejected"} since ${new Date(since).toLocaleString()}`,
    }));
    const chosen = await window.showQuickPick(items, { placeHolder: "Revoke which answer?" });
    if (chosen) await this.client.request(permissionForget, { key: chosen.key });
  }

  dispose(): void {
    this.asking.dispose();
    for (const settle of this.open.values()) settle("rejectOnce");
  }

  private async ask(question: PermissionAskParams, token: CancellationToken): Promise<Answer> {
    const answered = new Promise<Answer>((resolve) => this.open.set(question.id, resolve));
    token.onCancellationRequested(() => this.answer(question.id, "rejectOnce"));
    this.asking.fire();
    if (question.conversationId !== this.chat.conversationId) void reporting(() => this.pointTo(question))();
    return answered.finally(() => this.open.delete(question.id));
  }

  /** Offers to show the conversation of a request, which is not the shown one. */
  private async pointTo({ title, conversationId }: PermissionAskParams): Promise<void> {
    const show = "Show";
    if ((await window.showWarningMessage(unlinked(`ploke asks for permission in another conversation: ${title}`), show)) !== show) return;
    await this.chat.open(conversationId);
  }
}
