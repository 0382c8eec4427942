// Opens citations and links of an answer.
import { Range, Uri, window } from "vscode";
import { messageOf } from "./errors";
import type { Citation } from "./protocol";

export async function openCitation({ uri, range }: Citation): Promise<void> {
  const { start, end } = range;
  await open(Uri.parse(uri, true), new Range(start.line, start.character, end.line, end.character));
}

/** Opens a link to a file. Its fragment may name 1-based lines, as in #L10 or #L10-L20. */
export async function openLink(href: string): Promise<void> {
  const uri = Uri.parse(href, true);
  const [, first, last] = /^L(\d+)(?:-L?(\d+))?$/.exec(uri.fragment) ?? [];
  const line = Number(first ?? 1) - 1;
  await open(uri.with({ fragment: "" }), new Range(line, 0, last ? Number(last) : line, 0));
}

async function open(uri: Uri, selection: Range): Promise<void> {
  try {
    await window.showTextDocument(uri, { selection, preview: true });
  } catch (error) {
    void window.showErrorMessage(`Could not open ${uri.fsPath}: ${messageOf(error)}`);
  }
}

/** Inserts a text at the cursor of the active editor, in place of what is selected there. */
export async function insertAtCursor(text: string): Promise<void> {
  const editor = window.activeTextEditor;
  if (!editor) return void window.showInformationMessage("Open a file and put the cursor where the code belongs.");
  await editor.edit((edit) => edit.replace(editor.selection, text));
}
