// Actions on whole proposed edits: show, accept, reject, undo and redo. The server
// stores proposals. After an accept it asks the editor to apply the edit.
import { Uri, window } from "vscode";
import type { Client } from "./client";
import type { ProposalDiffs } from "./proposalDiff";
import type { ProposalFiles } from "./proposalFiles";
import { proposalAccept, proposalList, proposalRedo, proposalReject, proposalUndo } from "./protocol";
import { statuses } from "./proposalState";
import type { Decision, Decisions } from "./reviewDecisions";
import { type HunkName, named } from "./reviewTarget";

/** A proposal's id, a part of it, or a document of its diff; undefined lets the user choose one. */
export type Named = string | HunkName | Uri | undefined;

/** A proposal, and the version of it that was shown. */
interface Shown {
  id: string;
  version?: string;
}

export class Proposals {
  constructor(
    private readonly client: Client,
    private readonly files: ProposalFiles,
    private readonly diffs: ProposalDiffs,
    private readonly decisions: Decisions,
  ) {}

  async show(proposal: Named): Promise<void> {
    const chosen = await this.identify(proposal, statuses.open);
    if (chosen) await this.diffs.showAll(chosen.id);
  }

  showFile(id: string, uri: string): Promise<void> {
    return this.diffs.showNamed(id, uri);
  }

  async accept(proposal: Named, version?: string): Promise<void> {
    const chosen = await this.identify(proposal, statuses.open, version);
    if (chosen) await this.decide(proposalAccept, chosen);
  }

  async reject(proposal: Named, version?: string): Promise<void> {
    const chosen = await this.identify(proposal, statuses.open, version);
    if (chosen) await this.decide(proposalReject, chosen);
  }

  acceptFile(id: string, uri: string, version?: string): Promise<void> {
    return this.decide(proposalAccept, shown(id, version), uri);
  }

  rejectFile(id: string, uri: string, version?: string): Promise<void> {
    return this.decide(proposalReject, shown(id, version), uri);
  }

  /** Undoes an applied proposal. Later edits of the same files stay. */
  async undo(proposal: Named, version?: string): Promise<void> {
    const chosen = await this.identify(proposal, statuses.applied, version);
    if (chosen) await this.client.request(proposalUndo, chosen);
  }

  async redo(proposal: Named, version?: string): Promise<void> {
    const chosen = await this.identify(proposal, statuses.undone, version);
    if (chosen) await this.client.request(proposalRedo, chosen);
  }

  /**
   * Decides on a proposal or a file of it, in the version that was shown and with what was typed in its diffs since. Its effect
   * comes as an event. Without a version the server decides on what it has shown here last.
   */
  private async decide(decision: Decision, chosen: Shown, uri?: string): Promise<void> {
    const saved = await this.files.save(chosen.id);
    const decided = { ...chosen, ...(saved !== undefined && { version: saved }) };
    const unfit = decision === proposalAccept ? await this.decisions.unfit(chosen.id, uri) : [];
    if (unfit.length > 0) return this.decisions.decide(decision, unfit.map((one) => ({ ...one, proposal: { ...one.proposal, ...decided } })));
    await this.decisions.decideWhole(decision, decided, uri);
  }

  private async identify(proposal: Named, among: string[], version?: string): Promise<Shown | undefined> {
    if (typeof proposal === "string") return shown(proposal, version);
    const name = named(proposal);
    return name ? shown(name.proposal, version ?? name.version) : this.pick(among);
  }

  private async pick(among: string[]): Promise<Shown | undefined> {
    const { proposals } = await this.client.request(proposalList, {});
    const items = proposals.filter(({ status }) => among.includes(status)).map(({ id, version, title, files }) => ({
      ...shown(id, version),
      label: title,
      description: files.map((file) => file.path).join(", "),
    }));
    const item = items.length > 1 ? await window.showQuickPick(items, { placeHolder: "Choose a proposed edit" }) : items[0];
    if (items.length === 0) void window.showInformationMessage("ploke: There is no such proposed edit.");
    return item && shown(item.id, item.version);
  }
}

function shown(id: string, version?: string): Shown {
  return { id, ...(version !== undefined && { version }) };
}
