// Draws a text that grows as Markdown. A top-level block that has ended keeps its
// nodes; only what follows it is parsed and drawn again. A new link definition may
// change every block, so that it draws all of them again.
//
// The blocks are in sections of a fixed length: one that is out of view costs no layout,
// and a long answer has few of them.
import { element } from "./dom";
import { type References, blockEnds, drawNodes } from "./markdown";
import { morph } from "./morph";

/** How many blocks a section has; the last one has fewer. */
const sectionLength = 30;

export class GrowingMarkdown {
  /** The text of the blocks that have ended. */
  private ended = "";
  /** The text after them. */
  private rest = "";
  /** Whether a line of the rest has ended since it was drawn. */
  private lineEnded = false;
  /** How many blocks draw the ended text. */
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
    this.place(from, [...nodes, ...drawNodes(this.rest, { ...this.references })]);
    if (nodes.length > 0) this.onEnded(this.blocks(from, this.kept));
  }

  /** Makes the blocks, from the given one on, like the wanted nodes. */
  private place(from: number, wanted: Node[]): void {
    const end = from + wanted.length;
    const first = Math.floor(from / sectionLength);
    for (let at = first; at * sectionLength < end; at++) {
      const begin = at * sectionLength;
      const section = this.root.childNodes[at] ?? this.root.appendChild(element("div", "section"));
      const skipped = Math.max(0, from - begin);
      morph(section, skipped, wanted.slice(begin + skipped - from, begin + sectionLength - from));
    }
    for (const empty of [...this.root.childNodes].slice(Math.ceil(end / sectionLength))) empty.remove();
  }

  /** Returns the nodes of the blocks with these indexes, the end excluded. */
  private blocks(begin: number, end: number): Node[] {
    const first = Math.floor(begin / sectionLength);
    const nodes = [...this.root.childNodes].slice(first).flatMap((section) => [...section.childNodes]);
    return nodes.slice(begin - first * sectionLength, end - first * sectionLength);
  }

  /** Returns the nodes of blocks that have ended, and at which block they begin. */
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
