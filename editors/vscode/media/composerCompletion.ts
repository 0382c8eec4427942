// The list above the input that completes @file, @folder, #symbol and /command. The
// server knows what fits; an answer that arrives after the text has changed is dropped.
import type { FromComposer, ToComposer } from "../src/composerMessages";
import type { ChatCompletion } from "../src/protocol";
import type { ComposerInput } from "./composerInput";
import { byId, element } from "./dom";
import { type IconName, icon } from "./icons";

type Completions = Extract<ToComposer, { type: "completions" }>;

/** Whether the text before the cursor may end with a word that the server completes. */
const word = /(?:^|\s)[@#]\S*$|^\s*\/\S*$/;

/** How much of the text before the cursor is looked at. */
const lookedAt = 1000;

export class ComposerCompletion {
  private readonly node = byId("completions");
  private items: ChatCompletion[] = [];
  private replace = 0;
  private selected = 0;
  private request = 0;
  /** The text before the cursor that the list is for. The list stays until the answer for a later text is there. */
  private shownFor: string | undefined;
  /** The text before the cursor that the server was asked about. */
  private asked: string | undefined;
  /** Set if the user has accepted before the list for the newest text was there. */
  private acceptNext: { into: boolean } | undefined;
  /** The text before the cursor for which the user has closed the list. */
  private dismissed: string | undefined;

  constructor(
    private readonly input: ComposerInput,
    private readonly post: (message: FromComposer) => void,
    private readonly accepted: (item: ChatCompletion) => void,
  ) {
    this.node.addEventListener("mousedown", (event) => event.preventDefault()); // the input keeps the focus
    this.node.addEventListener("click", (event) => this.click(event));
    input.node.addEventListener("blur", () => this.close());
    input.node.addEventListener("input", (event) => (event as InputEvent).isComposing || this.update());
    for (const event of ["keyup", "click", "focus", "compositionend"]) input.node.addEventListener(event, () => this.update());
  }

  get open(): boolean {
    return !this.node.hidden;
  }

  show({ request, replace, items }: Completions): void {
    if (request !== this.request || this.input.beforeCursor !== this.asked) return;
    this.items = items;
    this.replace = replace;
    this.shownFor = this.asked;
    this.selected = 0;
    if (this.acceptNext) return this.accept(0, this.acceptNext.into);
    this.node.replaceChildren(...items.map(drawItem));
    this.node.hidden = items.length === 0;
    this.mark();
  }

  close(): void {
    this.request++;
    this.asked = undefined;
    this.acceptNext = undefined;
    this.items = [];
    this.node.hidden = true;
    this.mark();
  }

  /** Handles a key of the open list; returns whether it did. */
  handleKey(event: KeyboardEvent): boolean {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    if (!this.open || shiftKey || ctrlKey || metaKey || altKey) return false;
    const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    if (key in moves) this.move(moves[key] ?? 0);
    else if (key === "Enter") this.accept(this.selected, false);
    else if (key === "Tab") this.accept(this.selected, true);
    else if (key === "Escape") this.dismiss();
    else return false;
    event.preventDefault();
    event.stopPropagation(); // the workbench has keybindings for some of them
    return true;
  }

  /** Asks the server about the word before the cursor. */
  update(): void {
    const before = this.input.beforeCursor;
    if (before === this.asked && before !== undefined) return;
    if (before === undefined || before === this.dismissed || !word.test(before.slice(-lookedAt))) return this.close();
    this.dismissed = undefined;
    this.acceptNext = undefined;
    this.asked = before;
    this.post({ type: "complete", request: ++this.request, text: before.length > lookedAt ? `…${before.slice(-lookedAt)}` : before });
  }

  private dismiss(): void {
    this.dismissed = this.input.beforeCursor;
    this.close();
  }

  private move(by: number): void {
    const count = this.items.length;
    const single = Math.abs(by) === 1;
    this.selected = single ? (this.selected + by + count) % count : Math.min(Math.max(this.selected + by, 0), count - 1);
    this.mark();
  }

  /** Replaces the word. Into is whether a folder's entries are wanted, not the folder itself. */
  private accept(index: number, into: boolean): void {
    if (this.input.beforeCursor === this.asked && this.asked !== this.shownFor) {
      this.acceptNext = { into };
      return;
    }
    const item = this.items[index];
    if (!item || this.input.beforeCursor !== this.shownFor) return this.close();
    const { replace } = this;
    if (item.action) {
      this.close();
      this.input.replaceBefore(replace, "");
      return this.accepted(item);
    }
    const enter = into && item.kind === "folder";
    this.close();
    this.input.replaceBefore(replace, enter ? item.insert : `${item.insert} `);
    if (!enter) this.accepted(item);
  }

  private click(event: MouseEvent): void {
    const index = [...this.node.children].indexOf((event.target as Element).closest("li") ?? this.node);
    if (index >= 0) this.accept(index, false); // of a list for an older text it is the best match of the newer one
  }

  /** Tells assistive technology, and the eye, which item is selected. */
  private mark(): void {
    const field = this.input.node;
    field.setAttribute("aria-expanded", String(this.open));
    for (const [index, node] of [...this.node.children].entries()) {
      const selected = this.open && index === this.selected;
      node.setAttribute("aria-selected", String(selected));
      if (selected) node.scrollIntoView({ block: "nearest" });
    }
    if (this.open) field.setAttribute("aria-activedescendant", idOf(this.selected));
    else field.removeAttribute("aria-activedescendant");
  }
}

function drawItem(item: ChatCompletion, index: number): HTMLElement {
  const { kind, label } = item;
  const detail = item.detail ?? (kind === "folder" ? "Tab opens it" : "");
  const node = element("li", kind, icon(iconOf(item)), ...drawLabel(item), element("span", "detail", detail));
  node.id = idOf(index);
  node.title = label;
  node.setAttribute("aria-label", detail ? `${label}, ${detail}` : label);
  node.setAttribute("role", "option");
  return node;
}

function iconOf({ kind, insert }: ChatCompletion): IconName {
  return kind === "command" && insert.startsWith("@") ? "context" : kind;
}

/** Draws the name of a file with its folder behind it, anything else as it is. The letters that were typed are bold. */
function drawLabel({ kind, label, matched = [] }: ChatCompletion): HTMLElement[] {
  const isPath = kind === "file" || kind === "folder";
  const cut = isPath ? label.lastIndexOf("/", label.length - 2) + 1 : 0;
  const name = drawLetters("label", label, cut, label.length, new Set(matched));
  return cut ? [name, drawLetters("path", label, 0, cut - 1, new Set(matched))] : [name];
}

function drawLetters(className: string, text: string, from: number, to: number, matched: Set<number>): HTMLElement {
  const parts: (HTMLElement | string)[] = [];
  for (let at = from; at < to;) {
    const bold = matched.has(at);
    let end = at + 1;
    while (end < to && matched.has(end) === bold) end++;
    const letters = text.slice(at, end);
    parts.push(bold ? element("b", "", letters) : letters);
    at = end;
  }
  return element("span", className, ...parts);
}

function idOf(index: number): string {
  return `completion-${index}`;
}
