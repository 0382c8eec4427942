// The conversations that are open in this window. One of them is shown: what is
// recorded of it is drawn at once.
import { type Disposable, EventEmitter } from "vscode";
import { type Conversation, append, newConversation } from "./transcript";
import type { Drawing, ToView } from "./webviewMessages";

export class OpenConversations implements Disposable {
  private readonly drawEmitter = new EventEmitter<ToView>();
  private readonly showEmitter = new EventEmitter<void>();
  private readonly byId = new Map<string, Conversation>();
  private current = newConversation();

  /** Messages that draw the shown conversation, in order. */
  readonly onDraw = this.drawEmitter.event;
  /** Fires when another conversation is shown, and when a conversation gets its id. */
  readonly onChange = this.showEmitter.event;

  /** The shown branch of a conversation. */
  get shown(): Conversation {
    return this.current;
  }

  /** All that are open. A conversation without an id is open while it is shown. */
  get all(): Conversation[] {
    return [...new Set([...this.byId.values(), this.shown])];
  }

  /** The message that draws the shown conversation. */
  replay(): ToView {
    return { type: "replay", conversation: this.shown.id ?? "", messages: this.shown.transcript };
  }

  get(id: string): Conversation | undefined {
    return this.byId.get(id);
  }

  /** Opens a conversation, in place of another branch of it. */
  add(id: string, conversation: Conversation): void {
    this.byId.set(id, conversation);
  }

  /** Drops a deleted conversation. */
  forget(id: string): void {
    this.byId.delete(id);
    if (this.shown.id === id) this.show(newConversation());
  }

  show(conversation: Conversation): void {
    if (conversation === this.shown) return;
    this.current = conversation;
    this.drawEmitter.fire(this.replay());
    this.showEmitter.fire();
  }

  /** Gives a new conversation its id. */
  identify(conversation: Conversation, id: string): void {
    if (conversation.id) return;
    conversation.id = id;
    this.byId.set(id, conversation);
    this.draw(conversation, { type: "identified", conversation: id });
    this.showEmitter.fire();
  }

  /** Adds to what is drawn of a conversation. */
  record(conversation: Conversation, message: Drawing): void {
    append(conversation.transcript, message);
    this.draw(conversation, message);
  }

  /** Removes the question of a turn that was not sent. */
  remove(conversation: Conversation, turn: string): void {
    conversation.transcript = conversation.transcript.filter((message) => !("turn" in message && message.turn === turn));
    this.draw(conversation, { type: "refused", turn });
  }

  dispose(): void {
    this.drawEmitter.dispose();
    this.showEmitter.dispose();
  }

  private draw(conversation: Conversation, message: ToView): void {
    if (conversation === this.shown) this.drawEmitter.fire(message);
  }
}
