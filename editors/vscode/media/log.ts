// The log of the chat: draws the messages of the shown conversation.
import type { DrawnPart, Drawing, FromView, ToView } from "../src/webviewMessages";
import { Announcer } from "./announcer";
import { act, placeCode } from "./codeBlock";
import { Asked } from "./asked";
import { byId, element, spoken } from "./dom";
import { FailureStrip } from "./failureStrip";
import { Find } from "./find";
import { typeset } from "./formulas";
import { highlight } from "./highlight";
import { PermissionCards } from "./permissions";
import { Places } from "./places";
import { ProposalCards } from "./proposals";
import { Question } from "./question";
import { Queue } from "./queue";
import { type Position, Scrolling } from "./scrolling";
import { StoredTurns } from "./storedTurns";
import { Turn, type TurnTools } from "./turn";

/** What the view keeps of the log while it is closed. */
export interface KeptPosition {
  load(conversation: string): Position | undefined;
  save(conversation: string, position: Position): void;
}

/** How many messages are drawn in one frame, so that none blocks the view. */
const replayedAtOnce = 150;

export class Log {
  private readonly node = byId("log");
  private readonly welcome = byId("welcome");
  private readonly announcer = new Announcer();
  private readonly tools: TurnTools;
  private readonly places: Places;
  private readonly scrolling: Scrolling;
  private readonly asked = new Asked(this.node);
  private readonly failure = new FailureStrip(this.node);
  private readonly queue: Queue;
  private readonly turns = new Map<string, Turn>();
  private readonly stored: StoredTurns;
  private readonly find: Find;
  private readonly questions = new Map<string, Question>();
  private readonly running = new Set<string>();
  private readonly joining = new Map<string, HTMLElement>();
  private conversation = "";
  /** The turn whose question the input has for editing. */
  private edited: string | undefined;
  /** Set while a conversation is drawn again: the messages that came meanwhile. */
  private replaying: { later: Drawing[] } | undefined;

  /** Post sends the user's actions; changed is called when a turn begins or ends. */
  constructor(
    private readonly post: (message: FromView) => void,
    private readonly kept: KeptPosition,
    private readonly changed: () => void,
  ) {
    this.places = new Places((names) => post({ type: "findPlaces", names }));
    this.scrolling = new Scrolling(this.node, () => this.keepPlace());
    this.queue = new Queue(post);
    this.tools = {
      cards: new ProposalCards({
        act: (type, proposal, version) => post({ type, proposal, version }),
        actOnFile: (type, proposal, file, version) => post({ type, proposal, file, version }),
        openLine: (uri, line) => post({ type: "openLink", href: `${uri}#L${Math.max(1, line)}` }),
      }),
      permissions: new PermissionCards((permission, answer) => post({ type: "answer", permission, answer })),
      ended: (nodes) => this.finishBlocks(nodes),
    };
    this.stored = new StoredTurns(this.tools.cards, (id, node) => this.create(id, node));
    this.find = new Find(this.node, () => this.replaying !== undefined || this.stored.drawSome(), (node) => {
      for (const question of this.questions.values()) if (question.node === node) question.open(true);
    });
    document.addEventListener("keydown", (event) => this.handleKey(event));
    this.node.addEventListener("click", (event) => this.click(event), { capture: true });
  }

  /** Whether an answer is being written. */
  get busy(): boolean {
    return this.running.size > 0;
  }

  draw(message: Exclude<ToView, { type: "composer" | "guide" | "review" }>): void {
    switch (message.type) {
      case "replay":
        return void this.replay(message.conversation, message.messages);
      case "identified":
        this.conversation = message.conversation;
        return;
      case "call":
        return this.turns.get(message.turn)?.drawCall(message.callId, message.texts);
      case "places":
        return this.places.found(message.names, message.places);
      default:
        if (this.replaying) return void this.replaying.later.push(message);
        this.drawPiece(message);
    }
  }

  private drawPiece(message: Drawing): void {
    switch (message.type) {
      case "question":
        return this.ask(message);
      case "fork":
        return this.questions.get(message.turn)?.showFork(message);
      case "refused":
        return this.refuse(message.turn);
      case "turn":
        return this.begin(message.turn);
      case "part":
        return this.addPart(message.turn, message.part);
      case "waiting":
        return this.wait(message.turn, message.waits);
      case "joining":
        return this.join(message.message, message.text);
      case "stored":
        return this.joining.get(message.message)?.querySelector(".status")?.replaceChildren("Joins the answer at its next step");
      case "joined":
        return this.joining.get(message.message)?.remove();
      case "finished":
        return this.finish(message);
      case "decided":
        return this.stored.decided(message.proposal, message.state);
    }
  }

  private ask(message: Extract<ToView, { type: "question" }>): void {
    const question = new Question(message, this.post, (nodes) => this.finishBlocks(nodes));
    question.mark(message.turn === this.edited);
    this.questions.set(message.turn, question);
    if (message.waits) this.queue.add(message.turn, message.text);
    else this.append(question.node);
  }

  /** Puts a turn into the queue, or takes it out of it to the end of the log. */
  private wait(id: string, waits: boolean): void {
    const [question, turn] = [this.questions.get(id), this.turns.get(id)];
    if (!question || !turn || waits === this.queue.has(id)) return;
    if (waits) {
      this.queue.add(id, question.text);
      question.node.remove();
      turn.node.remove();
      return;
    }
    const follows = this.scrolling.atEnd;
    this.queue.remove(id);
    this.append(question.node);
    this.append(turn.node);
    if (follows) this.scrolling.follow();
    this.failure.update();
    this.keepPlace();
  }

  /** Marks the question of the turn that the input has for editing. */
  markEdited(turn: string | undefined): void {
    this.edited = turn;
    for (const [id, question] of this.questions) question.mark(id === turn);
  }

  /** Removes a question that was not sent. */
  private refuse(id: string): void {
    this.questions.get(id)?.node.remove();
    this.questions.delete(id);
    this.turns.get(id)?.node.remove();
    this.turns.delete(id);
    this.running.delete(id);
    this.queue.remove(id);
    if (!this.node.firstElementChild) this.node.append(this.welcome);
    this.changed();
  }

  private clear(): void {
    this.questions.clear();
    this.turns.clear();
    this.running.clear();
    this.joining.clear();
    this.queue.clear();
    this.stored.clear();
    this.places.clear();
    this.tools.cards.clear();
    this.tools.permissions.clear();
    this.conversation = "";
    this.replaying = undefined;
    this.node.replaceChildren(this.welcome);
    this.failure.update();
    this.changed();
  }

  /** Draws a whole conversation, a part in each frame. Its ended turns are drawn when they come near the view. */
  private async replay(conversation: string, messages: Drawing[]): Promise<void> {
    this.clear();
    const replaying = { later: [] as Drawing[] };
    this.replaying = replaying;
    this.node.classList.add("replaying");
    const ended = new Set(messages.flatMap((message) => (message.type === "finished" ? [message.turn] : [])));
    for (let at = 0; at < messages.length; at += replayedAtOnce) {
      if (at > 0) await nextFrame();
      if (this.replaying !== replaying) return; // another conversation is shown
      for (const message of messages.slice(at, at + replayedAtOnce)) this.replayPiece(message, ended);
    }
    this.replaying = undefined;
    this.conversation = conversation;
    this.showPlace(this.kept.load(conversation));
    this.node.classList.remove("replaying");
    this.stored.drawNode(this.node.lastElementChild); // also where it is not near: it may have failed
    this.failure.update();
    for (const message of replaying.later) this.draw(message);
    this.asked.draw();
    this.find.clear();
  }

  private replayPiece(message: Drawing, ended: Set<string>): void {
    if (message.type === "turn" && ended.has(message.turn)) this.append(this.stored.add(message.turn));
    else if (message.type === "question" && ended.has(message.turn)) this.ask({ ...message, waits: false });
    else if (!this.stored.keep(message)) this.drawPiece(message);
  }

  /** Shows where the user was reading, or else the last question. */
  private showPlace(position: Position | undefined): void {
    this.stored.drawNode(position ? this.node.children[position.child] : this.node.lastElementChild);
    if (position) this.scrolling.restore(position);
    else this.scrolling.showQuestion();
  }

  private append(node: HTMLElement): void {
    this.welcome.remove();
    this.node.append(node);
  }

  private begin(id: string): void {
    const turn = this.create(id, spoken("ploke", "turn"));
    this.running.add(id);
    if (this.queue.has(id)) return this.changed();
    this.announcer.clear();
    this.append(turn.node);
    this.failure.update();
    this.scrolling.follow();
    this.keepPlace();
    this.changed();
  }

  private keepPlace(): void {
    if (this.conversation) this.kept.save(this.conversation, this.scrolling.position);
  }

  private create(id: string, node: HTMLElement): Turn {
    const turn = new Turn(node, this.tools, {
      openCitation: (citation) => this.post({ type: "openCitation", citation }),
      openCall: (callId) => this.post({ type: "openCall", turn: id, callId }),
      resume: () => this.post({ type: "resume" }),
      retry: () => this.post({ type: "retry", turn: id }),
      repair: (repair) => this.post({ type: "repair", repair }),
    });
    this.turns.set(id, turn);
    return turn;
  }

  private addPart(id: string, part: DrawnPart): void {
    this.turns.get(id)?.add(part);
    if (part.type === "permission" && part.status === "asked") this.announcer.interrupt(`ploke asks: ${part.title ?? ""}`);
  }

  private join(id: string, text: string): void {
    const note = spoken("You", "question joining", text, element("div", "status", "Sending…"));
    this.joining.set(id, note);
    const [running] = this.running;
    const turn = running === undefined ? undefined : this.turns.get(running);
    if (turn) turn.node.append(note);
    else this.append(note);
  }

  private finish(message: Extract<Drawing, { type: "finished" }>): void {
    this.wait(message.turn, false);
    this.running.delete(message.turn);
    const turn = this.turns.get(message.turn);
    turn?.finish(message);
    this.failure.update();
    if (message.failure) this.announcer.interrupt(`${message.outcome} ${message.failure.text}`);
    else this.announcer.say([turn?.answer, message.outcome].filter(Boolean).join("\n"));
    this.changed();
  }

  /** Colours the code of blocks that have ended, and links the places in them. */
  private finishBlocks(nodes: Node[]): void {
    for (const node of nodes) {
      if (!(node instanceof Element)) continue;
      for (const block of node.matches("figure.code") ? [node] : node.querySelectorAll("figure.code")) {
        placeCode(block);
        highlight(block);
      }
      typeset(node);
      this.places.link(node);
    }
  }

  /** Ctrl+Alt+PageDown and PageUp go to the next and the previous block of code, as in VS Code's own chat. */
  private handleKey(event: KeyboardEvent): void {
    const by = { PageDown: 1, PageUp: -1 }[event.key];
    if (by === undefined || !event.altKey || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    while (this.stored.drawSome()); // a block may be in any turn
    const blocks = [...this.node.querySelectorAll<HTMLElement>(":scope > .turn > .body > .message figure.code > pre")];
    const at = blocks.indexOf(document.activeElement as HTMLElement);
    const next = at < 0 ? (by > 0 ? 0 : blocks.length - 1) : at + by;
    blocks[next]?.focus({ preventScroll: true });
    blocks[next]?.closest("figure")?.scrollIntoView({ block: "nearest" });
  }

  /** VS Code opens links to the web; links to files open at their lines. */
  private click(event: MouseEvent): void {
    const target = event.target as Element;
    const link = target.closest("a");
    if (act(target, this.post)) return event.preventDefault();
    if (!link || !/^(file|ploke-proposal):/.test(link.href)) return;
    event.preventDefault();
    event.stopPropagation();
    this.post({ type: "openLink", href: link.href });
  }
}

function nextFrame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => resolve()));
}
