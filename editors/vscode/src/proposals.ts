// Proposed edits: look at one as a diff, accept it, reject it. The server keeps
// them and, once one is accepted, asks the editor to apply it.
import { type CancellationToken, type TextDocumentContentProvider, Uri, commands, window } from "vscode";
import type { Chat } from "./chat";
import type { Client } from "./client";
import { proposalAccept, proposalGet, proposalList, proposalRedo, proposalReject, proposalUndo } from "./requests";

export const proposalScheme = "ploke-proposal";

/** What a proposal is once its edit is in the files. */
const done = ["accepted", "applied", "verified"];

type Side = "before" | "after";

/** Names a proposal: its id, the document of a diff that shows it, or nothing to be asked which. */
export type Named = string | Uri | undefined;

export class Proposals implements TextDocumentContentProvider {
  constructor(
    private readonly client: Client,
    private readonly chat: Chat,
  ) {}

  async show(named: Named): Promise<void> {
    const id = await this.identify(named, ["staged"]);
    if (!id) return;
    const { proposal, files } = await this.client.request(proposalGet, { id });
    const [first, ...others] = files.map(({ uri }) => ({
      file: Uri.parse(uri),
      before: sideOf(id, uri, "before"),
      after: sideOf(id, uri, "after"),
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
    const status = await this.decide(proposalAccept, named, ["staged"]);
    if (status && !done.includes(status)) {
      void window.showWarningMessage(`The proposal was not applied: it is ${status}.`);
    }
  }

  async reject(named: Named): Promise<void> {
    await this.decide(proposalReject, named, ["staged"]);
  }

  /** Takes an applied proposal back; what was typed since stays. */
  async undo(named: Named): Promise<void> {
    await this.decide(proposalUndo, named, done);
  }

  async redo(named: Named): Promise<void> {
    await this.decide(proposalRedo, named, ["undone"]);
  }

  /** Has the server do something with a proposal; among is what it may be where nothing names one. */
  private async decide(request: typeof proposalAccept, named: Named, among: string[]): Promise<string | undefined> {
    const id = await this.identify(named, among);
    if (!id) return undefined;
    const { status } = await this.client.request(request, { id });
    this.chat.decided(id, status);
    return status;
  }

  /** The text of one side of a diff; asked of the server, so that a diff outlives a reload of the window. */
  async provideTextDocumentContent(document: Uri, token: CancellationToken): Promise<string> {
    const { id, uri, side } = JSON.parse(document.query) as { id: string; uri: string; side: Side };
    const { files } = await this.client.request(proposalGet, { id }, token);
    const file = files.find((candidate) => candidate.uri === uri);
    if (!file) throw new Error(`the proposal has no file ${uri}`);
    return file[side];
  }

  private async identify(named: Named, among: string[]): Promise<string | undefined> {
    if (named instanceof Uri) return (JSON.parse(named.query) as { id: string }).id;
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

/** The document that shows one side of a proposed file; it has the file's path, and so its language. */
function sideOf(id: string, uri: string, side: Side): Uri {
  return Uri.from({ scheme: proposalScheme, path: Uri.parse(uri).path, query: JSON.stringify({ id, uri, side }) });
}
