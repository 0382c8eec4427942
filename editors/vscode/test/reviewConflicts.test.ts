import assert from "node:assert/strict";
import { test } from "node:test";
import { changedConflicts, conflictsOf } from "../src/reviewConflicts";

const waits = (id: string, ...hunks: [id: string, oldText: string, conflict?: boolean][]) =>
  hunks.map(([hunk, oldText, conflict = false]) => ({ proposal: { id }, hunk: { id: hunk, oldText, conflict } }));

test("conflicts that come, go or meet another text are told", () => {
  const fits = waits("p", ["1", "a"], ["2", "b"]);
  const unfit = waits("p", ["1", "a", true], ["2", "b"]);
  const typed = waits("p", ["1", "a!", true], ["2", "b"]);
  for (const [before, now, told] of [
    [fits, fits, []], [fits, unfit, ["p"]], [unfit, unfit, []], [unfit, typed, ["p"]], [unfit, fits, ["p"]], [unfit, waits("p", ["2", "b"]), ["p"]],
  ] as const) {
    assert.deepEqual(changedConflicts(conflictsOf(before), conflictsOf(now), now), told);
  }
});

test("a proposal that conflicts when it is first seen is told", () => {
  const now = [...waits("old", ["1", "a"]), ...waits("new", ["1", "a", true]), ...waits("fits", ["1", "a"])];
  assert.deepEqual(changedConflicts(conflictsOf(waits("old", ["1", "a"])), conflictsOf(now), now), ["new"]);
});

test("a proposal of which nothing waits any more is not told", () => {
  assert.deepEqual(changedConflicts(conflictsOf(waits("p", ["1", "a", true])), conflictsOf([]), []), []);
});
