// Actions on whole proposed edits: show, accept, reject, undo and redo. The server
// stores proposals. After an accept it asks the editor to apply the edit.
import { Uri, window } from "vscode";
import type { Client } from "./client";
import type { ProposalDiffs } from "./proposalDiff";
import type { ProposalFiles } from "./proposalFiles";
import { proposalAccept, proposalList, proposalRedo, proposalReject, proposalUndo } from "./protocol";
import { statuses } from "./proposalState";
import { type HunkName, named } from "./reviewTarget";

/** A proposal's id, a part of it, or a document of its diff; undefined lets the user choose one. */
export type Named = string | HunkName | Uri | undefined;

type Decision = typeof proposalAccept | typeof proposalReject;

export class Proposals {
  constructor(
    private readonly client: Client,
    private readonly files: ProposalFiles,
    private readonly diffs: ProposalDiffs,
  ) {}

  async show(proposal: Named): Promise<void> {
    const id = await this.identify(proposal, statuses.open);
    if (id) await this.diffs.showAll(id);
  }

  showFile(id: string, uri: string): Promise<void> {
    return this.diffs.showNamed(id, uri);
  }

  async accept(proposal: Named, version?: string): Promise<void> {
    const id = await this.identify(proposal, statuses.open);
    if (id) await this.decide(proposalAccept, id, version ?? versionOf(proposal));
  }

  async reject(proposal: Named, version?: string): Promise<void> {
    const id = await this.identify(proposal, statuses.open);
    if (id) await this.decide(proposalReject, id, version ?? versionOf(proposal));
  }

  acceptFile(id: string, uri: string, version?: string): Promise<void> {
    return this.decide(proposalAccept, id, version, uri);
  }

  rejectFile(id: string, uri: string, version?: string): Promise<void> {
    return this.decide(proposalReject, id, version, uri);
  }

  /** Undoes an applied proposal. Later edits of the same files stay. */
  async undo(proposal: Named, version?: string): Promise<void> {
    const id = await this.identify(proposal, statuses.applied);
    if (id) await this.client.request(proposalUndo, { id, ...(version !== undefined && { version }) });
  }

  async redo(proposal: Named, version?: string): Promise<void> {
    const id = await this.identify(proposal, statuses.undone);
    if (id) await this.client.request(proposalRedo, { id, ...(version !== undefined && { version }) });
  }

  /**
   * Decides on a proposal or a file of it, in the version that was shown and with what was typed in its diffs since. Its effect
   * comes as an event. Without a version the server decides on what it has shown here last.
   */
  private async decide(decision: Decision, id: string, version?: string, uri?: string): Promise<void> {
    const shown = (await this.files.save(id)) ? undefined : version;
    await this.client.request(decision, { id, ...(shown !== undefined && { version: shown }), ...(uri !== undefined && { files: [uri] }) });
  }

  private async identify(proposal: Named, among: string[]): Promise<string | undefined> {
    if (typeof proposal === "string") return proposal;
    return named(proposal)?.proposal ?? (await this.pick(among));
  }

  private async pick(among: string[]): Promise<string | undefined> {
    const { proposals } = await this.client.request(proposalList, {});
    const items = proposals.filter(({ status }) => among.includes(status)).map(({ id, title, files }) => ({
      id,
      label: title,
      description: files.map((file) => file.path).join(", "),
    }));
    if (items.length > 1) return (await window.showQuickPick(items, { placeHolder: "Choose a proposed edit" }))?.id;
    if (items.length === 0) void window.showInformationMessage("ploke: There is no such proposed edit.");
    return items[0]?.id;
  }
}

function versionOf(proposal: Named): string | undefined {
  return typeof proposal === "string" ? undefined : named(proposal)?.version;
}
