// Draws one turn: its text, tool calls, proposals and citations, as they arrive.
import type { Citation } from "../src/protocol";
import type { DrawnPart } from "../src/webviewMessages";
import { button, element } from "./dom";
import { draw } from "./markdown";
import type { PermissionCards } from "./permissions";
import type { ProposalCards } from "./proposals";

type ToolCall = Extract<DrawnPart, { type: "toolCall" }>;
type Permission = Extract<DrawnPart, { type: "permission" }>;
type Streamed = Extract<DrawnPart, { type: "message" | "thought" }>;

export class Turn {
  readonly node = element("section", "turn");
  private readonly body = element("div", "body");
  private readonly proposals = element("div", "proposals");
  private readonly citations = element("div", "citations");
  private readonly ending = element("div", "ending", ...working());
  private readonly toolCalls = new Map<string, HTMLElement>();
  private readonly cited = new Map<string, HTMLElement>();
  private readonly asked = new Set<string>();
  private streaming: { type: Streamed["type"]; text: string; node: HTMLElement } | undefined;
  private frame = 0;

  constructor(
    private readonly cards: ProposalCards,
    private readonly permissions: PermissionCards,
    private readonly openCitation: (citation: Citation) => void,
    private readonly act: { withdraw(): void; resume(): void },
    private readonly drawn: () => void,
  ) {
    this.node.setAttribute("aria-busy", "true");
    this.node.append(this.body, this.proposals, this.citations, this.ending);
  }

  add(part: DrawnPart): void {
    switch (part.type) {
      case "message":
      case "thought":
        return this.addText(part);
      case "toolCall":
        return this.addToolCall(part);
      case "proposal":
        return this.proposals.append(this.cards.card(part));
      case "citation":
        return this.addCitation(part);
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

  finish(outcome: string, resumable: boolean): void {
    this.node.removeAttribute("aria-busy");
    this.ending.replaceChildren(outcome, ...(resumable ? [button("Continue", "secondary resume", this.act.resume)] : []));
    this.ending.hidden = outcome === "";
  }

  /** Shows that the turn is queued behind other turns, or works. */
  wait(waits: boolean): void {
    this.ending.replaceChildren(...(waits ? this.waiting() : working()));
  }

  private waiting(): (Node | string)[] {
    return ["Queued behind the answer before it", button("Withdraw", "secondary", this.act.withdraw)];
  }

  private addPermission(part: Permission): void {
    if (part.status === "asked") {
      this.asked.add(part.id);
      this.addBlock(this.permissions.card(part));
    } else {
      this.asked.delete(part.id);
      this.permissions.settle(part);
    }
    this.ending.replaceChildren(...(this.asked.size > 0 ? ["Waits for your answer"] : working()));
  }

  /** Shows a message that joined the turn. The text above it is final. */
  private addQuestion(text: string): void {
    this.addBlock(element("section", "question", text));
    for (const piece of [...this.body.querySelectorAll(".message"), ...this.citations.children]) piece.classList.add("kept");
  }

  private addBlock(node: HTMLElement): void {
    this.streaming = undefined;
    this.body.append(node);
  }

  private addText(part: Streamed): void {
    if (part.type === "message" && part.replace) this.retract();
    const { type, text = "" } = part;
    if (this.streaming?.type !== type) {
      const node = element("div", type);
      this.addBlock(node);
      this.streaming = { type, text: "", node };
    }
    const { streaming } = this;
    if (!streaming) return;
    streaming.text += text;
    this.schedule(() => streaming.node.replaceChildren(draw(streaming.text)));
  }

  /** Removes the answer since the last question, which may be in pieces between tool calls, and its citations. */
  private retract(): void {
    this.streaming = undefined;
    for (const piece of this.body.querySelectorAll(":scope > .message:not(.kept)")) piece.remove();
    for (const [key, chip] of this.cited) {
      if (chip.classList.contains("kept")) continue;
      chip.remove();
      this.cited.delete(key);
    }
  }

  /** Draws a growing text at most once per frame. */
  private schedule(work: () => void): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => {
      work();
      this.drawn();
    });
  }

  private addToolCall({ callId, tool, state, summary }: ToolCall): void {
    let row = this.toolCalls.get(callId);
    if (!row) {
      row = element("div", "");
      this.toolCalls.set(callId, row);
      this.addBlock(row);
    }
    row.className = `tool-call ${state}`;
    row.title = summary ? `${tool}: ${summary}` : tool;
    row.replaceChildren(summary || tool.replaceAll("_", " "));
  }

  private addCitation(citation: Citation): void {
    const { uri, range, canon } = citation;
    const place = `${decodeURIComponent(uri.slice(uri.lastIndexOf("/") + 1))}:${range.start.line + 1}`;
    const key = `${uri}#${range.start.line}-${range.end.line}`;
    if (this.cited.has(key)) return;
    const chip = button(place, "citation", () => this.openCitation(citation));
    chip.title = canon ? `${canon}, ${place}` : place;
    this.cited.set(key, chip);
    this.citations.append(chip);
  }
}

function working(): (Node | string)[] {
  return [element("span", "spinner"), "Working…"];
}
