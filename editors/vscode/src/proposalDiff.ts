// Opens proposed edits as diffs. On the left is the file itself, so that the diff
// follows it; on the right is the file with what still waits, which can be edited.
import { type Disposable, Range, TabInputTextDiff, Uri, commands, window, workspace } from "vscode";
import type { Client } from "./client";
import { addressOf, diffScheme, documentOf, proposalScheme } from "./proposalAddress";
import { isOpen } from "./proposalState";
import { type FileOp, type ProposalView, proposalGet } from "./protocol";
import type { Review, Waiting } from "./review";
import { shownIn } from "./reviewTarget";

/** The file of a diff. */
interface DiffFile {
  uri: string;
  newUri?: string;
  path: string;
  op: FileOp;
}

export class ProposalDiffs implements Disposable {
  private readonly subscription: Disposable;
  /** The files of which something waited last. */
  private waited = new Set<string>();

  constructor(
    private readonly client: Client,
    private readonly review: Review,
  ) {
    this.subscription = review.onChange(() => void this.closeDecided());
  }

  /** Shows all files of a proposal. */
  async showAll(id: string): Promise<void> {
    const { proposal, files } = await this.client.request(proposalGet, { id });
    const shown = latest(files);
    const only = shown[0];
    if (!only) return;
    if (shown.length === 1) return this.showFile(id, proposal.title, only);
    const resources = await Promise.all(shown.map(async (file) => {
      const { left, right } = await sides(id, file);
      return { originalUri: left, modifiedUri: right };
    }));
    const multiDiffSourceUri = Uri.from({ scheme: diffScheme, path: id });
    await commands.executeCommand("_workbench.openMultiDiffEditor", { multiDiffSourceUri, title: proposal.title, resources });
  }

  /** Shows one file of a proposal at its first hunk, given its old name. */
  async showNamed(id: string, uri: string): Promise<void> {
    const { proposal, files } = await this.client.request(proposalGet, { id });
    const file = latest(files).find((view) => view.uri === uri);
    if (file) await this.showFile(id, proposal.title, file, this.review.of(id, uri)[0]);
  }

  /** Shows a hunk, with the cursor in its new text. */
  async showHunk(waiting: Waiting): Promise<void> {
    await this.showFile(waiting.proposal.id, waiting.proposal.title, waiting.file, waiting);
  }

  dispose(): void {
    this.subscription.dispose();
  }

  private async showFile(id: string, title: string, file: DiffFile, at?: Waiting): Promise<void> {
    const { left, right } = await sides(id, file);
    const name = file.path.slice(file.path.lastIndexOf("/") + 1);
    const line = at && shownIn(this.review, right).find(({ waiting }) => waiting.hunk.id === at.hunk.id)?.range.start.line;
    const selection = line === undefined ? {} : { selection: new Range(line, 0, line, 0) };
    await commands.executeCommand("vscode.diff", left, right, `${name}: ${title}`, { preview: true, ...selection });
  }

  /** Closes the diffs of files of which nothing waits any more. */
  private async closeDecided(): Promise<void> {
    const waiting = new Set(this.review.hunks.map(({ proposal, file }) => keyOf(proposal.id, file.uri)));
    const decided = [...this.waited].filter((key) => !waiting.has(key));
    this.waited = waiting;
    const tabs = window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(({ input, isDirty }) => {
      if (isDirty || !(input instanceof TabInputTextDiff) || input.modified.scheme !== proposalScheme) return false;
      const { id, uri } = addressOf(input.modified);
      return decided.includes(keyOf(id, uri));
    });
    if (tabs.length > 0) await window.tabGroups.close(tabs);
  }
}

function keyOf(id: string, uri: string): string {
  return `${id} ${uri}`;
}

/** Returns one view of each file: the one of which something waits, else the last. */
function latest(views: ProposalView[]): ProposalView[] {
  const byUri = new Map<string, ProposalView>();
  for (const view of views) if (!byUri.get(view.uri)?.hunks.some(isOpen)) byUri.set(view.uri, view);
  return [...byUri.values()];
}

/** Returns both sides of a diff. A file that does not exist has an empty document in its place. */
async function sides(id: string, { uri, newUri }: DiffFile): Promise<{ left: Uri; right: Uri }> {
  const file = Uri.parse(uri);
  const right = documentOf({ id, uri, side: "proposed" }, newUri);
  return { left: (await exists(file)) ? file : documentOf({ id, uri, side: "now" }), right };
}

async function exists(file: Uri): Promise<boolean> {
  return workspace.fs.stat(file).then(() => true, () => false);
}
