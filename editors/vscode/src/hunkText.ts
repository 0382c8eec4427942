// What a hunk does, in words.
import { minus, plus } from "./lineCount";
import type { Waiting } from "./review";

/** Returns such as "+3 −1", in lines; "" if no line changes. */
export function sizeOf({ hunk }: Pick<Waiting, "hunk">): string {
  return [plus(linesIn(hunk.newText)), minus(linesIn(hunk.oldText))].filter(Boolean).join(" ");
}

/** Returns the hunk as the lines of a unified diff. */
export function diffOf({ hunk }: Waiting): string {
  return [...prefixed("-", hunk.oldText), ...prefixed("+", hunk.newText)].join("\n");
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
