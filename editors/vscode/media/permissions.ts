// Draws questions for leave as cards, until they are settled.
import type { Answer, ToView } from "../src/messages";
import { button, element } from "./dom";

type Question = Extract<ToView, { type: "permission" }>;

export class PermissionCards {
  private readonly cards = new Map<string, HTMLElement>();

  constructor(private readonly answer: (permission: string, answer: Answer) => void) {}

  clear(): void {
    this.cards.clear();
  }

  card({ permission, title, detail }: Question): HTMLElement {
    const choice = (label: string, className: string, answer: Answer) =>
      button(label, className, () => this.answer(permission, answer));
    const card = element("article", "permission", element("h4", "", title),
      ...(detail ? [element("pre", "", detail)] : []),
      element("div", "actions",
        choice("Allow", "", "allowOnce"),
        choice("Always allow", "secondary", "allowAlways"),
        choice("Reject", "secondary", "rejectOnce"),
        choice("Always reject", "secondary", "rejectAlways"),
      ),
    );
    card.setAttribute("aria-label", `ploke asks: ${title}`);
    this.cards.set(permission, card);
    return card;
  }

  settle(permission: string, verdict: string): void {
    const card = this.cards.get(permission);
    card?.classList.add("settled");
    card?.querySelector(".actions")?.replaceChildren(element("span", "status", verdict));
  }
}
