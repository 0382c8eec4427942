// What a hunk does, in words.
import { minus, plus } from "./lineCount";
import type { Waiting } from "./review";
import { type ChangedLines, changedLines, linesOf } from "./textChanges";

/** Returns such as "+3 −1", in lines; "" if no line changes. */
export function sizeOf(hunks: Pick<Waiting, "hunk">[]): string {
  const changed = hunks.map(({ hunk }) => changedLines(hunk.oldText, hunk.newText));
  const sum = (of: (lines: ChangedLines) => string[]) => changed.reduce((all, lines) => all + of(lines).length, 0);
  return [plus(sum((lines) => lines.new)), minus(sum((lines) => lines.old))].filter(Boolean).join(" ");
}

/** Returns the hunk as the lines of a unified diff, without the indentation that all of them share. */
export function diffOf({ hunk }: Waiting): string {
  const lines = [...prefixed("-", hunk.oldText), ...prefixed("+", hunk.newText)];
  const shared = sharedIndentation(lines.map((line) => line.slice(1)).filter((text) => text.trim()));
  return lines.map((line) => line.slice(0, 1) + line.slice(1 + shared)).join("\n");
}

/** Returns the length of the white space that all texts begin with. */
function sharedIndentation(texts: string[]): number {
  const [first = "", ...others] = texts.map((text) => /^\s*/.exec(text)?.[0] ?? "");
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length--;
  return length;
}

function prefixed(sign: string, text: string): string[] {
  return linesOf(text).map((line) => sign + line);
}

/** Returns why a hunk does not fit, or undefined if it does. */
export function conflictOf({ file, hunk }: Waiting): string | undefined {
  if (!hunk.conflict) return undefined;
  return file.reason ?? "These lines have changed since the edit was proposed.";
}
