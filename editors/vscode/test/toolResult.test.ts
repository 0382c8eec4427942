// What a person reads of the results of tools.
import "./dom";
import assert from "node:assert/strict";
import { test } from "node:test";
import { drawResult } from "../media/toolResult";

function text(result: unknown): string | undefined {
  return drawResult(typeof result === "string" ? result : JSON.stringify(result), ["/home/me/project"])?.map((node) => node.textContent).join("|");
}

test("lines of a file are those of the file", () => {
  const snippet = '<code="/home/me/project/a.go" #4:5>\none\n<two>\n</code>\n';
  assert.equal(text({ file: "/home/me/project/a.go", start_line: 4, end_line: 5, snippet }), "a.go:4-5|goone\n<two>\n");
});

test("hits are shown by file", () => {
  const matches = [{ file: "/home/me/project/a.go", line: 1, text: " x" }, { file: "/else/b.go", line: 2, text: "y" }];
  assert.equal(text({ matches }), "a.goa.go:1 x|/else/b.go/else/b.go:2 y");
  assert.equal(text({ matches: [] }), "Nothing was found.");
});

test("a command shows what it has printed and how it ended", () => {
  assert.equal(text({ output: "red\n", ended: "exit status 3", passed: false }), "red\n|exit status 3");
});

test("nothing is known of other results", () => {
  for (const other of ["{", "[]", "null", "3", {}]) assert.equal(text(other), undefined);
});
