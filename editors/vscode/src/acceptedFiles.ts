// Saves the files of an accepted edit, as VS Code does after a refactoring. VS Code would save within the edit, where a
// formatter could change the text before the server has seen it: they are saved once the server says what has become of
// the proposal. Files that were not open get no tab.
import { type Disposable, Uri, type Tab, TabInputText, window, workspace } from "vscode";
import type { ApplyWorkspaceEditParams } from "vscode-languageclient/node";
import { inBackground } from "./errors";
import type { ProposalStatus } from "./protocol";

export class AcceptedFiles implements Disposable {
  /** The files of edits that are made, by their names, with whether they had a tab before. */
  private edited = new Map<string, boolean>();

  /** Has an edit of the server applied. */
  async apply<R>(params: ApplyWorkspaceEditParams, next: (params: ApplyWorkspaceEditParams) => R): Promise<Awaited<R>> {
    const { metadata, ...plain } = params;
    const saves = metadata?.isRefactoring && workspace.getConfiguration("files.refactoring").get("autoSave", true);
    const files = (saves ? filesOf(params) : []).map((file) => [file, tabsOf(file).length > 0] as const);
    const result = await next(plain);
    for (const [file, shown] of files) this.edited.set(file, shown || this.edited.get(file) === true);
    return result;
  }

  /** Saves what was edited, once the server has told how a decision has ended. */
  readonly settled = inBackground(async (status: ProposalStatus) => {
    if (status === "staged" || status === "accepted") return;
    const files = this.edited;
    this.edited = new Map();
    for (const [file, shown] of files) {
      const document = workspace.textDocuments.find(({ uri }) => uri.toString() === file);
      if (document?.isDirty) await document.save();
      if (!shown) await window.tabGroups.close(tabsOf(file).filter(({ isDirty }) => !isDirty));
    }
  });

  dispose(): void {
    this.edited.clear();
  }
}

/** Returns the files whose texts an edit changes, by their names after it. */
function filesOf({ edit }: ApplyWorkspaceEditParams): string[] {
  const changed = edit.documentChanges?.flatMap((change) => ("textDocument" in change ? [change.textDocument.uri] : [])) ?? [];
  return [...changed, ...Object.keys(edit.changes ?? {})].map((uri) => Uri.parse(uri).toString());
}

function tabsOf(file: string): Tab[] {
  return window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(({ input }) => input instanceof TabInputText && input.uri.toString() === file);
}
