// Draws Markdown as DOM nodes. An answer is untrusted: none of it is parsed as HTML,
// tags come from a closed list, and images are links.
import MarkdownIt, { type Token } from "markdown-it";
import { codeBlock } from "./codeBlock";
import { element, scrolling } from "./dom";
import { addRules } from "./markdownRules";

/** The link definitions of a text, by their labels. */
export type References = Record<string, { title: string; href: string }>;

const markdown = parser();
/** Finds the blocks, without what is in them. */
const outline = parser();
outline.core.ruler.enableOnly(["normalize", "block"]);

const TAGS = new Set([
  "p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "hr", "br",
  "em", "strong", "s", "a", "table", "thead", "tbody", "tr", "th", "td",
]);

function parser() {
  const made = new MarkdownIt({ html: false, linkify: false });
  addRules(made);
  made.validateLink = (href) => /^(https?|file|ploke-proposal):/i.test(href);
  return made;
}

/** Draws a text: one node for each of its top-level blocks. Adds its link definitions to the known ones. */
export function drawNodes(text: string, references: References): Node[] {
  const root = document.createElement("div");
  drawTokens(markdown.parse(text, { references }), root);
  return [...root.childNodes];
}

/**
 * Returns the offsets at which the top-level blocks of a text end, with their line breaks. Link definitions are
 * no blocks: the line after one may become its title.
 */
export function blockEnds(text: string): number[] {
  const lines = lineEnds(text);
  const blocks = outline.parse(text, {}).filter(({ level, nesting, hidden }) => level === 0 && nesting >= 0 && !hidden);
  return blocks.map(({ map }) => lines[(map?.[1] ?? 0) - 1] ?? 0);
}

function lineEnds(text: string): number[] {
  return [...text.matchAll(/\r\n?|\n/g)].map((end) => end.index + end[0].length);
}

function drawTokens(tokens: Token[], root: Node): void {
  const open = [root];
  for (const token of tokens) {
    const parent = open.at(-1) ?? root;
    if (token.hidden) continue;
    if (token.nesting === -1) open.pop();
    else if (token.nesting === 1) open.push(container(token, parent));
    else if (token.type === "inline") drawInline(token.children ?? [], parent);
    else parent.appendChild(leaf(token));
  }
}

/** Draws the text of a block. In a list, "[ ]" and "[x]" at its beginning are check boxes. */
function drawInline(tokens: Token[], parent: Node): void {
  const [first] = tokens;
  const task = first?.type === "text" && isItemBegin(parent) ? /^\[([ xX])\] /.exec(first.content) : null;
  if (first && task) {
    parent.appendChild(checkBox(task[1] !== " "));
    first.content = first.content.slice(task[0].length);
  }
  drawTokens(tokens, parent);
}

function isItemBegin(parent: Node): boolean {
  const item = parent.nodeName === "P" && parent.parentNode?.firstChild === parent ? parent.parentNode : parent;
  return item?.nodeName === "LI" && !parent.hasChildNodes();
}

function checkBox(checked: boolean): HTMLElement {
  const box = element("span", checked ? "task checked" : "task");
  box.setAttribute("role", "img");
  box.setAttribute("aria-label", checked ? "done" : "to do");
  return box;
}

function container(token: Token, parent: Node): Node {
  if (!TAGS.has(token.tag)) return parent.appendChild(element("span", ""));
  const made = document.createElement(token.tag);
  const attribute = (name: string) => String(token.attrGet(name) ?? "");
  if (token.tag === "a") {
    made.setAttribute("href", attribute("href"));
    made.title = attribute("title") || attribute("href");
  }
  if (token.tag === "ol") made.setAttribute("start", attribute("start") || "1");
  const align = /^text-align:(center|right)$/.exec(attribute("style"));
  if (align?.[1]) made.className = align[1];
  if (token.meta?.footnote) {
    made.className = "footnote";
    made.append(element("sup", "", String(token.meta.footnote)), " ");
  }
  parent.appendChild(token.tag === "table" ? scrolling(element("div", "table", made)) : made);
  return made;
}

function leaf(token: Token): Node {
  switch (token.type) {
    case "fence":
    case "code_block":
      if (/^(math|latex|tex)\s*$/.test(token.info)) return element("div", "math display", token.content.trim());
      return codeBlock(token.content, /^[\w+#.-]*/.exec(token.info.trim())?.[0] ?? "");
    case "code_inline":
      return element("code", "", token.content);
    case "kbd":
      return element("kbd", "", token.content);
    case "footnote":
      return element("sup", "", token.content);
    case "math":
      return element("span", "math", token.content);
    case "math_block":
      return element("div", "math display", token.content);
    case "image":
      return image(token);
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

/** An image is not loaded, since that would tell its server who reads the answer. */
function image(token: Token): Node {
  const src = String(token.attrGet("src") ?? "");
  const made = element("a", "image", token.content || src);
  made.setAttribute("href", src);
  made.title = src;
  return made;
}
