// Draws Markdown as DOM nodes. An answer is untrusted: none of it is parsed as HTML,
// tags come from a closed list, and images are shown as their alternative text.
import MarkdownIt, { type Token } from "markdown-it";
import { element } from "./dom";

const markdown = new MarkdownIt({ html: false, linkify: false });
markdown.validateLink = (href) => /^(https?|file|ploke-proposal):/i.test(href);

const TAGS = new Set([
  "p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "hr", "br",
  "em", "strong", "s", "a", "table", "thead", "tbody", "tr", "th", "td",
]);

export function draw(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  drawTokens(markdown.parse(text, {}), fragment);
  return fragment;
}

function drawTokens(tokens: Token[], root: Node): void {
  const open = [root];
  for (const token of tokens) {
    const parent = open.at(-1) ?? root;
    if (token.hidden) continue;
    if (token.nesting === -1) open.pop();
    else if (token.nesting === 1) open.push(parent.appendChild(container(token)));
    else if (token.type === "inline") drawTokens(token.children ?? [], parent);
    else parent.appendChild(leaf(token));
  }
}

function container(token: Token): Node {
  if (!TAGS.has(token.tag)) return document.createElement("span");
  const made = document.createElement(token.tag);
  if (made instanceof HTMLAnchorElement) made.href = made.title = String(token.attrGet("href") ?? "");
  if (made instanceof HTMLOListElement) made.start = Number(token.attrGet("start") ?? 1);
  return made;
}

function leaf(token: Token): Node {
  switch (token.type) {
    case "fence":
    case "code_block":
      return element("pre", "", element("code", "", token.content));
    case "code_inline":
      return element("code", "", token.content);
    case "softbreak":
      return document.createTextNode("\n");
    case "hardbreak":
      return element("br", "");
    case "hr":
      return element("hr", "");
    default:
      return document.createTextNode(token.content);
  }
}
