// Colours blocks of code, one at a time when the page is idle. Classes name the kinds
// of tokens; a style sheet gives them the colours of the theme.
import dockerfile from "highlight.js/lib/languages/dockerfile";
import elixir from "highlight.js/lib/languages/elixir";
import ocaml from "highlight.js/lib/languages/ocaml";
import powershell from "highlight.js/lib/languages/powershell";
import protobuf from "highlight.js/lib/languages/protobuf";
import scala from "highlight.js/lib/languages/scala";
import { common, createLowlight } from "lowlight";

type Highlighter = ReturnType<typeof createLowlight>;
type Colored = ReturnType<Highlighter["highlight"]>["children"][number];

/** In UTF-16 code units. Longer code stays plain, since it can't be coloured within a frame. */
const longest = 20_000;

let highlighter: Highlighter | undefined;
const waiting: Element[] = [];

/** Colours a block of code soon. */
export function highlight(block: Element): void {
  waiting.push(block);
  if (waiting.length === 1) requestIdleCallback(next);
}

function next(): void {
  const block = waiting.shift();
  if (block?.isConnected) colorBlock(block);
  if (waiting.length > 0) requestIdleCallback(next);
}

function colorBlock(block: Element): void {
  const code = block.querySelector("code");
  const language = block.querySelector(".language")?.textContent ?? "";
  const text = code?.textContent ?? "";
  if (!code || code.childElementCount > 0 || text.length > longest) return;
  if (isSelected(code)) return document.addEventListener("selectionchange", () => highlight(block), { once: true });
  highlighter ??= create();
  if (highlighter.registered(language)) code.replaceChildren(...highlighter.highlight(language, text, { prefix: "" }).children.map(colored));
}

function create(): Highlighter {
  const made = createLowlight({ ...common, dockerfile, elixir, ocaml, powershell, protobuf, scala });
  made.registerAlias({ xml: ["vue", "svelte"], ocaml: "ocaml-interface", ini: "hcl" });
  return made;
}

/** Whether a part of the code is selected. Colouring it would lose the selection. */
function isSelected(code: Element): boolean {
  const selection = document.getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(code, true);
}

function colored(node: Colored): Node {
  if (node.type !== "element") return document.createTextNode(node.type === "text" ? node.value : "");
  const made = document.createElement("span");
  made.className = (node.properties["className"] as string[]).map((name) => `code-${name}`).join(" ");
  made.append(...node.children.map(colored));
  return made;
}
