// Where the log is scrolled to. A new question goes to the top, with room below it for
// its answer. An answer that needs more room is followed while the end is in sight. Once
// the user has scrolled elsewhere, what the user reads stays where it is, whatever is
// drawn above it, until the user scrolls to the end again.
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

/** What is less is no scrolling by the user, in pixels: the browser rounds where the end of a log is, now up and then down. */
const leastScroll = 2;

export class Scrolling {
  private readonly jump = byId<HTMLButtonElement>("jump");
  /** Sees every change of what is drawn before it is painted, when its layout is known. */
  private readonly sizes = new ResizeObserver(() => this.settle());
  /** Computes where the log is scrolled to, whatever is drawn, until the user scrolls. */
  private hold: () => number = () => 0;
  /** Where the log was last scrolled to, by the user or from here. */
  private top = 0;
  /** The last turn, which has room. */
  private roomy: HTMLElement | undefined;

  /** Moved is called when the log has been scrolled. */
  constructor(
    private readonly log: HTMLElement,
    private readonly moved: () => void,
  ) {
    log.addEventListener("scroll", () => {
      this.noteScroll();
      this.drawJump();
    });
    this.jump.append(icon("down"));
    this.jump.addEventListener("click", () => {
      this.follow();
      moved();
    });
    this.sizes.observe(log);
    new MutationObserver((changes) => this.observe(changes)).observe(log, { childList: true });
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

  restore(position: Position): void {
    this.keep(this.at(position));
  }

  /** Brings the last question to the top. */
  showQuestion(): void {
    const question = this.lastQuestion;
    this.keep(() => (question ? this.log.scrollTop + this.distance(question) - this.padding : 0));
  }

  /** Holds the end: a last question is at the top until its answer needs more room. */
  follow(): void {
    this.keep(() => this.log.scrollHeight);
  }

  private keep(hold: () => number): void {
    this.hold = hold;
    this.top = this.log.scrollTop;
    this.settle();
  }

  /** Scrolls to where the log is held. */
  private settle(): void {
    this.noteScroll(); // its event may still be due
    this.makeRoom();
    const top = this.hold();
    if (Math.abs(top - this.log.scrollTop) >= 1) this.log.scrollTop = top;
    this.top = this.log.scrollTop;
    this.drawJump();
  }

  private observe(changes: MutationRecord[]): void {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) if (node instanceof Element) this.sizes.observe(node);
    this.settle();
  }

  /** Holds the place to which the user has scrolled. A log that gets too short for its place is scrolled, too, but not by the user. */
  private noteScroll(): void {
    const { scrollTop } = this.log;
    const tooShort = scrollTop < this.top && this.toEnd < 1;
    if (Math.abs(scrollTop - this.top) < leastScroll || tooShort) return;
    this.top = scrollTop;
    this.hold = this.atEnd ? () => this.log.scrollHeight : this.at(this.position);
    this.moved();
  }

  private at({ child, block, above }: Position): () => number {
    return () => {
      const node = blocksOf(this.log.children[child])[block] ?? this.log.children[child];
      return node ? this.log.scrollTop + this.distance(node) + above : 0;
    };
  }

  private get toEnd(): number {
    return this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight;
  }

  /** Whether nothing is below the view but the room of the last turn. */
  private get seesAll(): boolean {
    const last = [...(this.log.lastElementChild?.children ?? [])].filter((node) => node.getBoundingClientRect().height > 0).at(-1);
    return last !== undefined && last.getBoundingClientRect().bottom <= this.log.getBoundingClientRect().bottom;
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
    if (this.roomy && this.roomy !== turn) this.roomy.style.minHeight = "";
    const question = this.lastQuestion;
    if (!(turn instanceof HTMLElement) || !question || question === turn) return;
    this.roomy = turn;
    const above = turn.getBoundingClientRect().top - question.getBoundingClientRect().top;
    turn.style.minHeight = `${Math.max(0, this.log.clientHeight - above - 2 * this.padding)}px`;
  }

  private drawJump(): void {
    this.jump.hidden = this.atEnd || this.seesAll;
  }
}

function blocksOf(child: Element | undefined): Element[] {
  return [...(child?.querySelectorAll(".message > .section > *") ?? [])];
}
