// Notebooks, which VS Code shows as cells: what file and which cell a document is of, and how a line of the file is shown.
import { type NotebookDocument, NotebookEditorRevealType, NotebookRange, Range, type TextDocument, type Uri, window, workspace } from "vscode";
import type { Client } from "./client";
import { notebookCell } from "./protocol";

/** The cell that a document is, with its number, which counts from 1. */
interface Cell {
  notebook: NotebookDocument;
  number: number;
}

/** Whether VS Code shows the file as cells. */
export function isNotebook({ scheme, path }: Uri): boolean {
  return scheme === "file" && /\.ipynb$/i.test(path);
}

/** Returns the cell of a notebook's file that a document is; undefined if it is none. */
export function cellOf(document: TextDocument): Cell | undefined {
  for (const notebook of workspace.notebookDocuments) {
    const at = notebook.getCells().findIndex((cell) => cell.document === document);
    if (at >= 0 && isNotebook(notebook.uri)) return { notebook, number: at + 1 };
  }
  return undefined;
}

/** Returns the file that a document is, or is a cell of; undefined if it is of no file. */
export function fileOf(document: TextDocument): Uri | undefined {
  return document.uri.scheme === "file" ? document.uri : cellOf(document)?.notebook.uri;
}

/** Shows the cell that a line of a notebook's file is in, with that line selected. Lines count from 0. */
export async function openCell(client: Client, uri: Uri, line: number): Promise<void> {
  const { cell, line: inCell } = await client.request(notebookCell, { uri: uri.toString(), line });
  const notebook = await workspace.openNotebookDocument(uri);
  const range = new NotebookRange(cell, cell + 1);
  const editor = await window.showNotebookDocument(notebook, { selections: [range], preview: true });
  editor.revealRange(range, NotebookEditorRevealType.InCenterIfOutsideViewport);
  const code = window.visibleTextEditors.find(({ document }) => document === notebook.cellAt(cell).document); // prose has none
  code?.revealRange(new Range(inCell, 0, inCell, 0));
}
