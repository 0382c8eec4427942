import assert from "node:assert/strict";
import { test } from "node:test";
import { indented } from "../src/indentedCode";

const code = "if ready {\n\tgo()\n\n}\n\n";

test("every line gets the indentation of the cursor, and no empty line is left", () => {
  assert.equal(indented(code, "\t", { insertSpaces: false, tabSize: 4 }), "if ready {\n\t\tgo()\n\n\t}");
});

test("tabs become spaces where the file has spaces", () => {
  assert.equal(indented(code, "  ", { insertSpaces: true, tabSize: 2 }), "if ready {\n    go()\n\n  }");
});
