// Draws a question: its text, what was attached to it, buttons to ask it in another way
// or again, and the place among its alternatives.
import type { Chip } from "../src/chip";
import type { FromView, ToView } from "../src/webviewMessages";
import { button, element, spoken } from "./dom";
import { type IconName, icon } from "./icons";
import { whenNear } from "./near";

export class Question {
  readonly node = spoken("You", "question");
  private readonly fork = element("div", "fork");

  constructor(
    { turn, text, chips }: Extract<ToView, { type: "question" }>,
    private readonly post: (message: FromView) => void,
  ) {
    const tools = element("div", "tools");
    this.node.append(element("div", "text", text), ...this.drawChips(chips), this.fork, tools);
    whenNear(tools, () => tools.append(
      iconButton("Edit this message", "edit", () => post({ type: "edit", turn })),
      iconButton("Ask again", "again", () => post({ type: "retry", turn }))));
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
