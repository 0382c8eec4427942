// The messages that wait for the running answer: chips above the input, in the order in which they will be answered.
import type { FromView } from "../src/webviewMessages";
import { byId, element } from "./dom";
import { type IconName, icon } from "./icons";

export class Queue {
  private readonly node = byId("queue");
  private readonly chips = new Map<string, HTMLElement>();

  constructor(private readonly post: (message: FromView) => void) {
    this.node.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      (event.target as Element).closest("li")?.querySelector<HTMLElement>(".edit")?.click();
      event.preventDefault();
      event.stopPropagation(); // Escape elsewhere stops the answer
    });
  }

  has(turn: string): boolean {
    return this.chips.has(turn);
  }

  add(turn: string, text: string): void {
    const shown = element("span", "label", text);
    shown.title = text;
    const chip = element("li", "", shown,
      this.act("Edit", "edit", "edit", { type: "withdraw", turn }),
      this.act("Join the running answer now", "steer", "up", { type: "steer", turn }),
      this.act("Withdraw", "drop", "close", { type: "drop", turn }));
    this.chips.set(turn, chip);
    this.node.append(chip);
    this.node.hidden = false;
  }

  remove(turn: string): void {
    this.chips.get(turn)?.remove();
    this.chips.delete(turn);
    this.node.hidden = this.chips.size === 0;
  }

  clear(): void {
    for (const turn of [...this.chips.keys()]) this.remove(turn);
  }

  private act(label: string, name: string, image: IconName, message: FromView): HTMLButtonElement {
    const made = element("button", `plain ${name}`, icon(image));
    made.type = "button";
    made.title = label;
    made.setAttribute("aria-label", label);
    made.addEventListener("click", () => {
      byId("input").focus();
      this.post(message);
    });
    return made;
  }
}

/** Takes the last waiting message back into the input. Reports whether there is one. */
export function takeBackLast(): boolean {
  const last = byId("queue").querySelector<HTMLElement>("li:last-child .edit");
  last?.click();
  return last !== null;
}
