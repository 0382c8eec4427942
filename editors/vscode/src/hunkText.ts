// What a hunk does, in words.
import { minus, plus } from "./lineCount";
import type { Waiting } from "./review";

/** Returns such as "+3 −1", in lines; "" if no line changes. */
export function sizeOf({ hunk }: Pick<Waiting, "hunk">): string {
  return [plus(linesIn(hunk.newText)), minus(linesIn(hunk.oldText))].filter(Boolean).join(" ");
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

function linesIn(text: string): number {
  return prefixed("", text).length;
}

/** Returns why a hunk does not fit, or undefined if it does. */
export function conflictOf({ file, hunk }: Waiting): string | undefined {
  if (!hunk.conflict) return undefined;
  return file.reason ?? "These lines have changed since the edit was proposed.";
}
