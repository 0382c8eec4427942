// Draws proposals as cards. The card of an amended proposal is redrawn in place.
import type { Conflict } from "../src/protocol";
import type { DrawnPart, ProposalAction } from "../src/webviewMessages";
import { type ProposalState, staged } from "../src/proposalState";
import { button, element } from "./dom";

type ProposalPart = Extract<DrawnPart, { type: "proposal" }>;

/** The user's actions on a card. */
export interface ProposalHandler {
  act(action: ProposalAction, proposal: string): void;
  acceptFile(proposal: string, path: string): void;
  openLine(uri: string, line: number): void;
}

export class ProposalCards {
  private readonly cards = new Map<string, HTMLElement>();

  constructor(private readonly handler: ProposalHandler) {}

  clear(): void {
    this.cards.clear();
  }

  card({ id, title = "", files = [] }: ProposalPart): HTMLElement {
    const card = this.cards.get(id) ?? element("article", "proposal");
    this.cards.set(id, card);
    card.setAttribute("aria-label", `proposed edit: ${title}`);
    const act = (label: string, className: string, action: ProposalAction) =>
      button(label, className, () => this.handler.act(action, id));
    card.replaceChildren(
      element("h4", "", title),
      element("ul", "files", ...files.map((file) => this.file(id, file, files.length > 1))),
      element("div", "conflicts"),
      element("div", "actions",
        act("Show diff", "secondary", "showProposal"),
        act("Accept", "decision", "acceptProposal"),
        act("Accept part…", "secondary decision", "acceptPart"),
        act("Reject", "secondary decision", "rejectProposal"),
        act("Undo", "secondary undo", "undoProposal"),
        act("Redo", "secondary redo", "redoProposal"),
        element("span", "status"),
      ),
    );
    this.decided(id, staged);
    return card;
  }

  decided(id: string, state: ProposalState): void {
    const card = this.cards.get(id);
    if (!card) return;
    card.classList.toggle("decidable", state.decidable);
    card.classList.toggle("undoable", state.undoable);
    card.classList.toggle("redoable", state.redoable);
    card.querySelector(".status")?.replaceChildren(label(state.status));
    card.querySelector(".conflicts")?.replaceChildren(...state.conflicts.map((conflict) => this.conflict(conflict)));
  }

  private file(id: string, path: string, alone: boolean): HTMLElement {
    const accept = button("Accept", "link decision", () => this.handler.acceptFile(id, path));
    accept.setAttribute("aria-label", `Accept ${path}`);
    return element("li", "", path, ...(alone ? [accept] : []));
  }

  private conflict({ uri, path, line, base, ours, theirs }: Conflict): HTMLElement {
    const side = (name: string, text: string) => [element("dt", "", name), element("dd", "", element("pre", "", text || " "))];
    const place = button(line > 0 ? `${path}:${line}` : path, "citation", () => this.handler.openLine(uri, line));
    const what = line > 0 ? " has changed:" : " was deleted:";
    return element("section", "conflict", element("p", "", place, what), element("dl", "",
      ...side("When it was proposed", base), ...side("Now", theirs), ...side("Proposed", ours)));
  }
}

function label(status: string): string {
  if (status === "staged") return "";
  if (status === "verified") return "Applied";
  if (status === "stale") return "Not applied: the text has changed";
  if (status === "partial") return "Applied in part";
  return status.charAt(0).toUpperCase() + status.slice(1);
}
