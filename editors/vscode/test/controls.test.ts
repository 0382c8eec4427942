import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutControls } from "../src/controls";

test("what a terminal shows has no control sequences", () => {
  const cases: [string, string][] = [
    ["plain\r\ntext\r\n", "plain\ntext\n"],
    ["\x1b[31mFAIL\x1b[0m x", "FAIL x"],
    ["\x1b]633;C\x07ok\x1b]0;title\x1b\\", "ok"],
    ["10%\r100%\r\ndone", "100%\ndone"],
    ["a\x08b\x00", "ab"],
    ["tab\tstays ü 😀", "tab\tstays ü 😀"],
  ];
  for (const [given, wanted] of cases) assert.equal(withoutControls(given), wanted);
});
