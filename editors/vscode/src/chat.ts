// Conversations and their turns, as this window knows them. A turn is either
// asked for here, or reported by the server when something else, such as a code
// action, has started it; both are recorded and shown the same way.
import { CancellationTokenSource, type Disposable, EventEmitter } from "vscode";
import type { Client } from "./client";
import { messageOf } from "./errors";
import type { ToView } from "./messages";
import {
  type HistoryMessage,
  type Part,
  type SendResult,
  type ServerEvent,
  chatHistory,
  chatSend,
  chatSendPart,
  chatStop,
  proposalGet,
} from "./requests";

/** What is drawn of one conversation; it has no id until its first turn ends. */
interface Conversation {
  id?: string;
  log: ToView[];
}

interface Turn {
  id: string;
  title: string;
  conversation: Conversation;
  stop(): void;
}

export class Chat implements Disposable {
  private readonly drawing = new EventEmitter<ToView>();
  private readonly changing = new EventEmitter<void>();
  private readonly starting = new EventEmitter<void>();
  private readonly subscriptions: Disposable[];
  private readonly known = new Map<string, Conversation>();
  private readonly turns = new Map<string, Turn>();
  private shown: Conversation = { log: [] };
  private sent = 0;

  /** What to draw, in order, of the conversation that is shown. */
  readonly onDraw = this.drawing.event;
  /** Another conversation is shown, or a turn began or ended. */
  readonly onChange = this.changing.event;
  /** A turn began that nobody asked for in the chat. */
  readonly onReportedTurn = this.starting.event;

  constructor(private readonly client: Client) {
    this.subscriptions = [
      this.drawing,
      this.changing,
      this.starting,
      client.onEvent((event) => this.handleEvent(event)),
      client.onRunning((running) => running || this.abandonTurns()),
    ];
  }

  /** The id of the conversation that is shown, if it has one. */
  get conversationId(): string | undefined {
    return this.shown.id;
  }

  /** The titles of the turns that run, in this conversation or another. */
  get runningTitles(): string[] {
    return [...this.turns.values()].map((turn) => turn.title);
  }

  /** Everything there is to draw of the conversation that is shown. */
  replay(): ToView[] {
    return [{ type: "clear" }, ...this.shown.log];
  }

  async send(text: string): Promise<void> {
    const conversation = this.shown;
    const cancel = new CancellationTokenSource();
    const id = `sent-${++this.sent}`;
    const parts = this.client.onProgress(chatSendPart, id, (part) => this.recordPart(id, part));
    this.begin({ id, title: text, conversation, stop: () => cancel.cancel() });
    try {
      const params = { text, partialResultToken: id, ...(conversation.id && { conversationId: conversation.id }) };
      this.finish(id, await this.client.request(chatSend, params, cancel.token));
    } catch (error) {
      this.fail(id, messageOf(error));
    } finally {
      parts.dispose();
      cancel.dispose();
    }
  }

  /** Stops what runs in the conversation that is shown. */
  stop(): void {
    for (const turn of this.turns.values()) if (turn.conversation === this.shown) turn.stop();
  }

  newConversation(): void {
    this.show({ log: [] });
  }

  /** Shows a conversation of this window or, from its history, an earlier one. */
  async open(id: string): Promise<void> {
    const known = this.known.get(id);
    if (known) return this.show(known);
    const { messages } = await this.client.request(chatHistory, { conversationId: id });
    const conversation: Conversation = { id, log: [] };
    for (const [index, message] of messages.entries()) {
      conversation.log.push(...(await this.drawMessage(message, `${id}-${index}`)));
    }
    this.known.set(id, conversation);
    this.show(conversation);
  }

  /** Notes what became of a proposal, wherever it is drawn. */
  decided(proposal: string, status: string): void {
    const running = [...this.turns.values()].map((turn) => turn.conversation);
    for (const conversation of new Set([...this.known.values(), this.shown, ...running])) {
      const drawn = conversation.log.some(
        (message) => message.type === "part" && message.part.type === "proposal" && message.part.id === proposal,
      );
      if (drawn) this.record(conversation, { type: "decided", proposal, status });
    }
  }

  dispose(): void {
    for (const turn of this.turns.values()) turn.stop();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private handleEvent(event: ServerEvent): void {
    if (event.type === "index") return;
    if (event.type === "proposal" && event.status) this.decided(event.id, event.status);
    if (event.turnId === undefined) return;
    if (event.type === "turnStarted") this.beginReported(event.turnId, event.conversationId, event.title);
    else if (event.type === "turnFinished") this.finish(event.turnId, event.result);
    else this.recordPart(event.turnId, event);
  }

  private beginReported(turnId: string, conversationId: string | undefined, title = "ploke"): void {
    if (!conversationId) return;
    const conversation = this.known.get(conversationId) ?? { id: conversationId, log: [] };
    this.known.set(conversationId, conversation);
    this.show(conversation);
    const stop = () => void this.client.request(chatStop, { conversationId });
    this.begin({ id: turnId, title, conversation, stop });
    this.starting.fire();
  }

  private begin(turn: Turn): void {
    this.turns.set(turn.id, turn);
    this.record(turn.conversation, { type: "question", text: turn.title });
    this.record(turn.conversation, { type: "turn", turn: turn.id });
    this.changing.fire();
  }

  private recordPart(id: string, part: Part): void {
    const turn = this.turns.get(id);
    if (turn) this.record(turn.conversation, { type: "part", turn: id, part });
  }

  private finish(id: string, result: SendResult): void {
    const conversation = this.turns.get(id)?.conversation;
    if (conversation && !conversation.id) {
      conversation.id = result.conversationId;
      this.known.set(conversation.id, conversation);
    }
    this.end(id, outcomes[result.stopReason] ?? result.stopReason, result.error);
  }

  private fail(id: string, error: string): void {
    this.end(id, "Failed", error);
  }

  private end(id: string, outcome: string, error?: string): void {
    const turn = this.turns.get(id);
    if (!turn || !this.turns.delete(id)) return;
    const text = error ? `${outcome}: ${error}` : outcome;
    this.record(turn.conversation, { type: "finished", turn: id, outcome: text });
    this.changing.fire();
  }

  /** The server has gone: what it was asked fails by itself, what it reported does not. */
  private abandonTurns(): void {
    for (const id of [...this.turns.keys()]) this.fail(id, "the server has stopped");
  }

  private show(conversation: Conversation): void {
    if (conversation === this.shown) return;
    this.shown = conversation;
    for (const message of this.replay()) this.drawing.fire(message);
    this.changing.fire();
  }

  private record(conversation: Conversation, message: ToView): void {
    if (!extendLast(conversation.log, message)) conversation.log.push(message);
    if (conversation === this.shown) this.drawing.fire(message);
  }

  private async drawMessage(message: HistoryMessage, turn: string): Promise<ToView[]> {
    if (message.role === "user") return [{ type: "question", text: message.text }];
    const parts: Part[] = (message.toolCalls ?? []).map(({ callId, tool, summary, error }) => ({
      type: "toolCall", callId, tool, state: error ? "failed" : "finished", summary: summary ?? error ?? "",
    }));
    parts.push({ type: "message", text: message.text });
    const decisions: ToView[] = [];
    for (const id of message.proposals ?? []) {
      const { proposal } = await this.client.request(proposalGet, { id });
      parts.push({ type: "proposal", id, title: proposal.title, files: proposal.files.map((file) => file.path) });
      decisions.push({ type: "decided", proposal: id, status: proposal.status });
    }
    const outcome = message.status === "completed" ? "" : `Ended: ${message.status}`;
    const drawn = parts.map((part): ToView => ({ type: "part", turn, part }));
    return [{ type: "turn", turn }, ...drawn, ...decisions, { type: "finished", turn, outcome }];
  }
}

/** What a turn's end says below its answer; nothing where all is well. */
const outcomes = {
  done: "",
  cancelled: "Stopped",
  limit: "Ended at a limit",
  error: "Failed",
};

/** Keeps a streamed text one entry of the log, so that the log grows with the turns and not with the deltas. */
function extendLast(log: ToView[], message: ToView): boolean {
  const last = log.at(-1);
  if (message.type !== "part" || last?.type !== "part" || last.turn !== message.turn) return false;
  const { part } = message;
  if (part.type !== "message" && part.type !== "thought") return false;
  if (last.part.type !== part.type || "replace" in part) return false;
  log[log.length - 1] = { ...last, part: { ...last.part, text: (last.part.text ?? "") + (part.text ?? "") } };
  return true;
}
