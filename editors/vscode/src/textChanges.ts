// What differs between an old and a new text: which lines, and which parts of them.

/** A part of a line, from its offset `from` up to `to`. */
export interface Span {
  from: number;
  to: number;
}

/** The lines of two texts without those that both begin and end with. */
export interface ChangedLines {
  /** How many lines both begin with. */
  before: number;
  old: string[];
  new: string[];
}

/** Compares two texts line by line. A text ends with its last line, whether that has a line break or not. */
export function changedLines(oldText: string, newText: string): ChangedLines {
  const old = linesOf(oldText);
  const now = linesOf(newText);
  const shorter = Math.min(old.length, now.length);
  let before = 0;
  while (before < shorter && old[before] === now[before]) before++;
  let after = 0;
  while (after < shorter - before && old.at(-1 - after) === now.at(-1 - after)) after++;
  return { before, old: old.slice(before, old.length - after), new: now.slice(before, now.length - after) };
}

/** Returns the lines of a text without their breaks. */
export function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/);
}

/** The parts of lines that are not in the other text, line by line. */
export interface ChangedParts {
  old: Span[][];
  new: Span[][];
}

/** To compare more words than this takes too long while one types. Lines of more are different as a whole. */
const maxSteps = 60_000;
/** Lines with less in common, as a share of the longer one, are different as a whole. */
const alike = 0.4;

/** Pairs the lines that are alike, in their order, and compares these word by word. Other lines are different as a whole. */
export function changedParts(oldLines: readonly string[], newLines: readonly string[]): ChangedParts {
  const parts: ChangedParts = { old: oldLines.map(whole), new: newLines.map(whole) };
  const old = oldLines.map(wordsOf);
  const now = newLines.map(wordsOf);
  if (old.flat().length * now.flat().length > maxSteps) return parts;
  const scores = old.map((a) => now.map((b) => likeness(a, b)));
  const best = table(old.length, now.length, (i, j) => scores[i]?.[j] ?? 0);
  walk(old.length, now.length, best, (i, j) => {
    const [one, other] = [old[i], now[j]];
    if (!one || !other || !scores[i]?.[j]) return;
    const kept = commonWords(one, other);
    parts.old[i] = spansOf(one, new Set(kept.map(([at]) => at)));
    parts.new[j] = spansOf(other, new Set(kept.map(([, at]) => at)));
  });
  return parts;
}

function whole(line: string): Span[] {
  return line === "" ? [] : [{ from: 0, to: line.length }];
}

/** Returns words, runs of blanks, and other characters one by one. */
function wordsOf(line: string): string[] {
  return line.match(/[\p{L}\p{N}_]+|[ \t]+|[^]/gu) ?? [];
}

/** Returns the share of the longer line that both have, without blanks; 0 if they are not alike. */
function likeness(a: string[], b: string[]): number {
  const weight = (words: string[]) => words.reduce((sum, word) => sum + word.trim().length, 0);
  const longer = Math.max(weight(a), weight(b));
  const share = longer === 0 ? 0 : weight(commonWords(a, b).map(([at]) => a[at] ?? "")) / longer;
  return share < alike ? 0 : share;
}

/** Returns the places of the longest sequence of words that both have. */
function commonWords(a: string[], b: string[]): [number, number][] {
  const kept: [number, number][] = [];
  const same = (i: number, j: number) => (a[i] === b[j] ? a[i]?.length ?? 0 : 0);
  walk(a.length, b.length, table(a.length, b.length, same), (i, j) => same(i, j) && kept.push([i, j]));
  return kept;
}

/** Returns the greatest sums of scores of pairs in order, of what is behind each pair of places. */
function table(rows: number, columns: number, score: (i: number, j: number) => number): Float64Array[] {
  const best = Array.from({ length: rows + 1 }, () => new Float64Array(columns + 1));
  const at = (i: number, j: number) => best[i]?.[j] ?? 0;
  for (let i = rows - 1; i >= 0; i--) {
    const row = best[i];
    for (let j = columns - 1; row && j >= 0; j--) row[j] = Math.max(at(i + 1, j), at(i, j + 1), at(i + 1, j + 1) + score(i, j));
  }
  return best;
}

/** Visits the pairs that make the greatest sum. */
function walk(rows: number, columns: number, best: Float64Array[], visit: (i: number, j: number) => void): void {
  const at = (i: number, j: number) => best[i]?.[j] ?? 0;
  for (let i = 0, j = 0; i < rows && j < columns;) {
    if (at(i, j) === at(i + 1, j)) i++;
    else if (at(i, j) === at(i, j + 1)) j++;
    else visit(i++, j++);
  }
}

/** Returns the words that are not kept. Those with only blanks between them are one part. */
function spansOf(words: string[], kept: Set<number>): Span[] {
  const spans: Span[] = [];
  let at = 0;
  let joined = false;
  for (const [index, word] of words.entries()) {
    const to = at + word.length;
    const last = spans.at(-1);
    if (kept.has(index)) joined &&= word.trim() === "";
    else {
      if (last && joined) last.to = to;
      else spans.push({ from: at, to });
      joined = true;
    }
    at = to;
  }
  return spans;
}
