// The branches of a conversation: editing an earlier message, or asking it again,
// begins a new one beside it. The user can go from one to the next.
import type { Disposable } from "vscode";
import type { Chat } from "./chat";
import type { Client } from "./client";
import { type Chip, chipOf } from "./chip";
import type { Edited, Sent } from "./composerMessages";
import { reporting } from "./errors";
import { type Fork, type Message, chatHistory, chatSiblings } from "./protocol";
import { type Conversation, root } from "./transcript";

/** Names the branch that the newest message is on. */
const newest = "";

export class Branches implements Disposable {
  private readonly subscription: Disposable;

  constructor(
    private readonly client: Client,
    private readonly chat: Chat,
  ) {
    this.subscription = chat.onSettled(reporting((conversation: Conversation) => this.show(conversation)));
  }

  /** Returns the question of a turn, for editing. */
  async read(turn: string): Promise<Required<Pick<Sent, "edits">> & { text: string; chips: Chip[] }> {
    const { edits, message } = await this.find(turn);
    return { edits, text: message.text, chips: (message.attachments ?? []).map(chipOf) };
  }

  /** Asks the question of a turn again, beside the first time. */
  async retry(turn: string): Promise<void> {
    const { edits, text, chips } = await this.read(turn);
    await this.send({ text, attachments: chips, edits });
  }

  /** Sends a message in place of an earlier one: what followed that one stays in a branch of its own. */
  async send(sent: Sent & { edits: Edited }): Promise<void> {
    const { conversation, message } = sent.edits;
    const { messages } = await this.client.request(chatHistory, { conversationId: conversation, leafId: message });
    const before = this.chat.conversationId === conversation ? this.chat.shown.leaf : undefined;
    if (this.chat.conversationId === conversation) await this.chat.stopAndWait();
    await this.chat.open(conversation, messages.at(-1)?.parentId ?? root);
    const stored = await this.chat.send(sent, false);
    if (!stored) await this.chat.open(conversation, before ?? newest);
  }

  /** Shows the branch that is so many places behind the one with the question of a turn. */
  async step(turn: string, by: number): Promise<void> {
    if (this.chat.busy) throw new Error("an answer is being written: stop it, or wait for its end, before you show another branch");
    const { edits } = await this.find(turn);
    const { shown } = this.chat;
    const { forks } = await this.client.request(chatSiblings, { conversationId: edits.conversation, ...leafOf(shown) });
    const fork = forks.find(({ messages }) => messages.some(({ id }) => id === edits.message));
    const at = fork?.messages.findIndex(({ id }) => id === edits.message) ?? 0;
    const wanted = fork?.messages[at + by];
    if (wanted) await this.chat.open(edits.conversation, wanted.leafId);
  }

  dispose(): void {
    this.subscription.dispose();
  }

  /** Shows at each question that has alternatives which one it is. */
  private async show(conversation: Conversation): Promise<void> {
    if (!conversation.id || conversation.leaf === root) return;
    const { forks } = await this.client.request(chatSiblings, { conversationId: conversation.id, ...leafOf(conversation) });
    for (const fork of forks) this.showFork(conversation, fork);
  }

  private showFork(conversation: Conversation, { messages }: Fork): void {
    const at = messages.findIndex(({ current }) => current);
    const turn = [...conversation.questions].find(([, id]) => id === messages[at]?.id)?.[0];
    if (turn) this.chat.record(conversation, { type: "fork", turn, at: at + 1, of: messages.length });
  }

  /** Finds the stored question of a turn. That of a running turn is the first of its messages. */
  private async find(turn: string): Promise<{ edits: Edited; message: Message }> {
    const { shown } = this.chat;
    if (!shown.id) throw new Error("the message is not stored yet: wait until the answer begins");
    const known = shown.questions.get(turn);
    const turnId = this.chat.turnId(turn);
    const leaf = known ? { leafId: known } : leafOf(shown);
    const { messages } = await this.client.request(chatHistory, { conversationId: shown.id, ...leaf });
    const message = known ? messages.at(-1) : messages.find((each) => each.role === "user" && each.turnId === turnId);
    if (!message) throw new Error("the message is not stored yet: wait until the answer begins");
    return { edits: { conversation: shown.id, message: message.id, turn }, message };
  }
}

function leafOf({ leaf }: Conversation): { leafId?: string } {
  return leaf ? { leafId: leaf } : {};
}
