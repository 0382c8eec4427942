// However a text arrives, its drawing ends the same, and what has ended stays.
import "./dom";
import assert from "node:assert/strict";
import { test } from "node:test";
import { GrowingMarkdown } from "../media/growingMarkdown";
import { drawNodes } from "../media/markdown";

/** Lines that begin, continue, interrupt or end blocks, and the characters of which such lines are made. */
const lines = [
  "", "", "", "A *line* of `code`", "text [with][ref] and [ref]", "# Heading", "===", "---", "***", "**bold** text", "- item", "- [ ] open task",
  "- [x] done", "  nested", "  - deeper", "1. first", "2. second", "3) other", "+ plus", "> quote", ">", "lazy", "```go", "```", "~~~",
  "    indented", "\ttab", "a | b", "--- | :-:", "c | d", "[ref]: https://example.com", "[ref]:", "https://example.com/late", "\"title",
  "ends\"", "[link](https://example.com)", "![image](https://example.com/x.png)", "<b>raw</b>", "&amp; \\* end\\", "-", "#", "1.", "[", "* * *",
  "[^1]: a note", "[^1]: https://example.com", "a note[^1]", "$$", "$$ x $$", "\\[", "\\]", "$x$", "&lt;kbd>K&lt;/kbd>", "\\![alt](https://example.com/x.png)",
];
const ends = ["\n", "\n", "\n", "\n\n", "\r\n", "\r", "", " "];

/** A generator of pseudo-random integers below a bound: mulberry32. */
function randomly(seed: number): (bound: number) => number {
  return (bound) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let x = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) % bound;
  };
}

function someText(below: (bound: number) => number): string {
  return Array.from({ length: 1 + below(14) }, () => `${lines[below(lines.length)]}${ends[below(ends.length)]}`).join("");
}

function shown(nodes: Iterable<Node>): string {
  return [...nodes].map((node) => {
    if (node instanceof Text) return JSON.stringify(node.data);
    const { tagName, attributes, childNodes } = node as Element;
    return `<${tagName}${[...attributes].map(({ name, value }) => ` ${name}=${value}`).join("")}>${shown(childNodes)}</>`;
  }).join("");
}

/** The blocks of a drawn text. */
function blocksOf(root: Node): Node[] {
  return [...root.childNodes].flatMap((section) => [...section.childNodes]);
}

test("a text that arrives in any pieces is drawn as when it arrives whole", () => {
  for (let seed = 0; seed < 4_000; seed++) {
    const below = randomly(seed);
    const text = someText(below);
    const root = document.createElement("div");
    const growing = new GrowingMarkdown(root, () => {});
    for (let at = 0; at < text.length;) {
      const piece = text.slice(at, at + 1 + below(12));
      at += piece.length;
      growing.append(piece);
      if (below(3) > 0) growing.draw();
    }
    growing.finish();
    assert.equal(shown(blocksOf(root)), shown(drawNodes(text, {})), `seed ${seed}: ${JSON.stringify(text)}`);
  }
});

test("a long text that arrives in any pieces is drawn in sections of the same length", () => {
  let longest = 0;
  for (let seed = 0; seed < 40; seed++) {
    const below = randomly(seed);
    const text = Array.from({ length: 40 }, () => someText(below)).join("\n\n");
    const root = document.createElement("div");
    const growing = new GrowingMarkdown(root, () => {});
    for (let at = 0; at < text.length; growing.draw()) {
      const piece = text.slice(at, at + 1 + below(120));
      at += piece.length;
      growing.append(piece);
    }
    growing.finish();
    assert.equal(shown(blocksOf(root)), shown(drawNodes(text, {})), `seed ${seed}`);
    const lengths = [...root.childNodes].map(({ childNodes }) => childNodes.length);
    assert.ok(lengths.slice(0, -1).every((length) => length === 30) && (lengths.at(-1) ?? 0) <= 30, lengths.join());
    longest = Math.max(longest, lengths.length);
  }
  assert.ok(longest > 2, "no text was long");
});

test("each block is reported once when it has ended, and keeps its node", () => {
  const root = document.createElement("div");
  const ended: Node[] = [];
  const growing = new GrowingMarkdown(root, (nodes) => ended.push(...nodes));
  const text = "One.\n\n- two\n- three\n\n```\nfour\n```\n\nfive\n\n# Six\n\nlast";
  const counts = [...text].map((character) => {
    growing.append(character);
    growing.draw();
    assert.deepEqual(blocksOf(root).slice(0, ended.length), ended, "a block that has ended was drawn again");
    return ended.length;
  });
  growing.finish();
  assert.equal(ended.length, 6);
  assert.equal(counts.at(-1), 4, "the last line may still go on");
});

test("the nodes of an unfinished block stay while it grows", () => {
  const root = document.createElement("div");
  const growing = new GrowingMarkdown(root, () => {});
  growing.append("- one\n- tw");
  growing.draw();
  const item = blocksOf(root)[0]?.childNodes[0];
  growing.append("o\n- three");
  growing.draw();
  assert.equal(blocksOf(root)[0]?.childNodes[0], item);
});

test("the title of a definition may be on the lines after it", () => {
  const root = document.createElement("div");
  const growing = new GrowingMarkdown(root, () => {});
  const text = "See [here].\n\n[here]: https://example.com\n'A\ntitle'\n\nEnd";
  for (const character of text) {
    growing.append(character);
    growing.draw();
  }
  growing.finish();
  assert.equal(shown(blocksOf(root)), shown(drawNodes(text, {})));
});

test("a definition that comes late makes a link of what refers to it", () => {
  const root = document.createElement("div");
  const growing = new GrowingMarkdown(root, () => {});
  growing.append("See [here].\n\nMore.\n\n");
  growing.draw();
  growing.append("[here]: https://example.com\n");
  growing.finish();
  assert.match(shown(blocksOf(root)), /<A href=https:\/\/example\.com/);
});
