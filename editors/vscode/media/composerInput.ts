// The text field of the composer. It grows with its text, up to a part of the view.
import { byId } from "./dom";

/** A longer text is certainly higher than the limit, so it is not measured with each key. */
const measuredLength = 20_000;

export class ComposerInput {
  readonly node = byId<HTMLTextAreaElement>("input");

  /** Changed is called after the text has changed, by whom ever. */
  constructor(private readonly changed: () => void) {
    this.node.addEventListener("input", () => this.settle());
    new ResizeObserver(() => this.grow()).observe(this.node.parentElement ?? this.node);
  }

  get text(): string {
    return this.node.value;
  }

  set text(text: string) {
    if (this.node.value !== text) this.node.value = text;
    this.settle();
  }

  /** The text before the cursor; undefined if some text is selected. */
  get beforeCursor(): string | undefined {
    const { selectionStart, selectionEnd, value } = this.node;
    return selectionStart === selectionEnd ? value.slice(0, selectionStart) : undefined;
  }

  focus(): void {
    this.node.focus();
  }

  moveToEnd(): void {
    this.node.setSelectionRange(this.text.length, this.text.length);
    this.node.scrollTop = this.node.scrollHeight;
  }

  /** Replaces the characters before the cursor as if they were typed, so that they can be undone. */
  replaceBefore(count: number, text: string): void {
    const end = this.node.selectionStart;
    this.focus();
    this.node.setSelectionRange(end - count, end);
    document.execCommand("insertText", false, text);
  }

  /** Replaces what is selected. This can't be undone, but takes a large text at once. */
  paste(text: string): void {
    const { node } = this;
    node.setRangeText(text, node.selectionStart, node.selectionEnd, "end");
    this.settle();
  }

  /** Adds a paragraph at the end. */
  addParagraph(text: string): void {
    const before = this.text.trimEnd();
    this.text = before ? `${before}\n\n${text}` : text;
    this.moveToEnd();
  }

  private settle(): void {
    this.grow();
    this.changed();
  }

  private grow(): void {
    const { node } = this;
    const long = node.value.length > measuredLength;
    node.classList.toggle("long", long);
    node.style.height = "";
    if (!long) node.style.height = `${node.scrollHeight + node.offsetHeight - node.clientHeight}px`;
  }
}
