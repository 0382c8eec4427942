// What differs between two texts, and where new lines are shown.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type GhostLine, type PlacedHunk, ghostsOf as ghostsIn } from "../src/ghostLines";
import { changedLines, changedParts } from "../src/textChanges";

/** Returns lines with their changed parts in brackets. */
function marked(lines: string[], spans: { from: number; to: number }[][]): string[] {
  return lines.map((line, index) => (spans[index] ?? []).reduceRight((text, { from, to }) => `${text.slice(0, from)}[${text.slice(from, to)}]${text.slice(to)}`, line));
}

function compare(old: string[], now: string[]): { old: string[]; new: string[] } {
  const parts = changedParts(old, now);
  return { old: marked(old, parts.old), new: marked(now, parts.new) };
}

test("lines that both texts begin and end with are left out", () => {
  assert.deepEqual(changedLines("a\nb\nc\n", "a\nx\ny\nc\n"), { before: 1, old: ["b"], new: ["x", "y"] });
  assert.deepEqual(changedLines("a\n", "a\na\n"), { before: 1, old: [], new: ["a"] });
  assert.deepEqual(changedLines("", "a"), { before: 0, old: [], new: ["a"] });
  assert.deepEqual(changedLines("a\r\nb\r\n", "a\r\n"), { before: 1, old: ["b"], new: [] });
});

test("words that differ are marked, and blanks between them", () => {
  assert.deepEqual(compare(['const polite = "Hello"'], ['const polite = "Good day"']), { old: ['const polite = "[Hello]"'], new: ['const polite = "[Good day]"'] });
  assert.deepEqual(compare(["count += count"], ["total += total"]), { old: ["[count += count]"], new: ["[total += total]"] });
});

test("new lines before one that is kept are marked as a whole", () => {
  const old = ['\treturn polite + n.Given + "!"'];
  const now = ['\tif n.Given == "" {', '\t\treturn polite + "!"', "\t}", '\treturn polite + dear + n.Given + "!"'];
  assert.deepEqual(compare(old, now).new.at(-1), '\treturn polite[ + dear] + n.Given + "!"');
  assert.deepEqual(compare(old, now).new[0], `[${now[0]}]`);
});

test("lines of too many words are different as a whole", () => {
  const line = "a ".repeat(400);
  assert.deepEqual(compare([line], [`${line}b`]).new, [`[${line}b]`]);
});

const ghostsOf = (hunks: PlacedHunk[], text: string[], tabSize: number) => ghostsIn(hunks, { count: text.length, at: (line) => text[line]! }, tabSize);
const texts = (ghosts: GhostLine[]) => ghosts.map(({ line, pieces }) => `${line}: ${pieces.map(({ text }) => text).join("").trimEnd()}`);

test("new lines stand beside what they replace, in one column", () => {
  const text = ["func f() {", "\ta := 1", "\treturn a", "}"];
  const ghosts = ghostsOf([{ line: 1, oldText: "\ta := 1\n", newText: "\ta := 2\n\tb := 3\n" }], text, 4);
  assert.deepEqual(texts(ghosts), ["1: a := 2", "2: b := 3"]);
  assert.deepEqual(ghosts.map(({ line, gap }) => gap + [10, 10, 12, 1][line]!), [16, 16]);
  assert.deepEqual(ghosts.map(({ pieces }) => pieces.reduce((sum, { text }) => sum + text.length, 0)), [6, 6]);
});

test("new lines leave the lines of the next hunk alone, and those for which there is no room are counted", () => {
  const text = ["a", "b", "c", "d", "e"];
  const three = { oldText: "", newText: "x\ny\nz\n" };
  assert.deepEqual(texts(ghostsOf([{ line: 1, ...three }, { line: 3, oldText: "d\n", newText: "D\n" }], text, 4)), ["0: x", "1: y", "2: z", "3: D"]);
  assert.deepEqual(texts(ghostsOf([{ line: 0, ...three }, { line: 2, oldText: "c\n", newText: "C\n" }], text, 4)), ["0: x", "1: … 2 more lines", "2: C"]);
  assert.deepEqual(texts(ghostsOf([{ line: 5, ...three }], text, 4)), ["2: x", "3: y", "4: z"]);
});

test("a line that would end out of sight begins with what changes", () => {
  const long = `${"word ".repeat(15)}end`;
  assert.deepEqual(texts(ghostsOf([{ line: 0, oldText: `${long}\n`, newText: `${long}ing\n` }], [long], 4)), ["0: …ending"]);
});
