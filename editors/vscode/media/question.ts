// Draws a question: its text as Markdown, of which a long one shows its first lines until it is opened; what was
// attached to it; buttons to ask it in another way or again; and the place among its alternatives.
import type { Chip } from "../src/chip";
import type { FromView, ToView } from "../src/webviewMessages";
import { button, element, spoken } from "./dom";
import { type IconName, icon } from "./icons";
import { drawNodes } from "./markdown";
import { whenNear } from "./near";

/** A text with more lines than this is folded. */
const shortLines = 5;

const sizes = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const lineHeight = parseFloat(getComputedStyle(target).lineHeight);
    target.parentElement?.classList.toggle("long", target.scrollHeight > (shortLines + 0.5) * lineHeight);
  }
});

export class Question {
  readonly node = spoken("You", "question");
  /** As it was sent. */
  readonly text: string;
  private readonly fork = element("div", "fork");
  private readonly more = button("Show more", "link more", () => this.open(!this.node.classList.contains("open")));

  constructor(
    { turn, text, chips }: Extract<ToView, { type: "question" }>,
    private readonly post: (message: FromView) => void,
    ended: (nodes: Node[]) => void,
  ) {
    this.text = text;
    const tools = element("div", "tools");
    const drawn = element("div", "text", ...drawNodes(text, {}));
    this.more.setAttribute("aria-expanded", "false");
    this.node.append(drawn, this.more, ...this.drawChips(chips), this.fork, tools);
    whenNear(tools, () => {
      sizes.observe(drawn);
      ended([...drawn.childNodes]);
      tools.append(
        iconButton("Edit this message", "edit", () => post({ type: "edit", turn })),
        iconButton("Ask again", "again", () => post({ type: "retry", turn })));
    });
  }

  /** Shows the whole text, or its first lines. */
  open(whole: boolean): void {
    this.node.classList.toggle("open", whole);
    this.more.textContent = whole ? "Show less" : "Show more";
    this.more.setAttribute("aria-expanded", String(whole));
  }

  /** Marks the question that the input has for editing. */
  mark(edited: boolean): void {
    this.node.classList.toggle("edited", edited);
  }

  /** Shows which of several questions in this place it is. */
  showFork({ turn, at, of }: Extract<ToView, { type: "fork" }>): void {
    const previous = iconButton("Previous branch", "previous", () => this.post({ type: "step", turn, by: -1 }));
    const next = iconButton("Next branch", "next", () => this.post({ type: "step", turn, by: 1 }));
    previous.disabled = at === 1;
    next.disabled = at === of;
    this.fork.replaceChildren(previous, element("span", "place", `${at}/${of}`), next);
    this.fork.setAttribute("role", "group");
    this.fork.setAttribute("aria-label", `Branch ${at} of ${of}`);
  }

  private drawChips(chips: Chip[]): Node[] {
    if (chips.length === 0) return [];
    return [element("div", "attached", ...chips.map((chip) => {
      const lines = chip.range ? `#L${chip.range.start.line + 1}-L${chip.range.end.line + 1}` : "";
      return button(chip.label, "citation", () => this.post({ type: "openLink", href: chip.uri + lines }));
    }))];
  }
}

function iconButton(label: string, name: IconName, click: () => void): HTMLButtonElement {
  const made = button("", "plain", click);
  made.title = label;
  made.setAttribute("aria-label", label);
  made.append(icon(name));
  return made;
}
