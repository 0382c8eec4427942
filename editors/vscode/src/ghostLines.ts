// Where the new lines of the hunks of a file are shown: at the right of its lines, side by side with what they replace,
// since an editor makes no room between lines without a change of its text.
import { type Span, changedLines, changedParts } from "./textChanges";

/** A hunk at its place in a text. */
export interface PlacedHunk {
  /** The first line of its old text in the text, 0-based. */
  line: number;
  oldText: string;
  newText: string;
}

/** The text that hunks are in. */
export interface Lines {
  count: number;
  at(line: number): string;
}

/** A new line that is shown behind an existing one. */
export interface GhostLine {
  /** The existing line, 0-based. */
  line: number;
  /** How many columns are between the end of the existing line and the new one. */
  gap: number;
  pieces: Piece[];
}

export interface Piece {
  text: string;
  /** Whether it is not in the old text. */
  changed: boolean;
}

/** More lines of one hunk than this are counted. */
const maxLines = 40;
/** So many columns are seen without scrolling in most windows; a single line that ends behind them is shortened. */
const seenColumns = 96;

/** Returns the new lines of hunks, which are in the order of the text. */
export function ghostsOf(hunks: readonly PlacedHunk[], text: Lines, tabSize: number): GhostLine[] {
  let free = 0;
  return hunks.flatMap((hunk, index) => {
    const next = hunks[index + 1];
    const { before, old, new: lines } = changedLines(hunk.oldText, hunk.newText);
    const own = hunk.line + before;
    const end = Math.min(text.count, next ? next.line + changedLines(next.oldText, next.newText).before : text.count);
    const wanted = Math.min(lines.length, maxLines);
    const top = Math.max(free, Math.min(own, end - wanted));
    const room = Math.max(0, Math.min(wanted, end - top));
    free = Math.max(free, top + room, own + old.length);
    return beside(Array.from({ length: room }, (_, index) => text.at(top + index)), shown(lines, old, room, tabSize), tabSize).map((ghost) => ({ ...ghost, line: top + ghost.line }));
  });
}

/** Returns the new lines as pieces; the last one counts those for which there is no room. */
function shown(lines: string[], old: string[], room: number, tabSize: number): Piece[][] {
  const columns = (all: string[]) => all.map((line) => expanded(line, tabSize));
  const now = columns(lines);
  const spans = changedParts(columns(old), now).new;
  const indentation = sharedIndentation(now);
  const pieces = now.map((line, index) => withoutStart(piecesOf(line, spans[index] ?? []), indentation));
  const left = lines.length - room + 1;
  return left > 1 && room > 0 ? [...pieces.slice(0, room - 1), [{ text: `… ${left} more lines`, changed: false }]] : pieces.slice(0, room);
}

/** Puts new lines behind existing ones, in a column of its own. */
function beside(existing: string[], lines: Piece[][], tabSize: number): GhostLine[] {
  const lengths = existing.map((line) => expanded(line, tabSize).length);
  const column = Math.max(0, ...lengths) + 4;
  const fitting = lines.map((line) => (lines.length === 1 && column + lengthOf(line) > seenColumns ? shortened(line) : line));
  const width = Math.max(0, ...fitting.map(lengthOf));
  return fitting.map((line, index) => ({ line: index, gap: column - (lengths[index] ?? 0), pieces: padded(line, width) }));
}

function piecesOf(line: string, spans: readonly Span[]): Piece[] {
  const ends = [...spans.flatMap(({ from, to }) => [from, to]), line.length];
  return ends.map((end, index) => ({ text: line.slice(ends[index - 1] ?? 0, end), changed: index % 2 === 1 })).filter(({ text }) => text !== "");
}

/** Leaves out what comes before the first change. */
function shortened(line: Piece[]): Piece[] {
  const first = line[0];
  return first && !first.changed && line.length > 1 ? [{ text: "…", changed: false }, ...line.slice(1)] : line;
}

function padded(line: Piece[], width: number): Piece[] {
  return [...line, { text: " ".repeat(width - lengthOf(line)), changed: false }].filter(({ text }) => text !== "");
}

function withoutStart(line: Piece[], count: number): Piece[] {
  let left = count;
  return line.map(({ text, changed }) => {
    const cut = Math.min(left, text.length);
    left -= cut;
    return { text: text.slice(cut), changed };
  }).filter(({ text }) => text !== "");
}

function lengthOf(line: Piece[]): number {
  return line.reduce((sum, { text }) => sum + text.length, 0);
}

function sharedIndentation(lines: string[]): number {
  return Math.min(...lines.filter((line) => line.trim()).map((line) => line.search(/\S/)));
}

function expanded(line: string, tabSize: number): string {
  let columns = "";
  for (const char of line) columns += char === "\t" ? " ".repeat(tabSize - (columns.length % tabSize)) : char;
  return columns;
}
