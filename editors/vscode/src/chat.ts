// The conversations of this window and the turns that run in them. A turn starts
// here, or is reported by the server after something else, such as a code action,
// has started it, or is found running in a conversation that is opened. All are
// recorded and shown in the same way.
import { CancellationTokenSource, type Disposable, EventEmitter, workspace } from "vscode";
import { ProgressType } from "vscode-languageclient/node";
import type { Client } from "./client";
import type { Sent } from "./composerMessages";
import { isDisconnected, messageOf, reporting } from "./errors";
import type { ModelChoice } from "./model";
import { OpenConversations } from "./openConversations";
import { Steering } from "./steering";
import { type Conversation, type TurnEvent, drawMessage, endingOfResult, isOfTurn, newConversation, root } from "./transcript";
import { type Turn, Turns, timed } from "./turns";
import type { CallTexts, Drawing, Ending, ToView } from "./webviewMessages";
import {
  type ChatPlace, type ChatSendParams, type ChatSendResult, type Event, type Message, chatAttach, chatHistory, chatPlaces, chatSend, chatStop, proposalGet, toolResult,
} from "./protocol";
import { stateOf } from "./proposalState";

function folderPaths(): string[] {
  return (workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
}

const chatSendPart = new ProgressType<TurnEvent>();

export class Chat implements Disposable {
  private readonly conversations = new OpenConversations();
  private readonly steering = new Steering(this.conversations);
  private readonly changeEmitter = new EventEmitter<void>();
  private readonly reportedTurnEmitter = new EventEmitter<void>();
  private readonly settledEmitter = new EventEmitter<Conversation>();
  private readonly refusedEmitter = new EventEmitter<{ sent: Sent; reason: string }>();
  private readonly withdrawnEmitter = new EventEmitter<Sent>();
  private readonly subscriptions: Disposable[];
  private readonly turns = new Turns();
  private readonly attaching = new Map<string, TurnEvent[]>();
  private proposalUpdates = Promise.resolve();
  private sent = 0;

  /** Messages that draw the shown conversation, in order. */
  readonly onDraw = this.conversations.onDraw;
  /** Fires when another conversation is shown, and when a turn begins or ends. */
  readonly onChange = this.changeEmitter.event;
  /** Fires when a conversation is opened from its history, and when a turn in it ends. */
  readonly onSettled = this.settledEmitter.event;
  /** Fires when a message was not sent. */
  readonly onRefused = this.refusedEmitter.event;
  /** Fires when the user withdraws a queued message. */
  readonly onWithdrawn = this.withdrawnEmitter.event;
  /** Fires when a turn begins that was not started in the chat. */
  readonly onReportedTurn = this.reportedTurnEmitter.event;

  constructor(
    private readonly client: Client,
    private readonly choice: ModelChoice,
  ) {
    this.subscriptions = [
      this.conversations,
      this.conversations.onChange(() => this.changeEmitter.fire()),
      this.changeEmitter,
      this.reportedTurnEmitter,
      this.settledEmitter,
      this.refusedEmitter,
      this.withdrawnEmitter,
      client.onEvent((event) => this.handleEvent(event)),
      client.onRunning((running) => running || this.abandonTurns()),
    ];
  }

  /** The shown branch of a conversation. */
  get shown(): Conversation {
    return this.conversations.shown;
  }

  /** Whether turns run, or wait, in the shown conversation. */
  get busy(): boolean {
    return this.turns.of(this.shown).length > 0;
  }

  /** The id of the shown conversation, if it has one. */
  get conversationId(): string | undefined {
    return this.shown.id;
  }

  /** The titles of the running turns of all conversations. */
  get runningTitles(): string[] {
    return this.turns.all.filter((turn) => !turn.waits).map((turn) => turn.title);
  }

  /** The message that draws the shown conversation. */
  replay(): ToView {
    return this.conversations.replay();
  }

  /** Returns what words of an answer name in the workspace. */
  async places(names: string[]): Promise<ChatPlace[]> {
    await this.client.ready();
    return (await this.client.request(chatPlaces, { names })).places;
  }

  /** Returns what a tool call of the shown conversation was given and what it returned. */
  async callTexts(callId: string): Promise<CallTexts> {
    const call = { conversationId: this.shown.id ?? "", callId };
    const given = await this.client.request(toolResult, { ...call, text: "arguments" });
    const result = await this.client.request(toolResult, { ...call, text: "result" });
    return { arguments: given.text, result: result.error || result.text, cut: result.next !== undefined, folders: folderPaths() };
  }

  /**
   * Sends a message, and resolves at the end of its turn to whether it was stored. While a turn runs in the conversation,
   * the message is queued, or steers that turn.
   */
  async send(sent: Sent, steer: boolean): Promise<boolean> {
    const conversation = this.shown;
    const key = `sent-${++this.sent}`;
    const cancel = new CancellationTokenSource();
    const stop = () => cancel.cancel();
    const parentId = conversation.leaf;
    delete conversation.leaf; // the message becomes the newest one
    if (steer && this.turns.of(conversation).length > 0) this.steering.begin({ key, sent, conversation, stop });
    else this.begin({ key, title: sent.text, sent, conversation, waits: this.turns.of(conversation).length > 0, stop });
    await this.untilIdentified(conversation, key);
    const attachments = sent.attachments.map(({ uri, range }) => ({ uri, ...(range && { range }) }));
    const message = { text: sent.text, attachments, whileBusy: steer ? "steer" : "queue", ...(parentId && { parentId }) } as const;
    const stored = await this.follow(key, conversation, message, cancel);
    if (!stored && parentId) conversation.leaf = parentId;
    cancel.dispose();
    return stored;
  }

  /** Stops the running turn of the shown conversation. What is queued stays, and its first message is answered next. */
  stop(): void {
    const turns = this.turns.of(this.shown);
    (turns.find(({ waits }) => !waits) ?? turns[0])?.stop();
  }

  /**
   * Stops the turns of the shown conversation, the last first, so that none starts meanwhile, and waits for their end. The user
   * gets the queued messages back.
   */
  async stopAndWait(): Promise<void> {
    const turns = this.turns.of(this.shown);
    for (const turn of turns.toReversed()) turn.stop();
    for (const { waits, sent } of turns) if (waits && sent) this.withdrawnEmitter.fire(sent);
    while (this.busy) await this.change();
  }

  /** Withdraws a queued message, which the user gets back. */
  withdraw(key: string): void {
    const sent = this.drop(key);
    if (sent) this.withdrawnEmitter.fire(sent);
  }

  /** Withdraws a queued message for good, and returns it. */
  drop(key: string): Sent | undefined {
    const turn = this.turns.get(key);
    if (!turn?.waits) return undefined;
    turn.stop();
    return turn.sent;
  }

  /** Lets a queued message join the running answer. */
  async steer(key: string): Promise<void> {
    const sent = this.drop(key);
    if (sent) await this.send(sent, true);
  }

  /** The server's id of a running turn. */
  turnId(key: string): string | undefined {
    return this.turns.get(key)?.turnId;
  }

  newConversation(): void {
    this.conversations.show(newConversation());
  }

  /** Shows a conversation of this window, or the branch that ends in a message; "" is the newest message. */
  async open(id: string, leaf?: string): Promise<void> {
    const open = this.conversations.get(id);
    if (open && leaf === undefined) return this.conversations.show(open);
    const conversation = newConversation(id, leaf);
    if (leaf !== root) await this.read(id, conversation);
    const opened = leaf === undefined ? this.conversations.get(id) : undefined; // meanwhile, by something else
    if (opened) this.conversations.show(opened);
    else this.showRead(id, conversation);
  }

  /** Shows a conversation in place of the empty one of a new window, unless the user has begun or opened another one meanwhile. */
  async restore(id: string, leaf?: string): Promise<void> {
    const empty = this.shown;
    if (empty.transcript.length > 0) return;
    const conversation = newConversation(id, leaf);
    await this.read(id, conversation);
    if (this.shown === empty && empty.transcript.length === 0) this.showRead(id, conversation);
    else if (!this.conversations.get(id)) this.conversations.add(id, conversation);
  }

  private showRead(id: string, conversation: Conversation): void {
    this.conversations.add(id, conversation);
    this.conversations.show(conversation);
    this.settledEmitter.fire(conversation);
  }

  /** Reads the history of a branch. */
  private async read(id: string, conversation: Conversation): Promise<void> {
    const { messages } = await this.client.request(chatHistory, { conversationId: id, ...(conversation.leaf && { leafId: conversation.leaf }) });
    for (const [index, message] of messages.entries()) {
      const question = message.role === "user" ? message.id : message.parentId;
      if (question) conversation.questions.set(`${id}-${index}`, question);
    }
    const running = new Set(messages.filter(({ status }) => status === "pending").map(({ turnId }) => turnId));
    for (const [index, message] of messages.entries()) {
      if (running.has(message.turnId)) continue;
      conversation.transcript.push(...(await drawMessage(this.client, message, `${id}-${index}`)));
    }
    for (const turnId of running) {
      await this.attach(turnId, conversation, messages.filter((message) => message.turnId === turnId));
    }
  }

  /** Drops a deleted conversation. */
  forget(id: string): void {
    this.conversations.forget(id);
  }

  /** Resumes an interrupted answer. */
  resume(): Promise<unknown> {
    return this.send({ text: "Go on where you stopped.", attachments: [] }, false);
  }

  /** Updates a proposal in all conversations that show it. Updates run one after another, so that the newest state wins. */
  proposalChanged(proposal: string): void {
    this.proposalUpdates = this.proposalUpdates.then(reporting(() => this.updateProposal(proposal)));
  }

  /** Adds to what is drawn of a conversation. */
  record(conversation: Conversation, message: Drawing): void {
    this.conversations.record(conversation, message);
  }

  dispose(): void {
    for (const turn of this.turns.all) turn.stop();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private async updateProposal(proposal: string): Promise<void> {
    const state = stateOf(await this.client.request(proposalGet, { id: proposal }));
    const running = this.turns.all.map((turn) => turn.conversation);
    for (const conversation of new Set([...this.conversations.all, ...running])) {
      const drawn = conversation.transcript.some(
        (message) => message.type === "part" && message.part.type === "proposal" && message.part.id === proposal,
      );
      if (drawn) this.conversations.record(conversation, { type: "decided", proposal, state });
    }
  }

  /** Waits for the conversation's id, which the reply to its first message has. */
  private async untilIdentified(conversation: Conversation, key: string): Promise<void> {
    while (!conversation.id && (this.turns.of(conversation)[0]?.key ?? key) !== key) {
      await this.change();
    }
  }

  private change(): Promise<void> {
    return new Promise((resolve) => {
      const subscription = this.onChange(() => (subscription.dispose(), resolve()));
    });
  }

  /** Sends a message and handles the parts of its turn until the turn has ended. Resolves to whether the message was stored. */
  private async follow(
    key: string, conversation: Conversation, message: ChatSendParams, cancel: CancellationTokenSource,
  ): Promise<boolean> {
    await this.client.ready();
    let stored = false;
    const parts = this.client.onProgress(chatSendPart, key, (event) => {
      stored = true;
      this.handlePart(key, event);
    });
    try {
      const { model } = this.choice;
      const params = {
        ...message, partialResultToken: key, ...(conversation.id && { conversationId: conversation.id }), ...(model && { model }),
      };
      const result = await this.client.request(chatSend, params, cancel.token);
      this.endSteering(key);
      this.finish(key, result);
      return true;
    } catch (error) {
      this.endSteering(key);
      if (isDisconnected(error) && this.turns.get(key)?.turnId) this.interrupt(key);
      else this.fail(key, messageOf(error));
      return stored;
    } finally {
      parts.dispose();
    }
  }

  /** Begins a turn for a steering message that has joined none, so that at least its end is shown. */
  private endSteering(key: string): void {
    const message = this.steering.end(key);
    if (message) this.begin({ ...message, title: message.sent.text, waits: false });
  }

  private handlePart(key: string, event: TurnEvent): void {
    if (this.steering.has(key)) {
      if (this.steering.handle(key, event)) return; // the turn that it joins reports the same
      this.endSteering(key);
    }
    const turn = this.turns.get(key);
    if (!turn) return;
    turn.turnId = event.turnId;
    this.conversations.identify(turn.conversation, event.conversationId);
    this.applyEvent(turn, event);
  }

  private applyEvent(turn: Turn, event: TurnEvent): void {
    switch (event.type) {
      case "turnQueued":
      case "turnStarted":
        return this.wait(turn, event.type === "turnQueued");
      case "turnFinished":
        return this.finish(turn.key, event.result);
      case "steering":
        return;
      case "evidence":
        return this.proposalChanged(event.id);
    }
    const onlyStatus = event.type === "proposal" && event.title === undefined;
    if (!onlyStatus) this.conversations.record(turn.conversation, { type: "part", turn: turn.key, part: timed(turn, event) });
    if (event.type === "proposal") this.proposalChanged(event.id);
  }

  private wait(turn: Turn, waits: boolean): void {
    if (turn.waits === waits) return;
    turn.waits = waits;
    this.conversations.record(turn.conversation, { type: "waiting", turn: turn.key, waits });
    this.changeEmitter.fire();
  }

  private handleEvent(event: Event): void {
    if ((event.type === "proposal" || event.type === "evidence") && event.turnId === undefined) this.proposalChanged(event.id);
    if (!isOfTurn(event)) return;
    const buffered = this.attaching.get(event.turnId);
    if (buffered) return void buffered.push(event);
    if (event.type === "turnStarted" && !this.turns.withId(event.turnId)) this.beginReported(event, event.title);
    const turn = this.turns.withId(event.turnId);
    if (turn) this.applyEvent(turn, event);
  }

  private beginReported({ turnId, conversationId }: TurnEvent, title = "ploke"): void {
    const conversation = this.conversations.get(conversationId) ?? newConversation(conversationId);
    this.conversations.add(conversationId, conversation);
    this.conversations.show(conversation);
    this.beginFollowed(turnId, title, conversation);
    this.reportedTurnEmitter.fire();
  }

  private beginFollowed(turnId: string, title: string, conversation: Conversation): void {
    const stop = () => void this.client.request(chatStop, { conversationId: conversation.id ?? "" });
    this.begin({ key: turnId, turnId, title, conversation, waits: false, stop });
  }

  /** Follows a running turn: replays its past events, then handles the next ones. */
  private async attach(turnId: string, conversation: Conversation, messages: Message[]): Promise<void> {
    const buffered: TurnEvent[] = [];
    this.attaching.set(turnId, buffered);
    try {
      const { events } = await this.client.request(chatAttach, { turnId, afterSeq: 0 });
      this.beginFollowed(turnId, messages[0]?.text ?? "ploke", conversation);
      buffered.unshift(...events.filter(isOfTurn));
    } catch {
      // It has ended meanwhile, or runs in another editor: show its stored messages.
      for (const [index, message] of messages.entries()) {
        conversation.transcript.push(...(await drawMessage(this.client, message, `${turnId}-${index}`)));
      }
    } finally {
      this.attaching.delete(turnId);
    }
    for (const event of buffered) this.handleEvent(event);
  }

  private begin(turn: Turn): void {
    this.turns.add(turn);
    this.conversations.record(turn.conversation, { type: "question", turn: turn.key, text: turn.title, chips: turn.sent?.attachments ?? [],
      ...(turn.waits && { waits: true }) });
    this.conversations.record(turn.conversation, { type: "turn", turn: turn.key });
    this.changeEmitter.fire();
  }

  private finish(key: string, result: ChatSendResult): void {
    const turn = this.turns.get(key);
    if (!turn) return;
    this.conversations.identify(turn.conversation, result.conversationId);
    if (turn.waits) return this.remove(turn);
    turn.conversation.questions.set(key, result.messageId);
    this.end(key, endingOfResult(result));
  }

  /** Ends a turn without a result. A message that was not stored is given back. */
  private fail(key: string, reason: string): void {
    const turn = this.turns.get(key);
    if (turn?.sent && !turn.turnId) this.refuse(turn, turn.sent, reason);
    else this.end(key, { outcome: "Failed", resumable: false, failure: { text: reason } });
  }

  private refuse(turn: Turn, sent: Sent, reason: string): void {
    this.remove(turn);
    this.refusedEmitter.fire({ sent, reason });
  }

  /** Removes a turn that was not answered, with its question. */
  private remove({ key, conversation }: Turn): void {
    this.turns.remove(key);
    this.conversations.remove(conversation, key);
    this.changeEmitter.fire();
  }

  private end(key: string, ending: Ending): void {
    const turn = this.turns.remove(key);
    if (!turn) return;
    this.conversations.record(turn.conversation, { type: "finished", turn: key, ...ending });
    this.changeEmitter.fire();
    this.settledEmitter.fire(turn.conversation);
  }

  /** Ends all reported turns after the server has stopped. Those that were sent here end with their requests, or are sent to the next server. */
  private abandonTurns(): void {
    for (const { key, sent } of this.turns.all) if (!sent) this.interrupt(key);
  }

  /** Ends a turn whose server has stopped. The next server has stored what was answered, so the user may resume it. */
  private interrupt(key: string): void {
    this.end(key, { outcome: "Interrupted", resumable: this.turns.get(key)?.conversation.id !== undefined });
  }
}
