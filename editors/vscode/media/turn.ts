// Draws one turn: its text, steps, proposals and citations, as they arrive.
import type { Citation } from "../src/protocol";
import type { CallTexts, DrawnPart, Ending } from "../src/webviewMessages";
import { Citations } from "./citations";
import { element, spoken } from "./dom";
import { type EndingActions, drawAccount, drawEnding, working } from "./ending";
import { GrowingMarkdown } from "./growingMarkdown";
import type { PermissionCards } from "./permissions";
import type { ProposalCards } from "./proposals";
import { Steps, Thought, ToolLine } from "./steps";

type ToolCall = Extract<DrawnPart, { type: "toolCall" }>;
type Permission = Extract<DrawnPart, { type: "permission" }>;
type Streamed = Extract<DrawnPart, { type: "message" | "thought" }>;

/** A text that is being streamed. */
interface Stream {
  type: Streamed["type"];
  text: GrowingMarkdown;
  durationMs?: number;
  finish(): void;
}

/** A text of the answer. Steps may be between several. */
interface Piece {
  node: HTMLElement;
  text: GrowingMarkdown;
}

export interface TurnActions extends EndingActions {
  openCitation(citation: Citation): void;
  openCall(callId: string): void;
}

/** What all turns draw with. */
export interface TurnTools {
  cards: ProposalCards;
  permissions: PermissionCards;
  /** Is called with the nodes of blocks of text that have ended. */
  ended(nodes: Node[]): void;
}

export class Turn {
  private readonly body = element("div", "body");
  private readonly proposals = element("div", "proposals");
  private readonly citations: Citations;
  private readonly ending = element("div", "ending", ...working());
  private readonly account = element("footer", "account");
  private readonly calls = new Map<string, { line: ToolLine; steps: Steps }>();
  private readonly asked = new Set<string>();
  /** The pieces of the answer since the last question. */
  private pieces: Piece[] = [];
  private steps: Steps | undefined;
  private streaming: Stream | undefined;
  private frame = 0;

  constructor(
    readonly node: HTMLElement,
    private readonly tools: TurnTools,
    private readonly actions: TurnActions,
  ) {
    this.citations = new Citations((citation) => actions.openCitation(citation));
    this.node.setAttribute("aria-busy", "true");
    this.node.append(this.body, this.proposals, this.citations.node, this.ending, this.account);
  }

  /** The text of the answer, without its steps. */
  get answer(): string {
    return [...this.body.querySelectorAll(":scope > .message")].map((message) => message.textContent).join("\n");
  }

  add(part: DrawnPart): void {
    switch (part.type) {
      case "message":
      case "thought":
        return this.addText(part);
      case "toolCall":
        return this.addToolCall(part);
      case "toolOutput":
        return this.calls.get(part.callId)?.line.print(part.text);
      case "proposal":
        return this.proposals.append(this.tools.cards.card(part));
      case "citation":
        return this.citations.add(part);
      case "notice":
        return this.addBlock(element("p", "notice", part.text));
      case "userMessage":
        return this.addQuestion(part.text);
      case "permission":
        return this.addPermission(part);
      case "usage":
        return;
    }
  }

  finish(ending: Ending): void {
    this.endStream();
    this.endSteps();
    this.node.removeAttribute("aria-busy");
    if (ending.failure) this.removeNoticesOf(ending.failure.text);
    this.ending.replaceChildren(...drawEnding(ending, this.actions));
    this.ending.hidden = ending.outcome === "";
    this.account.textContent = ending.account ? drawAccount(ending.account) : "";
  }

  drawCall(callId: string, texts: CallTexts): void {
    this.calls.get(callId)?.line.drawTexts(texts);
  }

  /** Removes the notices of retries that ended with the error of the turn, which is shown once. */
  private removeNoticesOf(error: string): void {
    for (const notice of this.body.querySelectorAll(":scope > .notice")) if (notice.textContent?.endsWith(error)) notice.remove();
  }

  private addPermission(part: Permission): void {
    if (part.status === "asked") {
      this.asked.add(part.id);
      this.addBlock(this.tools.permissions.card(part));
    } else {
      this.asked.delete(part.id);
      this.tools.permissions.settle(part);
    }
    this.ending.replaceChildren(...(this.asked.size > 0 ? ["Waits for your answer"] : working()));
  }

  /** Shows a message that joined the turn. The text above it is final. */
  private addQuestion(text: string): void {
    this.addBlock(spoken("You", "question", text));
    this.pieces = [];
    this.citations.settle();
  }

  private addBlock(node: HTMLElement): void {
    this.endStream();
    this.endSteps();
    this.body.append(node);
  }

  private addStep(node: HTMLElement): Steps {
    this.endStream();
    if (!this.steps) {
      this.steps = new Steps();
      this.body.append(this.steps.node);
    }
    this.steps.add(node);
    return this.steps;
  }

  private endStream(): void {
    cancelAnimationFrame(this.frame);
    this.streaming?.finish();
    this.streaming = undefined;
  }

  private endSteps(): void {
    this.steps?.fold();
    this.steps = undefined;
  }

  private addText(part: Streamed): void {
    const { type } = part;
    const text = part.type === "message" && part.replace ? this.replace(part.text ?? "") : (part.text ?? "");
    if (this.streaming?.type !== type && !text.trim()) return; // some models send line breaks between calls
    if (this.streaming?.type !== type) this.streaming = type === "message" ? this.beginMessage() : this.beginThought();
    const { streaming } = this;
    if (part.type === "thought") streaming.durationMs = part.durationMs ?? streaming.durationMs;
    streaming.text.append(text);
    this.schedule(() => streaming.text.draw());
  }

  private beginMessage(): Stream {
    const node = element("div", "message");
    this.addBlock(node);
    const text = new GrowingMarkdown(node, this.tools.ended);
    this.pieces.push({ node, text });
    return { type: "message", text, finish: () => text.finish() };
  }

  private beginThought(): Stream {
    const thought = new Thought(this.tools.ended);
    const steps = this.addStep(thought.node);
    const stream: Stream = {
      type: "thought",
      text: thought.growing,
      finish: () => {
        thought.finish(stream.durationMs);
        steps.took(stream.durationMs ?? 0);
      },
    };
    return stream;
  }

  /**
   * Removes the answer since the last question and its citations. The pieces with which the new answer begins stay where they are,
   * above their steps. Returns the rest of the new answer.
   */
  private replace(answer: string): string {
    let rest = answer;
    this.pieces = this.pieces.filter(({ node, text }) => {
      const after = withoutBeginning(rest, text.whole);
      if (after === undefined) node.remove();
      else rest = after;
      return after !== undefined;
    });
    if (this.streaming?.text !== this.pieces.at(-1)?.text) this.endStream();
    this.citations.retract();
    return rest;
  }

  /** Draws a growing text at most once per frame. */
  private schedule(work: () => void): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(work);
  }

  private addToolCall(call: ToolCall): void {
    const { callId, durationMs = 0 } = call;
    const { line, steps } = this.calls.get(callId) ?? this.beginCall(callId);
    line.draw(call);
    steps.took(durationMs);
  }

  private beginCall(callId: string): { line: ToolLine; steps: Steps } {
    const line = new ToolLine(() => this.actions.openCall(callId), this.tools.ended);
    const call = { line, steps: this.addStep(line.node) };
    this.calls.set(callId, call);
    return call;
  }
}

/** Returns what follows a piece in a text; undefined if the text does not begin with it. White space between pieces is not drawn. */
function withoutBeginning(text: string, piece: string): string | undefined {
  const [whole, begin] = [text.trimStart(), piece.trimStart()];
  return whole.startsWith(begin) ? whole.slice(begin.length) : undefined;
}
