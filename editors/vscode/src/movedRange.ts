// Moves ranges with a text that is edited.
import { Position, Range } from "vscode";

/** A replacement of a range of a text. */
export interface Replacement {
  range: Range;
  text: string;
}

/** Returns where a range is after a replacement. Text that is typed at one of its ends does not become part of it. */
export function moved(range: Range, { range: replaced, text }: Replacement): Range {
  const end = endOf(replaced.start, text);
  const shift = (at: Position) =>
    at.translate(end.line - replaced.end.line, at.line === replaced.end.line ? end.character - replaced.end.character : 0);
  const start = range.start.isBefore(replaced.start) ? range.start : within(replaced, range.start) ? replaced.start : shift(range.start);
  if (range.isEmpty) return new Range(start, start);
  if (range.end.isBeforeOrEqual(replaced.start)) return new Range(start, range.end);
  return new Range(start, within(replaced, range.end) ? end : shift(range.end));
}

function within(replaced: Range, at: Position): boolean {
  return at.isAfterOrEqual(replaced.start) && at.isBefore(replaced.end);
}

/** Returns where a text ends that begins at start. */
export function endOf(start: Position, text: string): Position {
  const lines = text.split("\n");
  const last = lines.at(-1)?.length ?? 0;
  return new Position(start.line + lines.length - 1, lines.length > 1 ? last : start.character + last);
}

/** Returns the ranges that the new texts of edits have once all are made. The edits are of the same text and in its order. */
export function rangesAfter(edits: readonly Replacement[]): Range[] {
  const after: Range[] = [];
  for (const edit of edits.toReversed()) {
    for (const [index, range] of after.entries()) after[index] = moved(range, edit);
    after.unshift(new Range(edit.range.start, endOf(edit.range.start, edit.text)));
  }
  return after;
}
