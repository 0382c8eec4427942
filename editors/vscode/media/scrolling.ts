// Where the log is scrolled to. A new question goes to the top, with room below it for
// its answer, which people read from its beginning. The end is followed only once the
// user has scrolled to it.
import { byId } from "./dom";
import { icon } from "./icons";

/** A place in the log that lasts when it is drawn again. */
export interface Position {
  /** The index of the first visible child. */
  child: number;
  /** The index of the first visible one of its blocks; -1 if none is. Steps above it may have been open. */
  block: number;
  /** How far the top of the block, or else of the child, is above the log's, in pixels. */
  above: number;
}

/** The distance, in pixels, from the end at which the user is taken to be there. */
const nearEnd = 24;

export class Scrolling {
  private readonly jump = byId<HTMLButtonElement>("jump");
  /** Computes where the log stays, whatever is drawn, until the user scrolls. */
  private hold: (() => number) | undefined;
  /** Where the log was last scrolled to from here. */
  private set = 0;

  /** Moved is called when the user has scrolled. */
  constructor(
    private readonly log: HTMLElement,
    moved: () => void,
  ) {
    log.addEventListener("scroll", () => {
      this.drawJump();
      if (Math.abs(log.scrollTop - this.set) < 1) return;
      this.hold = this.atEnd ? () => log.scrollHeight : undefined;
      moved();
    });
    this.jump.append(icon("down"));
    this.jump.addEventListener("click", () => {
      this.hold = () => log.scrollHeight;
      this.grown();
      moved();
    });
    new ResizeObserver(() => this.grown()).observe(log);
  }

  /** Whether the end is in sight. */
  get atEnd(): boolean {
    return this.toEnd < nearEnd;
  }

  get position(): Position {
    const below = (node: Element) => node.getBoundingClientRect().bottom > this.log.getBoundingClientRect().top;
    const children = [...this.log.children];
    const child = Math.max(0, children.findIndex(below));
    const block = blocksOf(children[child]).findIndex(below);
    const node = blocksOf(children[child])[block] ?? children[child];
    return { child, block, above: node ? -this.distance(node) : 0 };
  }

  restore({ child, block, above }: Position): void {
    this.hold = () => {
      const node = blocksOf(this.log.children[child])[block] ?? this.log.children[child];
      return node ? this.log.scrollTop + this.distance(node) + above : 0;
    };
    this.grown();
  }

  /** Brings the last question to the top. */
  showQuestion(): void {
    const question = this.lastQuestion;
    this.hold = () => (question ? this.log.scrollTop + this.distance(question) - this.padding : 0);
    this.grown();
  }

  /** Is to be called when the log has changed. */
  grown(): void {
    this.makeRoom();
    if (this.hold) this.scrollTo(this.hold());
    this.drawJump();
  }

  private get toEnd(): number {
    return this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight;
  }

  private get lastQuestion(): HTMLElement | undefined {
    return [...this.log.querySelectorAll<HTMLElement>(":scope > .question")].at(-1);
  }

  private get padding(): number {
    return parseFloat(getComputedStyle(this.log).paddingTop);
  }

  /** How far the top of a node is below that of the log. */
  private distance(node: Element): number {
    return node.getBoundingClientRect().top - this.log.getBoundingClientRect().top;
  }

  /** Makes the last turn so high that its question can be at the top. */
  private makeRoom(): void {
    const turn = this.log.lastElementChild;
    for (const roomy of this.log.querySelectorAll<HTMLElement>(":scope > .roomy")) {
      if (roomy === turn) continue;
      roomy.classList.remove("roomy");
      roomy.style.minHeight = "";
    }
    const question = this.lastQuestion;
    if (!(turn instanceof HTMLElement) || !question || question === turn) return;
    turn.classList.add("roomy");
    const above = turn.getBoundingClientRect().top - question.getBoundingClientRect().top;
    turn.style.minHeight = `${Math.max(0, this.log.clientHeight - above - 2 * this.padding)}px`;
  }

  private scrollTo(top: number): void {
    this.log.scrollTop = top;
    this.set = this.log.scrollTop;
  }

  private drawJump(): void {
    this.jump.hidden = this.atEnd;
  }
}

function blocksOf(child: Element | undefined): Element[] {
  return [...(child?.querySelectorAll(".message > *") ?? [])];
}
