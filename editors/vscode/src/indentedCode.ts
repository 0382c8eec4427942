// The code of an answer as it is inserted in a file.
import type { TextEditorOptions } from "vscode";

/** Returns code with the indentation of the cursor on every line but the first, in tabs or spaces as the file has them. */
export function indented(text: string, indentation: string, { insertSpaces, tabSize }: TextEditorOptions): string {
  const tab = insertSpaces ? " ".repeat(Number(tabSize)) : "\t";
  const lines = text.trimEnd().split("\n").map((line) => line.replace(/^\t+/, (tabs) => tab.repeat(tabs.length)));
  return lines.map((line, at) => (at === 0 || !line ? line : indentation + line)).join("\n");
}
