// Turns that have ended and are shown again. Each is drawn when it comes near the view, so that a long conversation
// opens at once.
import type { DrawnPart, Drawing, Ending } from "../src/webviewMessages";
import type { ProposalState } from "../src/proposalState";
import { spoken } from "./dom";
import type { ProposalCards } from "./proposals";
import type { Turn } from "./turn";

interface StoredTurn {
  id: string;
  parts: DrawnPart[];
  ending?: Ending;
}

/** How many turns are drawn in one frame. */
const drawnAtOnce = 20;

export class StoredTurns {
  private readonly byId = new Map<string, StoredTurn>();
  private readonly byNode = new Map<Element, StoredTurn>();
  private readonly decisions = new Map<string, ProposalState>();
  private readonly near = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) this.drawNode(target);
  }, { root: document.getElementById("log"), rootMargin: "1000px 0px" });

  /** Create makes a turn in a node. */
  constructor(
    private readonly cards: ProposalCards,
    private readonly create: (id: string, node: HTMLElement) => Turn,
  ) {}

  clear(): void {
    this.near.disconnect();
    this.byId.clear();
    this.byNode.clear();
    this.decisions.clear();
  }

  /** Returns the node in which a turn will be drawn. */
  add(id: string): HTMLElement {
    const node = spoken("ploke", "turn undrawn");
    const turn: StoredTurn = { id, parts: [] };
    this.byId.set(id, turn);
    this.byNode.set(node, turn);
    this.near.observe(node);
    return node;
  }

  /** Keeps a message of a turn that is not drawn yet. Reports false for any other message. */
  keep(message: Drawing): boolean {
    if (message.type !== "part" && message.type !== "finished") return false;
    const turn = this.byId.get(message.turn);
    if (!turn) return false;
    if (message.type === "part") turn.parts.push(message.part);
    else turn.ending = message;
    return true;
  }

  /** Shows the state of a proposal, now or when its turn is drawn. */
  decided(proposal: string, state: ProposalState): void {
    this.decisions.set(proposal, state);
    this.cards.decided(proposal, state);
  }

  /** Draws some of the turns that are not drawn. Reports whether there were any. */
  drawSome(): boolean {
    const nodes = [...this.byNode.keys()].slice(0, drawnAtOnce);
    for (const node of nodes) this.drawNode(node);
    return nodes.length > 0;
  }

  /** Draws the turn of a node, unless that is done. */
  drawNode(node: Element | null | undefined): void {
    const stored = node && this.byNode.get(node);
    if (!stored || !(node instanceof HTMLElement)) return;
    this.near.unobserve(node);
    this.byNode.delete(node);
    this.byId.delete(stored.id);
    node.classList.remove("undrawn");
    const turn = this.create(stored.id, node);
    for (const part of stored.parts) {
      turn.add(part);
      const state = part.type === "proposal" && this.decisions.get(part.id);
      if (state) this.cards.decided(part.id, state);
    }
    if (stored.ending) turn.finish(stored.ending);
  }
}
