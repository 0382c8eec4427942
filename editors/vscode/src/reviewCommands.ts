// The commands of a review. They concern what they are given: a hunk, a file, a proposal
// or the document of a diff. From a key they concern what is at the cursor.
import { type Disposable, commands, window } from "vscode";
import type { Client } from "./client";
import { reporting } from "./errors";
import type { ProposalDiffs } from "./proposalDiff";
import type { ProposalFiles } from "./proposalFiles";
import { proposalAccept, proposalReject } from "./protocol";
import type { Review, Waiting } from "./review";
import { type Decision, type Decisions, explain } from "./reviewDecisions";
import { openMerge } from "./reviewMerge";
import { type ReviewPlace, looksAtDiff } from "./reviewPlace";
import { type HunkName, type Target, atCursor, named, shownIn } from "./reviewTarget";

const notHere = "There is no proposed edit at the cursor. Go to the next one with “ploke: Go to Next Proposed Edit”.";
const decided = "This edit does not wait any more.";

export class ReviewCommands implements Disposable {
  private readonly registrations: Disposable[];

  constructor(
    private readonly client: Client,
    private readonly review: Review,
    private readonly place: ReviewPlace,
    private readonly diffs: ProposalDiffs,
    private readonly files: ProposalFiles,
    private readonly decisions: Decisions,
  ) {
    const handlers: Record<string, (target: Target) => unknown> = {
      next: () => place.step(1),
      previous: () => place.step(-1),
      pick: () => place.pick(),
      acceptHunk: (target) => this.decideHunk(proposalAccept, target),
      rejectHunk: (target) => this.decideHunk(proposalReject, target),
      acceptFile: async (target) => this.decisions.decide(proposalAccept, await this.fileOf(target)),
      rejectFile: async (target) => this.decisions.decide(proposalReject, await this.fileOf(target)),
      acceptAll: async (target) => this.decisions.decide(proposalAccept, await this.all(target)),
      rejectAll: async (target) => this.rejectAll(await this.all(target)),
      show: (target) => this.with(target, (waiting) => this.showOrMerge(waiting)),
      edit: (target) => this.with(target, (waiting) => this.showOrMerge(waiting)),
      resolve: async (target) => this.resolve(await this.fileOf(target)),
      acceptMerge: () => commands.executeCommand("mergeEditor.acceptMerge"),
      list: () => commands.executeCommand("ploke.view.edits.focus"),
      open: (target) => this.with(target, (waiting) => place.show(waiting)),
    };
    this.registrations = Object.entries(handlers).map(([name, run]) =>
      commands.registerCommand(`ploke.view.review.${name}`, reporting(run)));
  }

  dispose(): void {
    for (const registration of this.registrations) registration.dispose();
  }

  /** Decides on one hunk. If it is the one at the cursor, the next hunk is shown afterwards. */
  private async decideHunk(decision: Decision, target: Target): Promise<void> {
    const waiting = await this.hunkOf(target);
    const follow = !named(target)?.hunk;
    if (!waiting) return explain(follow ? notHere : decided);
    const inDiff = looksAtDiff(); // which closes once nothing waits there
    const index = this.review.hunks.findIndex(({ hunk }) => hunk.id === waiting.hunk.id);
    await this.decisions.decide(decision, [waiting]);
    const next = this.review.hunks[index] ?? this.review.hunks[0];
    if (follow && next && next.hunk.id !== waiting.hunk.id) await this.place.show(next, inDiff);
  }

  private async rejectAll(hunks: Waiting[]): Promise<void> {
    const reject = "Reject All";
    const sure = hunks.length < 2
      || (await window.showWarningMessage(`Reject all ${hunks.length} proposed edits?`, { modal: true }, reject)) === reject;
    if (sure) await this.decisions.decide(proposalReject, hunks);
  }

  private async with(target: Target, run: (waiting: Waiting) => Promise<void>): Promise<void> {
    const waiting = await this.hunkOf(target);
    if (waiting) await run(waiting);
    else explain(decided);
  }

  private async resolve(hunks: Waiting[]): Promise<void> {
    const unfit = hunks.find(({ hunk }) => hunk.conflict);
    if (unfit) await openMerge(this.client, unfit);
    else explain("No proposed edit conflicts with this file.");
  }

  private async showOrMerge(waiting: Waiting): Promise<void> {
    if (waiting.hunk.conflict) await openMerge(this.client, waiting);
    else await this.diffs.showHunk(waiting);
  }

  /** Returns the named hunk, or the one at the cursor, with what was typed in its diff. */
  private async hunkOf(target: Target): Promise<Waiting | undefined> {
    const name = named(target);
    const found = name?.hunk ? this.review.of(name.proposal, name.file, name.hunk)[0] : atCursor(this.review);
    if (!found) return undefined;
    return (await this.saved(name, () => this.review.of(found.proposal.id, found.file.uri, found.hunk.id)))[0];
  }

  /** Returns the hunks of the named file, or of the one in the active editor. */
  private async fileOf(target: Target): Promise<Waiting[]> {
    const name = named(target);
    return this.saved(name, () => {
      if (name) return this.review.of(name.proposal, name.file);
      const editor = window.activeTextEditor;
      return editor ? shownIn(this.review, editor.document.uri).map(({ waiting }) => waiting) : [];
    });
  }

  /** Returns the hunks of the named proposal, or all. */
  private async all(target: Target): Promise<Waiting[]> {
    const name = named(target);
    return this.saved(name, () => (name ? this.review.of(name.proposal) : [...this.review.hunks]));
  }

  /** Returns hunks with what was typed in their diffs; if that is nothing, in the version that their name was shown with. */
  private async saved(name: HunkName | undefined, find: () => Waiting[]): Promise<Waiting[]> {
    if (await this.save(find())) return find();
    const version = name?.version;
    return version === undefined ? find() : find().map((one) => ({ ...one, proposal: { ...one.proposal, version } }));
  }

  private async save(hunks: Waiting[]): Promise<boolean> {
    let changed = false;
    for (const id of new Set(hunks.map(({ proposal }) => proposal.id))) changed = (await this.files.save(id)) !== undefined || changed;
    if (changed) await this.review.refresh();
    return changed;
  }
}
