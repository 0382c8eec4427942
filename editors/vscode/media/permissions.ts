// Draws permission requests as cards with buttons, until they are answered.
import type { Answer, DrawnPart } from "../src/webviewMessages";
import { button, element } from "./dom";

type Question = Extract<DrawnPart, { type: "permission" }>;

export class PermissionCards {
  private readonly cards = new Map<string, HTMLElement>();

  constructor(private readonly answer: (permission: string, answer: Answer) => void) {}

  clear(): void {
    this.cards.clear();
  }

  card({ id, title = "", detail, onlyOnce, exact }: Question): HTMLElement {
    const choice = (label: string, className: string, answer: Answer) =>
      button(label, className, () => this.answer(id, answer));
    const card = element("article", "permission", element("h4", "", title),
      ...(detail ? [element("pre", "", detail)] : []),
      element("div", "actions",
        choice("Allow", "", "allowOnce"),
        ...(onlyOnce ? [] : [choice("Always allow", "secondary", "allowAlways")]),
        ...(exact && !onlyOnce ? [choice("Always allow exactly this", "secondary", "allowExact")] : []),
        choice("Reject", "secondary", "rejectOnce"),
        ...(onlyOnce ? [] : [choice("Always reject", "secondary", "rejectAlways")]),
      ),
    );
    card.setAttribute("aria-label", `permission request: ${title}`);
    this.cards.set(id, card);
    return card;
  }

  settle({ id, status }: Question): void {
    const card = this.cards.get(id);
    card?.classList.add("settled");
    card?.querySelector(".actions")?.replaceChildren(element("span", "status", status === "granted" ? "Allowed" : "Rejected"));
  }
}
