// The list of conversations: open, find by content, rename, export or delete one.
import {
  type Disposable, type QuickInputButton, type QuickPick, type QuickPickItem, ThemeIcon, window, workspace,
} from "vscode";
import type { Chat } from "./chat";
import type { Client } from "./client";
import { reporting } from "./errors";
import { unlinked } from "./notification";
import { type ConversationState, chatDelete, chatExport, chatList, chatRename, chatSearch } from "./protocol";

interface Item extends QuickPickItem {
  conversationId: string;
  title: string;
}

interface Action extends QuickInputButton {
  run(item: Item): Promise<void>;
}

const states: Record<ConversationState, { icon: string; words: string }> = {
  running: { icon: "$(sync) ", words: "running" },
  waiting: { icon: "$(bell-dot) ", words: "waits for you" },
  failed: { icon: "$(error) ", words: "failed" },
};

export class Conversations {
  private readonly actions: Action[] = [
    { iconPath: new ThemeIcon("edit"), tooltip: "Rename…", run: (item) => this.rename(item) },
    { iconPath: new ThemeIcon("markdown"), tooltip: "Open as Markdown", run: (item) => this.export(item) },
    { iconPath: new ThemeIcon("trash"), tooltip: "Delete…", run: (item) => this.delete(item) },
  ];

  constructor(
    private readonly client: Client,
    private readonly chat: Chat,
  ) {}

  /** Lets the user choose a conversation to open, or an action on one. */
  async choose(): Promise<void> {
    const listed = await this.list();
    const pick = window.createQuickPick<Item>();
    pick.placeholder = "Choose a conversation, or type to search in all of them";
    pick.matchOnDescription = true;
    pick.items = listed;
    const subscriptions: Disposable[] = [
      pick,
      pick.onDidChangeValue(reporting(() => this.find(pick, listed))),
      pick.onDidTriggerItemButton(reporting(async ({ button, item }) => {
        pick.hide();
        await (button as Action).run(item);
      })),
      pick.onDidAccept(reporting(async () => {
        const [item] = pick.selectedItems;
        pick.hide();
        if (item) await this.chat.open(item.conversationId);
      })),
      pick.onDidHide(() => subscriptions.forEach((subscription) => void subscription.dispose())),
    ];
    pick.show();
  }

  private async list(): Promise<Item[]> {
    const { conversations } = await this.client.request(chatList, {});
    return conversations.map(({ id, title, updatedAt, state }) => {
      const { icon, words } = state ? states[state] : { icon: "", words: "" };
      const description = [words, new Date(updatedAt).toLocaleString()].filter(Boolean).join(" · ");
      return { conversationId: id, title, label: icon + title, description, buttons: this.actions };
    });
  }

  /** Adds the messages that contain the typed words, unless the input has changed meanwhile. */
  private async find(pick: QuickPick<Item>, listed: Item[]): Promise<void> {
    const query = pick.value.trim();
    const { results } = query ? await this.client.request(chatSearch, { query }) : { results: [] };
    if (pick.value.trim() !== query) return;
    const found = results.filter(({ messageId }) => messageId).map(({ conversationId, title, excerpt }): Item => ({
      conversationId, title, label: `$(search) ${title}`, detail: excerpt, alwaysShow: true, buttons: this.actions,
    }));
    if (found.length > 0 || pick.items.length > listed.length) pick.items = [...listed, ...found]; // what is drawn again may lose a click
  }

  private async rename({ conversationId, title: value }: Item): Promise<void> {
    const title = await window.showInputBox({ prompt: "The conversation's title", value });
    if (title?.trim()) await this.client.request(chatRename, { conversationId, title: title.trim() });
  }

  private async export({ conversationId }: Item): Promise<void> {
    const { markdown } = await this.client.request(chatExport, { conversationId });
    await window.showTextDocument(await workspace.openTextDocument({ language: "markdown", content: markdown }));
  }

  private async delete({ conversationId, title }: Item): Promise<void> {
    const remove = "Delete";
    const asked = `Delete the conversation “${title}” with all its messages? Files stay as they are.`;
    if ((await window.showWarningMessage(unlinked(asked), { modal: true }, remove)) !== remove) return;
    await this.client.request(chatDelete, { conversationId });
    this.chat.forget(conversationId);
  }
}
