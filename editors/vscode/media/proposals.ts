// Draws proposals as cards, one for each proposal: an amended one is drawn again
// where it is.
import type { ProposalAction } from "../src/messages";
import type { Part } from "../src/requests";
import { button, element } from "./dom";

type ProposalPart = Extract<Part, { type: "proposal" }>;

export class ProposalCards {
  private readonly cards = new Map<string, HTMLElement>();

  constructor(private readonly act: (action: ProposalAction, proposal: string) => void) {}

  clear(): void {
    this.cards.clear();
  }

  card({ id, title, files, status }: ProposalPart): HTMLElement {
    const card = this.cards.get(id) ?? element("article", "proposal");
    this.cards.set(id, card);
    card.setAttribute("aria-label", `proposed edit: ${title}`);
    card.replaceChildren(
      element("h4", "", title),
      element("ul", "files", ...(files ?? []).map((file) => element("li", "", file))),
      element("div", "actions",
        button("Show diff", "secondary", () => this.act("showProposal", id)),
        button("Accept", "decision", () => this.act("acceptProposal", id)),
        button("Reject", "secondary decision", () => this.act("rejectProposal", id)),
        button("Undo", "secondary undo", () => this.act("undoProposal", id)),
        button("Redo", "secondary redo", () => this.act("redoProposal", id)),
        element("span", "status"),
      ),
    );
    this.decided(id, status ?? "staged");
    return card;
  }

  decided(id: string, status: string): void {
    const card = this.cards.get(id);
    if (card) card.dataset["status"] = status;
    card?.querySelector(".status")?.replaceChildren(label(status));
  }
}

function label(status: string): string {
  if (status === "staged") return "";
  if (status === "verified") return "Applied";
  return status.charAt(0).toUpperCase() + status.slice(1);
}
