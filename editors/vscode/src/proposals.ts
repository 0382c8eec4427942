// Proposed edits: look at one as a diff, where it can be changed, accept it whole or
// in part, reject it, undo it. The server keeps them and, once one is accepted, asks
// the editor to apply it.
import { type QuickPickItem, QuickPickItemKind, Uri, commands, window } from "vscode";
import type { Client } from "./client";
import { type ProposalFiles, proposalOf, sideOf } from "./proposalFiles";
import {
  type ProposalView, proposalAccept, proposalGet, proposalList, proposalRedo, proposalReject, proposalUndo,
} from "./requests";
import { isOpen, statuses } from "./standing";

/** Names a proposal: its id, a document of a diff that shows it, or nothing to be asked which. */
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

  /** Accepts one file of a proposal, by the name that the proposal shows for it. */
  async acceptFile(id: string, path: string): Promise<void> {
    await this.files.save(id);
    const { files } = await this.client.request(proposalGet, { id });
    const named = files.filter((file) => file.path === path || file.newPath === path);
    await this.client.request(proposalAccept, { id, files: named.map(({ uri }) => uri) });
  }

  /** Asks which places, and accepts these. */
  async acceptPart(named: Named): Promise<void> {
    const id = await this.identify(named, statuses.open);
    if (!id) return;
    await this.files.save(id);
    const { proposal, files } = await this.client.request(proposalGet, { id });
    const chosen = await window.showQuickPick(files.flatMap(hunkItems), {
      canPickMany: true,
      title: proposal.title,
      placeHolder: "Which places? The others go on waiting",
      matchOnDescription: true,
    });
    const hunks = chosen?.flatMap(({ hunk }) => hunk ?? []) ?? [];
    if (hunks.length > 0) await this.client.request(proposalAccept, { id, hunks });
  }

  async reject(named: Named): Promise<void> {
    await this.decide(proposalReject, named, statuses.open);
  }

  /** Takes an applied proposal back; what was typed since stays. */
  async undo(named: Named): Promise<void> {
    await this.decide(proposalUndo, named, statuses.applied);
  }

  async redo(named: Named): Promise<void> {
    await this.decide(proposalRedo, named, statuses.undone);
  }

  /** Has the server do something with a proposal, of which it tells; among is what it may be where nothing names one. */
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
    if (items.length > 1) return (await window.showQuickPick(items, { placeHolder: "Which proposed edit?" }))?.id;
    if (items.length === 0) void window.showInformationMessage(`No proposed edit is ${among.join(" or ")}.`);
    return items[0]?.id;
  }
}

/** The places of a file that are still to be decided on, below its name. */
function hunkItems({ path, newPath, op, before, hunks }: ProposalView): HunkItem[] {
  const lines = before.split("\n");
  const items = hunks.filter(isOpen).map(({ id, startLine, endLine }): HunkItem => {
    if (op === "rename" && id === hunks[0]?.id) return { hunk: id, label: `Rename to ${newPath}` };
    const place = startLine === endLine ? `Line ${startLine}` : `Lines ${startLine}–${endLine}`;
    return { hunk: id, label: place, description: lines[startLine - 1]?.trim() ?? "" };
  });
  return items.length > 0 ? [{ label: path, kind: QuickPickItemKind.Separator }, ...items] : [];
}
