// The question whose answer is read, at the top of the view once the question itself is above it.
import { byId, element } from "./dom";

/** In UTF-16 code units. No more fits. */
const longest = 400;

export class Asked {
  private readonly node = byId("asked");
  private question: Element | undefined;

  constructor(private readonly log: HTMLElement) {
    this.node.addEventListener("click", () => this.question?.scrollIntoView({ block: "start" }));
    log.addEventListener("scroll", () => this.draw());
  }

  /** Shows the question of the turn at the top of the view, if that question is out of sight. */
  draw(): void {
    const turn = this.atTop;
    const question = turn?.matches(".turn") ? before(turn) : undefined;
    if (question === this.question) return;
    this.question = question;
    this.node.hidden = question === undefined;
    const text = question?.querySelector(".text")?.textContent?.trim() ?? "";
    this.node.replaceChildren(element("span", "", text.slice(0, longest)));
    this.node.title = question ? "Go to this question" : "";
  }

  private get atTop(): Element | undefined {
    const { top } = this.log.getBoundingClientRect();
    const children = this.log.children;
    let [begin, end] = [0, children.length]; // they follow one another, so that half of them can be left out at once
    while (begin < end) {
      const middle = (begin + end) >> 1;
      if (children[middle]!.getBoundingClientRect().bottom > top) end = middle;
      else begin = middle + 1;
    }
    return children[begin];
  }
}

/** Returns the question before a turn. */
function before(turn: Element): Element | undefined {
  const question = turn.previousElementSibling;
  return question?.matches(".question") ? question : undefined;
}
