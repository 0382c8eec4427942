// Keys, footnotes, pictures and formulas, and what only looks like them.
import "./dom";
import assert from "node:assert/strict";
import { test } from "node:test";
import { drawNodes } from "../media/markdown";

function shown(nodes: Iterable<Node>): string {
  return [...nodes].map((node) => {
    if (node instanceof Text) return node.data;
    const { tagName, childNodes } = node as Element;
    const name = (node as Element).getAttribute("class");
    return `<${tagName.toLowerCase()}${name ? `.${name.replaceAll(" ", ".")}` : ""}>${shown(childNodes)}</>`;
  }).join("");
}

const drawings: [text: string, drawing: string][] = [
  ["<kbd>Ctrl</kbd>+&lt;kbd>S&lt;/kbd>", "<p><kbd>Ctrl</>+<kbd>S</></>"],
  ["<kbd><b>x</b></kbd>", "<p><kbd><b>x</b></kbd></>"],
  ["a[^1] b", "<p>a<sup>1</> b</>"],
  ["[^1]: https://example.com", "<p.footnote><sup>1</> https://example.com</>"],
  ["[^a]: one\n[^b]: two", "<p.footnote><sup>a</> one</><p.footnote><sup>b</> two</>"],
  ["[^a]: one\nand more", "<p.footnote><sup>a</> one\nand more</>"],
  ["\\![alt](https://example.com/x.png)", "<p><a.image>alt</></>"],
  ["![](https://example.com/x.png)", "<p><a.image>https://example.com/x.png</></>"],
  ["![x](file:///etc/passwd)", "<p><a.image>x</></>"],
  ["$a_1$ and \\(b\\)", "<p><span.math>a_1</> and <span.math>b</></>"],
  ["costs $5 or $10, $HOME/$USER and US$3 to $4", "<p>costs $5 or $10, $HOME/$USER and US$3 to $4</>"],
  ["$$\na\nb\n$$", "<div.math.display>a\nb</>"],
  ["\\[\nx\n\\]", "<div.math.display>x</>"],
  ["$$\nnever closed\n\nafter", "<div.math.display>$$\nnever closed</><p>after</>"],
  ["$$ x + 1 $$", "<p><div.math.display>x + 1</></>"],
  ["`$a$` and\n\n    $b$", "<p><code>$a$</> and</><figure.code><figcaption><span.language>text</>"],
  ["```math\nx^2\n```", "<div.math.display>x^2</>"],
];

for (const [text, drawing] of drawings) {
  test(`draws ${JSON.stringify(text)}`, () => {
    const drawn = shown(drawNodes(text, {}));
    assert.equal(drawn.slice(0, drawing.length), drawing, drawn);
  });
}
