// Opens citations and links of an answer, finds the files that it names, and inserts its code.
import { FileType, Range, Uri, window, workspace } from "vscode";
import { messageOf } from "./errors";
import { indented } from "./indentedCode";
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

/** Returns the URIs of the files at these paths in the workspace; empty if there is none. */
export async function findPlaces(paths: string[]): Promise<Record<string, string>> {
  return Object.fromEntries(await Promise.all(paths.map(async (path) => [path, (await findFile(path))?.toString() ?? ""])));
}

/** Finds a file by its path: relative to a workspace folder, after the name of the folder, or absolute in the workspace. */
async function findFile(path: string): Promise<Uri | undefined> {
  for (const { uri, name } of workspace.workspaceFolders ?? []) {
    const relative = path.startsWith(`${name}/`) ? [path, path.slice(name.length + 1)] : [path];
    const absolute = path.startsWith(`${uri.path}/`) ? [uri.with({ path })] : [];
    for (const file of [...absolute, ...relative.map((under) => Uri.joinPath(uri, under))]) if (await isFile(file, uri)) return file;
  }
  return undefined;
}

async function isFile(file: Uri, folder: Uri): Promise<boolean> {
  if (!file.path.startsWith(`${folder.path}/`)) return false; // a path with ".."
  try {
    return ((await workspace.fs.stat(file)).type & FileType.File) !== 0;
  } catch {
    return false; // there is nothing
  }
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

async function open(uri: Uri, selection: Range): Promise<void> {
  try {
    await window.showTextDocument(uri, { selection, preview: true });
  } catch (error) {
    void window.showErrorMessage(`Could not open ${uri.fsPath}: ${messageOf(error)}`);
  }
}
