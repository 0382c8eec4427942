// Draws proposals as cards. One proposal may be drawn in several turns; what
// becomes of it shows on all of its cards.
import type { Part } from "../src/requests";
import { button, element } from "./dom";

type ProposalPart = Extract<Part, { type: "proposal" }>;
export type ProposalAction = "showProposal" | "acceptProposal" | "rejectProposal";

export class ProposalCards {
  private readonly cards = new Map<string, HTMLElement[]>();

  constructor(private readonly act: (action: ProposalAction, proposal: string) => void) {}

  clear(): void {
    this.cards.clear();
  }

  card({ id, title, files, status }: ProposalPart): HTMLElement {
    const card = element("article", "proposal", element("h4", "", title));
    card.setAttribute("aria-label", `proposed edit: ${title}`);
    card.append(element("ul", "files", ...(files ?? []).map((file) => element("li", "", file))));
    card.append(
      element("div", "actions",
        button("Show diff", "secondary", () => this.act("showProposal", id)),
        button("Accept", "decision", () => this.act("acceptProposal", id)),
        button("Reject", "secondary decision", () => this.act("rejectProposal", id)),
        element("span", "status"),
      ),
    );
    this.cards.set(id, [...(this.cards.get(id) ?? []), card]);
    if (status) this.decided(id, status);
    return card;
  }

  decided(id: string, status: string): void {
    for (const card of this.cards.get(id) ?? []) {
      card.classList.toggle("decided", status !== "staged");
      card.querySelector(".status")?.replaceChildren(status === "staged" ? "" : label(status));
    }
  }
}

function label(status: string): string {
  return status === "verified" || status === "applied" ? "Applied" : status.charAt(0).toUpperCase() + status.slice(1);
}
