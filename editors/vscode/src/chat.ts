// The conversations of this window and the turns that run in them. A turn is asked
// for here, reported by the server when something else, such as a code action, has
// started it, or found running in a conversation that is opened; all are recorded
// and shown the same way.
import { CancellationTokenSource, type Disposable, EventEmitter } from "vscode";
import type { Client } from "./client";
import { messageOf, reporting } from "./errors";
import { type Conversation, append, drawMessage } from "./log";
import type { ToView } from "./messages";
import {
  type HistoryMessage,
  type SendParams,
  type SendResult,
  type ServerEvent,
  type TurnEvent,
  chatAttach,
  chatHistory,
  chatSend,
  chatSendPart,
  chatStop,
  proposalGet,
} from "./requests";
import { standingOf } from "./standing";

interface Turn {
  /** Names the turn to the view. */
  key: string;
  /** The server's name, once it has told it. */
  turnId?: string;
  title: string;
  conversation: Conversation;
  waits: boolean;
  stop(): void;
}

/** A message that was sent to join a turn; it does, or begins a turn of its own. */
interface Steering {
  key: string;
  text: string;
  conversation: Conversation;
  /** A turn has taken it in. */
  joined: boolean;
  stop(): void;
}

export class Chat implements Disposable {
  private readonly drawing = new EventEmitter<ToView>();
  private readonly changing = new EventEmitter<void>();
  private readonly starting = new EventEmitter<void>();
  private readonly subscriptions: Disposable[];
  private readonly known = new Map<string, Conversation>();
  private readonly turns = new Map<string, Turn>();
  private readonly steering = new Map<string, Steering>();
  private readonly attaching = new Map<string, TurnEvent[]>();
  private shown: Conversation = { log: [] };
  private noting = Promise.resolve();
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
    return [...this.turns.values()].filter((turn) => !turn.waits).map((turn) => turn.title);
  }

  /** Everything there is to draw of the conversation that is shown. */
  replay(): ToView[] {
    return [{ type: "clear" }, ...this.shown.log];
  }

  /** Sends a message. While the conversation is busy it waits for its turn, or joins the one that runs. */
  async send(text: string, steer: boolean): Promise<void> {
    const conversation = this.shown;
    const key = `sent-${++this.sent}`;
    const cancel = new CancellationTokenSource();
    const stop = () => cancel.cancel();
    if (steer && this.turnsOf(conversation).length > 0) this.beginJoining({ key, text, conversation, joined: false, stop });
    else this.begin({ key, title: text, conversation, waits: false, stop });
    await this.identified(conversation, key);
    await this.follow(key, conversation, { text, whileBusy: steer ? "steer" : "queue" }, cancel);
    cancel.dispose();
  }

  /** Stops what runs and what waits in the conversation that is shown, the last one first: none starts by it. */
  stop(): void {
    for (const turn of this.turnsOf(this.shown).reverse()) turn.stop();
  }

  /** Takes back a message that waits. */
  withdraw(key: string): void {
    this.turns.get(key)?.stop();
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
    this.known.set(id, conversation);
    const running = new Set(messages.filter(({ status }) => status === "pending").map(({ turnId }) => turnId));
    for (const [index, message] of messages.entries()) {
      if (running.has(message.turnId)) continue;
      conversation.log.push(...(await drawMessage(this.client, message, `${id}-${index}`)));
    }
    for (const turnId of running) {
      await this.attach(turnId, conversation, messages.filter((message) => message.turnId === turnId));
    }
    this.show(conversation);
  }

  /** A conversation is gone for good. */
  forget(id: string): void {
    this.known.delete(id);
    if (this.shown.id === id) this.newConversation();
  }

  /** Has an answer go on that was interrupted. */
  resume(): Promise<void> {
    return this.send("Go on where you stopped.", false);
  }

  /** Notes what became of a proposal, wherever it is drawn: one after the other, so that the last word counts. */
  decided(proposal: string): void {
    this.noting = this.noting.then(reporting(() => this.note(proposal)));
  }

  dispose(): void {
    for (const turn of this.turns.values()) turn.stop();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private async note(proposal: string): Promise<void> {
    const standing = standingOf(await this.client.request(proposalGet, { id: proposal }));
    const running = [...this.turns.values()].map((turn) => turn.conversation);
    for (const conversation of new Set([...this.known.values(), this.shown, ...running])) {
      const drawn = conversation.log.some(
        (message) => message.type === "part" && message.part.type === "proposal" && message.part.id === proposal,
      );
      if (drawn) this.record(conversation, { type: "decided", proposal, standing });
    }
  }

  private turnsOf(conversation: Conversation): Turn[] {
    return [...this.turns.values()].filter((turn) => turn.conversation === conversation);
  }

  private byTurnId(turnId: string): Turn | undefined {
    return [...this.turns.values()].find((turn) => turn.turnId === turnId);
  }

  /** Waits for the conversation's id, if the first message is about to bring it. */
  private async identified(conversation: Conversation, key: string): Promise<void> {
    while (!conversation.id && (this.turnsOf(conversation)[0]?.key ?? key) !== key) {
      await new Promise<void>((resolve) => {
        const heard = this.onChange(() => (heard.dispose(), resolve()));
      });
    }
  }

  /** Sends a message and takes in what is told of its turn, until the turn has ended. */
  private async follow(
    key: string, conversation: Conversation, message: Pick<SendParams, "text" | "whileBusy">, cancel: CancellationTokenSource,
  ): Promise<void> {
    const parts = this.client.onProgress(chatSendPart, key, (event) => this.take(key, event));
    try {
      const params = { ...message, partialResultToken: key, ...(conversation.id && { conversationId: conversation.id }) };
      const result = await this.client.request(chatSend, params, cancel.token);
      this.settleSteering(key);
      this.finish(key, result);
    } catch (error) {
      this.settleSteering(key);
      this.fail(key, messageOf(error));
    } finally {
      parts.dispose();
    }
  }

  private beginJoining(steering: Steering): void {
    this.steering.set(steering.key, steering);
    this.record(steering.conversation, { type: "joining", message: steering.key, text: steering.text });
  }

  /** A message that joined no turn has one of its own, or at least its end is shown. */
  private settleSteering(key: string): void {
    const steering = this.steering.get(key);
    if (!steering || !this.steering.delete(key) || steering.joined) return;
    this.record(steering.conversation, { type: "joined", message: key });
    const { text: title, conversation, stop } = steering;
    this.begin({ key, title, conversation, waits: false, stop });
  }

  private take(key: string, event: TurnEvent): void {
    if (this.steering.has(key)) {
      if (this.byTurnId(event.turnId)) return; // the turn that it joins tells all this, too
      this.settleSteering(key);
    }
    const turn = this.turns.get(key);
    if (!turn) return;
    turn.turnId = event.turnId;
    this.identify(turn.conversation, event.conversationId);
    this.advance(turn, event);
  }

  private advance(turn: Turn, event: TurnEvent): void {
    switch (event.type) {
      case "turnQueued":
      case "turnStarted":
        return this.wait(turn, event.type === "turnQueued");
      case "turnFinished":
        return this.finish(turn.key, event.result);
      case "userMessage":
        this.confirmJoining(turn.conversation, event.text);
    }
    this.record(turn.conversation, { type: "part", turn: turn.key, part: event });
  }

  private wait(turn: Turn, waits: boolean): void {
    if (turn.waits === waits) return;
    turn.waits = waits;
    this.record(turn.conversation, { type: "waiting", turn: turn.key, waits });
    this.changing.fire();
  }

  private confirmJoining(conversation: Conversation, text: string): void {
    for (const steering of this.steering.values()) {
      if (steering.joined || steering.conversation !== conversation || steering.text !== text) continue;
      steering.joined = true;
      return this.record(conversation, { type: "joined", message: steering.key });
    }
  }

  private handleEvent(event: ServerEvent): void {
    if (event.type === "proposal" && event.turnId === undefined) this.decided(event.id);
    if (event.turnId === undefined) return;
    const held = this.attaching.get(event.turnId);
    if (held) return void held.push(event);
    if (event.type === "turnStarted" && !this.byTurnId(event.turnId)) this.beginReported(event, event.title);
    const turn = this.byTurnId(event.turnId);
    if (turn) this.advance(turn, event);
  }

  private beginReported({ turnId, conversationId }: TurnEvent, title = "ploke"): void {
    const conversation = this.known.get(conversationId) ?? { id: conversationId, log: [] };
    this.known.set(conversationId, conversation);
    this.show(conversation);
    this.beginFollowed(turnId, title, conversation);
    this.starting.fire();
  }

  private beginFollowed(turnId: string, title: string, conversation: Conversation): void {
    const stop = () => void this.client.request(chatStop, { conversationId: conversation.id ?? "" });
    this.begin({ key: turnId, turnId, title, conversation, waits: false, stop });
  }

  /** Comes back to a turn that runs: what it has said, and then what it goes on to say. */
  private async attach(turnId: string, conversation: Conversation, messages: HistoryMessage[]): Promise<void> {
    const held: TurnEvent[] = [];
    this.attaching.set(turnId, held);
    try {
      const { events } = await this.client.request(chatAttach, { turnId, afterSeq: 0 });
      this.beginFollowed(turnId, messages[0]?.text ?? "ploke", conversation);
      held.unshift(...events);
    } catch {
      // It is over by now, or another editor's: what is stored of it is all there is.
      for (const [index, message] of messages.entries()) {
        conversation.log.push(...(await drawMessage(this.client, message, `${turnId}-${index}`)));
      }
    } finally {
      this.attaching.delete(turnId);
    }
    for (const event of held) this.handleEvent(event);
  }

  private begin(turn: Turn): void {
    this.turns.set(turn.key, turn);
    this.record(turn.conversation, { type: "question", text: turn.title });
    this.record(turn.conversation, { type: "turn", turn: turn.key });
    this.changing.fire();
  }

  private identify(conversation: Conversation, id: string): void {
    if (conversation.id) return;
    conversation.id = id;
    this.known.set(id, conversation);
    this.changing.fire();
  }

  private finish(key: string, result: SendResult): void {
    const turn = this.turns.get(key);
    if (!turn) return;
    this.identify(turn.conversation, result.conversationId);
    this.end(key, turn.waits ? "Withdrawn" : outcomes[result.stopReason], result.error, result.stopReason === "limit");
  }

  private fail(key: string, error: string): void {
    this.end(key, "Failed", error);
  }

  private end(key: string, outcome: string, error?: string, resumable = false): void {
    const turn = this.turns.get(key);
    if (!turn || !this.turns.delete(key)) return;
    const text = error ? `${outcome}: ${error}` : outcome;
    this.record(turn.conversation, { type: "finished", turn: key, outcome: text, resumable });
    this.changing.fire();
  }

  /** The server has gone: what it was asked fails by itself, what it reported does not. */
  private abandonTurns(): void {
    for (const key of [...this.turns.keys()]) this.fail(key, "the server has stopped");
  }

  private show(conversation: Conversation): void {
    if (conversation === this.shown) return;
    this.shown = conversation;
    for (const message of this.replay()) this.drawing.fire(message);
    this.changing.fire();
  }

  private record(conversation: Conversation, message: ToView): void {
    append(conversation.log, message);
    if (conversation === this.shown) this.drawing.fire(message);
  }
}

/** What a turn's end says below its answer; nothing where all is well. */
const outcomes = {
  done: "",
  cancelled: "Stopped",
  limit: "Ended at a limit",
  error: "Failed",
};
