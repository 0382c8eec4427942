// What a hunk does, in words.
import { minus, plus } from "./lineCount";
import type { Waiting } from "./review";

/** Returns such as "+3 −1", in lines; "" if no line changes. */
export function sizeOf(hunks: Pick<Waiting, "hunk">[]): string {
  const changed = hunks.map(({ hunk }) => changedLines(linesOf(hunk.oldText), linesOf(hunk.newText)));
  const sum = (of: (lines: { added: number; removed: number }) => number) => changed.reduce((all, lines) => all + of(lines), 0);
  return [plus(sum(({ added }) => added)), minus(sum(({ removed }) => removed))].filter(Boolean).join(" ");
}

/** Counts the lines of two texts without those that both begin and end with. */
function changedLines(before: string[], after: string[]): { added: number; removed: number } {
  const shorter = Math.min(before.length, after.length);
  let first = 0;
  while (first < shorter && before[first] === after[first]) first++;
  let last = 0;
  while (last < shorter - first && before.at(-1 - last) === after.at(-1 - last)) last++;
  return { added: after.length - first - last, removed: before.length - first - last };
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
  if (text === "") return [];
  return text.replace(/\r?\n$/, "").split(/\r?\n/).map((line) => sign + line);
}

function linesOf(text: string): string[] {
  return prefixed("", text);
}

/** Returns why a hunk does not fit, or undefined if it does. */
export function conflictOf({ file, hunk }: Waiting): string | undefined {
  if (!hunk.conflict) return undefined;
  return file.reason ?? "These lines have changed since the edit was proposed.";
}
