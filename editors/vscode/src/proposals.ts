// Proposed edits: show the diff, accept a proposal whole or in part, reject, undo and
// redo it. The server stores proposals. After an accept it asks the editor to apply
// the edit.
import { type QuickPickItem, QuickPickItemKind, Uri, commands, window } from "vscode";
import type { Client } from "./client";
import { type ProposalFiles, proposalOf, sideOf } from "./proposalFiles";
import {
  type ProposalView, proposalAccept, proposalGet, proposalList, proposalRedo, proposalReject, proposalUndo,
} from "./protocol";
import { isOpen, statuses } from "./proposalState";

/** A proposal's id, or a document of its diff; undefined lets the user choose one. */
export type Named = string | Uri | undefined;

interface HunkItem extends QuickPickItem {
  hunk?: string;
}

export class Proposals {
  constructor(
    private readonly client: Client,
    private readonly files: ProposalFiles,
  ) {}

  async show(named: Named): Promise<void> {
    const id = await this.identify(named, statuses.open);
    if (!id) return;
    const { proposal, files } = await this.client.request(proposalGet, { id });
    const [first, ...others] = files.map((file) => ({
      file: Uri.parse(file.uri),
      before: sideOf(id, file, "before"),
      after: sideOf(id, file, "after"),
    }));
    if (!first) return;
    if (others.length === 0) {
      await commands.executeCommand("vscode.diff", first.before, first.after, proposal.title, { preview: true });
    } else {
      const changes = [first, ...others].map(({ file, before, after }) => [file, before, after]);
      await commands.executeCommand("vscode.changes", proposal.title, changes);
    }
  }

  async accept(named: Named): Promise<void> {
    const id = await this.identify(named, statuses.open);
    if (!id) return;
    await this.files.save(id);
    await this.client.request(proposalAccept, { id });
  }

  /** Accepts one file of a proposal, given its old or new path. */
  async acceptFile(id: string, path: string): Promise<void> {
    await this.files.save(id);
    const { files } = await this.client.request(proposalGet, { id });
    const named = files.filter((file) => file.path === path || file.newPath === path);
    await this.client.request(proposalAccept, { id, files: named.map(({ uri }) => uri) });
  }

  /** Lets the user choose hunks, and accepts them. */
  async acceptPart(named: Named): Promise<void> {
    const id = await this.identify(named, statuses.open);
    if (!id) return;
    await this.files.save(id);
    const { proposal, files } = await this.client.request(proposalGet, { id });
    const chosen = await window.showQuickPick(files.flatMap(hunkItems), {
      canPickMany: true,
      title: proposal.title,
      placeHolder: "Choose places to accept; the others stay undecided",
      matchOnDescription: true,
    });
    const hunks = chosen?.flatMap(({ hunk }) => hunk ?? []) ?? [];
    if (hunks.length > 0) await this.client.request(proposalAccept, { id, hunks });
  }

  async reject(named: Named): Promise<void> {
    await this.decide(proposalReject, named, statuses.open);
  }

  /** Undoes an applied proposal. Later edits of the same files stay. */
  async undo(named: Named): Promise<void> {
    await this.decide(proposalUndo, named, statuses.applied);
  }

  async redo(named: Named): Promise<void> {
    await this.decide(proposalRedo, named, statuses.undone);
  }

  /** Sends a request about a proposal, whose effect comes as an event. The user chooses among the statuses if named is undefined. */
  private async decide(request: typeof proposalUndo, named: Named, among: string[]): Promise<void> {
    const id = await this.identify(named, among);
    if (id) await this.client.request(request, { id });
  }

  private async identify(named: Named, among: string[]): Promise<string | undefined> {
    if (named instanceof Uri) return proposalOf(named);
    return named ?? (await this.pick(among));
  }

  private async pick(among: string[]): Promise<string | undefined> {
    const { proposals } = await this.client.request(proposalList, {});
    const items = proposals.filter(({ status }) => among.includes(status)).map(({ id, title, files }) => ({
      id,
      label: title,
      description: files.map((file) => file.path).join(", "),
    }));
    if (items.length > 1) return (await window.showQuickPick(items, { placeHolder: "Choose a proposed edit" }))?.id;
    if (items.length === 0) void window.showInformationMessage(`No proposed edit is ${among.join(" or ")}.`);
    return items[0]?.id;
  }
}

/** Returns the undecided hunks of a file, below its name. */
function hunkItems({ path, newPath, op, before, hunks }: ProposalView): HunkItem[] {
  const lines = before.split("\n");
  const items = hunks.filter(isOpen).map(({ id, startLine, endLine }): HunkItem => {
    if (op === "rename" && id === hunks[0]?.id) return { hunk: id, label: `Rename to ${newPath}` };
    const place = startLine === endLine ? `Line ${startLine}` : `Lines ${startLine}–${endLine}`;
    return { hunk: id, label: place, description: lines[startLine - 1]?.trim() ?? "" };
  });
  return items.length > 0 ? [{ label: path, kind: QuickPickItemKind.Separator }, ...items] : [];
}
