// What the user asks about from elsewhere in the workbench: files of the explorer, a
// selection in an editor or in the terminal. It is put into the composer.
import { type TextEditor, Uri, commands, env, window, workspace } from "vscode";
import { type Chip, chipOf, linesOf } from "./chip";
import type { Composer } from "./composer";
import { fileOf } from "./notebooks";
import type { Attachment } from "./protocol";
import { quote } from "./quote";
import { selectionOf } from "./selection";

export class NativePlaces {
  constructor(
    private readonly composer: Composer,
    private readonly focusInput: () => Promise<void>,
  ) {}

  /** Attaches the chosen files and folders; without any, the file of the active editor. */
  async attachFiles(clicked?: Uri, chosen?: Uri[]): Promise<void> {
    const active = window.activeTextEditor && (fileOf(window.activeTextEditor.document) ?? window.activeTextEditor.document.uri);
    const uris = chosen?.length ? chosen : [clicked ?? active].filter((uri) => uri !== undefined);
    if (uris.length === 0) throw new Error("there is no file to attach: open one first");
    this.composer.attach(uris);
    await this.focusInput();
  }

  /** Puts the selection, or the line of the cursor, into the composer. What is in no file is quoted. */
  async askAboutSelection(): Promise<void> {
    const editor = window.activeTextEditor;
    if (!editor) throw new Error("there is no editor to ask about: open a file first");
    const chip = selectionOf(editor);
    if (chip) this.composer.add("", [chip]);
    else if (editor.document.uri.scheme === "file" && workspace.getWorkspaceFolder(editor.document.uri)) this.composer.add("", [lineOf(editor)]);
    else this.composer.add(quoted(editor), []);
    await this.focusInput();
  }

  /** Puts what a code action is about into the composer. */
  async askAbout(attachment: Attachment): Promise<void> {
    this.composer.add("", [chipOf(attachment)]);
    await this.focusInput();
  }

  /** Quotes the selection of the terminal in the composer. */
  async askAboutTerminal(): Promise<void> {
    const text = await terminalSelection();
    if (!text.trim()) throw new Error("nothing is selected in the terminal: select what you want to ask about");
    this.composer.add(`${window.activeTerminal ? `Terminal ${window.activeTerminal.name}` : "Terminal"}:\n${quote(text)}`, []);
    await this.focusInput();
  }
}

function lineOf({ document, selection }: TextEditor): Chip {
  const { line } = selection.active;
  const end = document.lineAt(line).range.end;
  const name = document.uri.path.split("/").at(-1) ?? "";
  return {
    uri: document.uri.toString(), label: `${name}:${linesOf(line, line)}`,
    range: { start: { line, character: 0 }, end: { line, character: end.character } },
  };
}

function quoted({ document, selection }: TextEditor): string {
  const text = document.getText(selection.isEmpty ? undefined : selection);
  if (!text.trim()) throw new Error("there is nothing to ask about: select some text first");
  return `${document.uri.path.split("/").at(-1)}:\n${quote(text, document.languageId)}`;
}

/**
 * Returns what is selected in the active terminal. The stable API has no way to read it, so it is copied, and the text
 * on the clipboard is put back.
 */
async function terminalSelection(): Promise<string> {
  const before = await env.clipboard.readText();
  await env.clipboard.writeText(""); // so that a copy that did not happen shows
  try {
    await commands.executeCommand("workbench.action.terminal.copySelection");
    return await env.clipboard.readText();
  } finally {
    await env.clipboard.writeText(before);
  }
}
