// Decides on hunks, in the same way from a card, a key, a lens and the view.
import { window } from "vscode";
import type { Client } from "./client";
import { reporting } from "./errors";
import { unlinked } from "./notification";
import { proposalAccept, proposalReject } from "./protocol";
import type { Review, Waiting } from "./review";
import { openMerge } from "./reviewMerge";

export type Decision = typeof proposalAccept | typeof proposalReject;

export class Decisions {
  constructor(
    private readonly client: Client,
    private readonly review: Review,
  ) {}

  /** Returns the hunks of a proposal, or of a file of it, if some of them do not fit. It asks the server only if some are known not to. */
  async unfit(id: string, file?: string): Promise<Waiting[]> {
    const hunks = () => this.review.of(id, file);
    const unfit = () => hunks().some(({ hunk }) => hunk.conflict);
    if (unfit()) await this.review.refresh();
    return unfit() ? hunks() : [];
  }

  /** Decides on hunks of any proposals. Hunks that do not fit can't be accepted: the user may resolve them. */
  async decide(decision: Decision, hunks: Waiting[]): Promise<void> {
    if (hunks.length === 0) return explain("Nothing waits for a decision here.");
    const accepting = decision === proposalAccept;
    const conflicts = accepting ? hunks.filter(({ hunk }) => hunk.conflict) : [];
    const chosen = hunks.filter((one) => !conflicts.includes(one));
    await this.review.decide(chosen, async () => {
      for (const [id, version] of new Map(chosen.map(({ proposal }) => [proposal.id, proposal.version]))) {
        const ids = chosen.filter(({ proposal }) => proposal.id === id).map(({ hunk }) => hunk.id);
        await this.client.request(decision, { id, version, hunks: ids });
      }
    });
    await this.review.refresh();
    const [first] = conflicts;
    if (first) void this.offerMerge(first, conflicts.length);
  }

  /** Decides on all that waits of a proposal, or of a file of it, in the version that was shown. */
  async decideWhole(decision: Decision, shown: { id: string; version?: string }, file?: string): Promise<void> {
    const params = { ...shown, ...(file !== undefined && { files: [file] }) };
    await this.review.decide(this.review.of(shown.id, file), () => this.client.request(decision, params));
  }

  private async offerMerge(first: Waiting, count: number): Promise<void> {
    const what = count === 1 ? "1 edit does not fit" : `${count} edits do not fit`;
    const resolve = "Resolve Conflict";
    const answer = await window.showWarningMessage(unlinked(`ploke: ${what}, because these lines have changed since.`), resolve);
    if (answer === resolve) await reporting(openMerge)(this.client, first);
  }
}

export function explain(what: string): void {
  void window.showInformationMessage(unlinked(`ploke: ${what}`));
}
