// Opens citations and links of an answer, and takes its code into editors.
import { Range, Uri, commands, languages, window, workspace } from "vscode";
import type { Client } from "./client";
import { messageOf } from "./errors";
import { indented } from "./indentedCode";
import { unlinked } from "./notification";
import { isNotebook, openCell } from "./notebooks";
import type { Citation } from "./protocol";

export async function openCitation(client: Client, { uri, range }: Citation): Promise<void> {
  const { start, end } = range;
  await open(client, Uri.parse(uri, true), new Range(start.line, start.character, end.line, end.character));
}

/** Opens a link to a file. Its fragment may name 1-based lines, as in #L10 or #L10-L20. */
export async function openLink(client: Client, href: string): Promise<void> {
  const uri = Uri.parse(href, true);
  const [, first, last] = /^L(\d+)(?:-L?(\d+))?$/.exec(uri.fragment) ?? [];
  const line = Number(first ?? 1) - 1;
  await open(client, uri.with({ fragment: "" }), new Range(line, 0, last ? Number(last) : line, 0));
}

/** Opens code in a new document, in its language if VS Code knows that. */
export async function openNew(content: string, language: string): Promise<void> {
  const known = (await languages.getLanguages()).includes(language);
  await window.showTextDocument(await workspace.openTextDocument({ content, ...(known && { language }) }));
}

/** Shows a Mermaid diagram in the preview of Markdown, which draws it in a VS Code, or with an extension, that can. */
export async function openDiagram(text: string): Promise<void> {
  const document = await workspace.openTextDocument({ language: "markdown", content: fenced(text, "mermaid") });
  await commands.executeCommand("markdown.showPreview", document.uri);
}

/** Returns code as a block of Markdown. */
export function fenced(code: string, language: string): string {
  const fence = "`".repeat(Math.max(3, ...[...code.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length + 1)));
  return `${fence}${language === "text" ? "" : language}\n${code.replace(/\n?$/, "\n")}${fence}\n`;
}

/** Puts code in the place of the selection of the active editor. */
export async function insertCode(text: string): Promise<void> {
  const editor = window.activeTextEditor;
  if (!editor) throw new Error("no editor is open; open the file to insert the code in");
  const { start } = editor.selection;
  const before = editor.document.lineAt(start.line).text.slice(0, start.character);
  await editor.edit((builder) => builder.replace(editor.selection, indented(text, /^\s*/.exec(before)?.[0] ?? "", editor.options)));
  await window.showTextDocument(editor.document, editor.viewColumn);
}

async function open(client: Client, uri: Uri, selection: Range): Promise<void> {
  try {
    if (isNotebook(uri)) await openCell(client, uri, selection.start.line);
    else await window.showTextDocument(uri, { selection, preview: true });
  } catch (error) {
    void window.showErrorMessage(unlinked(`Could not open ${uri.fsPath}: ${messageOf(error)}`));
  }
}
