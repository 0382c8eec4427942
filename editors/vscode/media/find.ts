// Finds a text in the questions and answers of the conversation, also in those that are not drawn yet: they are drawn for it,
// some in each frame.
import { byId } from "./dom";
import { icon } from "./icons";

/** More matches are not counted. */
const mostMatches = 5000;

export class Find {
  private readonly form = byId<HTMLFormElement>("find");
  private readonly input = byId<HTMLInputElement>("find-text");
  private readonly count = byId("find-count");
  private matches: Range[] = [];
  private at = -1;
  private searching = 0;

  /** DrawSome draws some of the turns that are not drawn yet, and reports whether there were any. */
  constructor(
    private readonly log: HTMLElement,
    private readonly drawSome: () => boolean,
    private readonly open: (question: Element) => void,
  ) {
    byId("find-previous").append(icon("up"));
    byId("find-next").append(icon("down"));
    byId("find-close").append(icon("close"));
    byId("find-previous").addEventListener("click", () => this.step(-1));
    byId("find-close").addEventListener("click", () => this.close());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.step(1);
    });
    this.input.addEventListener("input", () => void this.search());
    document.addEventListener("keydown", (event) => this.handleKey(event), { capture: true });
  }

  /** Forgets the matches, since another conversation is shown. */
  clear(): void {
    this.searching++;
    this.mark([], -1);
    if (!this.form.hidden) void this.search();
  }

  private handleKey(event: KeyboardEvent): void {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    if ((ctrlKey || metaKey) && !shiftKey && !altKey && key.toLowerCase() === "f") this.show();
    else if (this.form.hidden) return;
    else if (key === "F3") this.step(shiftKey ? -1 : 1);
    else if (key === "Enter" && shiftKey && event.target === this.input) this.step(-1);
    else if (key === "Escape" && this.form.contains(event.target as Node)) this.close();
    else return;
    event.preventDefault();
    event.stopPropagation(); // the workbench would find in the editor, or stop the answer
  }

  private show(): void {
    this.form.hidden = false;
    this.input.focus();
    this.input.select();
    void this.search();
  }

  private close(): void {
    this.form.hidden = true;
    this.searching++;
    this.mark([], -1);
    byId("input").focus();
  }

  /** Looks for the text in all turns, and shows the match that is nearest below the top of the view. */
  private async search(): Promise<void> {
    const search = ++this.searching;
    const text = this.input.value.toLowerCase();
    while (text && this.drawSome()) {
      this.count.textContent = "Searching…";
      await new Promise((resolve) => requestAnimationFrame(resolve));
      if (search !== this.searching) return;
    }
    const matches = text ? this.find(text) : [];
    const { top } = this.log.getBoundingClientRect();
    const below = matches.findIndex((match) => match.getBoundingClientRect().top >= top);
    this.mark(matches, matches.length === 0 ? -1 : Math.max(0, below));
  }

  private find(text: string): Range[] {
    const matches: Range[] = [];
    for (const root of this.log.querySelectorAll(":scope > .question > .text, :scope > .turn > .body > .message")) {
      if (matches.length >= mostMatches) break;
      matches.push(...matchesIn(root, text));
    }
    return matches.slice(0, mostMatches);
  }

  private step(by: number): void {
    if (this.matches.length === 0) return;
    this.mark(this.matches, (this.at + by + this.matches.length) % this.matches.length);
  }

  private mark(matches: Range[], at: number): void {
    this.matches = matches;
    this.at = at;
    const here = matches[at];
    CSS.highlights.set("found", new Highlight(...matches));
    CSS.highlights.set("found-here", new Highlight(...(here ? [here] : [])));
    this.count.textContent = !this.input.value ? "" : here ? `${at + 1} of ${matches.length}` : "No results";
    if (!here) return;
    const around = here.startContainer.parentElement;
    const question = around?.closest(".question");
    if (question) this.open(question);
    around?.scrollIntoView({ block: "center" });
  }
}

/** Returns where a text is in a node, in lower case. Blocks are not read on from one to the next. */
function matchesIn(root: Element, text: string): Range[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const pieces: { node: Text; from: number }[] = [];
  let whole = "";
  let block: Element | null | undefined;
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    const own = node.parentElement?.closest("p, li, pre, td, th, h1, h2, h3, h4, h5, h6, .language");
    if (whole && own !== block) whole += "\n";
    block = own;
    pieces.push({ node, from: whole.length });
    whole += node.data;
  }
  const lower = whole.toLowerCase();
  if (lower.length !== whole.length) return []; // a letter whose lower case is longer would move all that follow it
  const found: Range[] = [];
  for (let from = lower.indexOf(text); from >= 0; from = lower.indexOf(text, from + text.length)) {
    const range = document.createRange();
    const start = pieceAt(pieces, from);
    const end = pieceAt(pieces, from + text.length - 1);
    range.setStart(start.node, from - start.from);
    range.setEnd(end.node, from + text.length - end.from);
    found.push(range);
  }
  return found;
}

function pieceAt(pieces: { node: Text; from: number }[], offset: number): { node: Text; from: number } {
  return pieces.findLast(({ from }) => from <= offset)!;
}
