// Draws proposals as cards: each file with its size, its state and its own actions. The
// card of an amended proposal is redrawn in place.
import type { Conflict, EvidenceProblem } from "../src/protocol";
import type { DrawnPart, FileAction, ProposalAction } from "../src/webviewMessages";
import type { FileState, ProposalState } from "../src/proposalState";
import { minus, plus } from "../src/lineCount";
import { button, element } from "./dom";
import { drawEvidence } from "./evidence";
import { type IconName, icon } from "./icons";
import { morph } from "./morph";

type ProposalPart = Extract<DrawnPart, { type: "proposal" }>;

/** The user's actions on a card. */
export interface ProposalHandler {
  act(action: ProposalAction, proposal: string, version?: string): void;
  actOnFile(action: FileAction, proposal: string, file: string, version?: string): void;
  openLine(uri: string, line: number): void;
}

export class ProposalCards {
  private readonly cards = new Map<string, HTMLElement>();
  /** The versions that the cards show. */
  private readonly versions = new Map<string, string | undefined>();

  constructor(private readonly handler: ProposalHandler) {}

  clear(): void {
    this.cards.clear();
    this.versions.clear();
  }

  /** Draws a proposal; its state follows with [decided]. */
  card({ id, title = "", files = [], version }: ProposalPart): HTMLElement {
    const card = this.cards.get(id) ?? element("article", "proposal");
    this.cards.set(id, card);
    this.versions.set(id, version);
    card.setAttribute("aria-label", `proposed edit: ${title}`);
    const act = (label: string, className: string, action: ProposalAction) =>
      button(label, className, () => this.handler.act(action, id, this.versions.get(id)));
    card.replaceChildren(
      element("header", "", element("h4", "", title), element("span", "status", "Waiting")),
      element("ul", "files", ...files.map((name) => element("li", "", element("span", "name", name)))),
      element("div", "conflicts"),
      element("ul", "evidence"),
      element("div", "actions",
        act("Accept", "decision", "acceptProposal"),
        act("Reject", "secondary decision", "rejectProposal"),
        act("Show diff", "secondary", "showProposal"),
        act("Undo", "secondary undo", "undoProposal"),
        act("Redo", "secondary redo", "redoProposal"),
      ),
    );
    card.classList.add("decidable");
    card.classList.remove("undoable", "redoable");
    return card;
  }

  decided(id: string, state: ProposalState): void {
    const card = this.cards.get(id);
    if (!card) return;
    this.versions.set(id, state.version);
    card.classList.toggle("decidable", state.decidable);
    card.classList.toggle("undoable", state.undoable);
    card.classList.toggle("redoable", state.redoable);
    card.querySelector(".status")?.replaceChildren(sentence(state.label));
    const files = card.querySelector(".files");
    // A button that stays where it is does not lose a click.
    if (files) morph(files, 0, state.files.map((file) => this.file(id, file, state)));
    const conflicts = card.querySelector<HTMLElement>(".conflicts");
    if (conflicts) this.drawConflicts(conflicts, id, state.conflicts);
    const evidence = card.querySelector(".evidence");
    if (evidence) drawEvidence(evidence, state.evidence, (problem) => this.openProblem(id, state, problem));
  }

  private file(id: string, file: FileState, { files, label }: ProposalState): HTMLElement {
    const act = (text: string, image: IconName, action: FileAction) => {
      const made = button("", "link", () => this.handler.actOnFile(action, id, file.uri, this.versions.get(id)));
      made.append(icon(image));
      made.title = `${text} ${file.name}`;
      made.setAttribute("aria-label", made.title);
      return made;
    };
    const name = button(file.name, "link name", () => this.handler.actOnFile("showFile", id, file.uri));
    name.title = `Show the diff of ${file.name}`;
    name.replaceChildren(...file.name.split(/(?<=\/)/).flatMap((part) => [part, element("wbr", "")])); // it breaks between folders first
    const size = [element("span", "added", plus(file.added)), element("span", "removed", minus(file.removed))];
    const several = files.length > 1;
    const own = element("span", "state", file.label === label ? "" : file.label); // always there, so that a button behind it stays
    own.hidden = own.textContent === "";
    const badge = file.badge ? [element("span", `badge ${file.badge}`, file.badge)] : [];
    const node = element("li", "", element("span", "file", name, ...badge, element("span", "size", ...size), own),
      ...(several && file.decidable ? [element("span", "decisions", act("Accept", "done", "acceptFile"), act("Reject", "reject", "rejectFile"))] : []));
    node.dataset.uri = file.uri;
    return node;
  }

  private drawConflicts(node: HTMLElement, id: string, conflicts: Conflict[]): void {
    const drawn = JSON.stringify(conflicts);
    if (node.dataset.drawn === drawn) return;
    node.dataset.drawn = drawn;
    node.replaceChildren(...conflicts.map((conflict) => this.conflict(id, conflict)));
  }

  /** Opens the line of a problem. In a file that the proposal changes it is a line of the new text, so that is shown. */
  private openProblem(id: string, { files }: ProposalState, { uri, line }: EvidenceProblem): void {
    if (!uri) return;
    if (files.some((file) => file.uri === uri)) this.handler.actOnFile("showFile", id, uri);
    else this.handler.openLine(uri, line ?? 1);
  }

  private conflict(id: string, { uri, path, line, base, ours, theirs }: Conflict): HTMLElement {
    const side = (name: string, text: string) => [element("dt", "", name), element("dd", "", element("pre", "", text || " "))];
    const place = button(line > 0 ? `${path}:${line}` : path, "citation", () => this.handler.openLine(uri, line));
    const what = line > 0 ? " has changed:" : " was deleted:";
    const resolve = button("Resolve conflict", "secondary", () => this.handler.actOnFile("resolveFile", id, uri));
    return element("section", "conflict", element("p", "", place, what), element("dl", "",
      ...side("When it was proposed", base), ...side("Now", theirs), ...side("Proposed", ours)), resolve);
  }
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
