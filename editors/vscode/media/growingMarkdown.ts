// Draws a text that grows as Markdown. A top-level block that has ended keeps its
// nodes; only what follows it is parsed and drawn again. A new link definition may
// change every block, so that it draws all of them again.
import { type References, blockEnds, drawNodes } from "./markdown";
import { morph } from "./morph";

export class GrowingMarkdown {
  /** The text of the blocks that have ended. */
  private ended = "";
  /** The text after them. */
  private rest = "";
  /** Whether a line of the rest has ended since it was drawn. */
  private lineEnded = false;
  /** How many of the root's children draw the ended text. */
  private kept = 0;
  private references: References = {};

  /** Draws into the root. ended is called with the nodes of blocks when they have ended. */
  constructor(
    private readonly root: HTMLElement,
    private readonly onEnded: (nodes: Node[]) => void,
  ) {}

  /** What was appended so far. */
  get whole(): string {
    return this.ended + this.rest;
  }

  append(text: string): void {
    this.rest += text;
    this.lineEnded ||= text.includes("\n");
  }

  /** Draws what was appended. */
  draw(): void {
    this.show(this.lineEnded ? lastEnd(this.rest) : 0);
    this.lineEnded = false;
  }

  /** Draws the whole text, to which nothing is appended any more. */
  finish(): void {
    this.show(this.rest.length);
  }

  /** Draws the text, of which this many characters of the rest are blocks that have ended. */
  private show(length: number): void {
    const { from, nodes } = this.settle(this.rest.slice(0, length));
    this.rest = this.rest.slice(length);
    morph(this.root, from, [...nodes, ...drawNodes(this.rest, { ...this.references })]);
    if (nodes.length > 0) this.onEnded([...this.root.childNodes].slice(from, this.kept));
  }

  /** Returns the nodes of blocks that have ended, and at which child of the root they begin. */
  private settle(text: string): { from: number; nodes: Node[] } {
    const known = Object.keys(this.references).length;
    let nodes = drawNodes(text, this.references);
    this.ended += text;
    if (this.kept > 0 && Object.keys(this.references).length > known) {
      this.kept = 0;
      nodes = drawNodes(this.ended, this.references);
    }
    const from = this.kept;
    this.kept += nodes.length;
    return { from, nodes };
  }
}

/**
 * Returns where the last block ends that no further text can change: the one before
 * the last block that complete lines begin. An incomplete line may still turn out to
 * continue the block before it.
 */
function lastEnd(text: string): number {
  const complete = text.slice(0, text.lastIndexOf("\n") + 1);
  return blockEnds(complete).at(-2) ?? 0;
}
