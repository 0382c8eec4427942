// What is selected in the editor, as a chip of the composer. The user can drop it, and it goes
// along with one message; then it is left out until something else is selected, also after a
// reload, which selects the same again.
import { type Disposable, EventEmitter, type Memento, type TextEditor, window } from "vscode";
import { type Chip, keyOf, linesOf } from "./chip";
import { cellOf, fileOf } from "./notebooks";

const droppedKey = "droppedSelection";

export class SelectionChip implements Disposable {
  private readonly changeEmitter = new EventEmitter<void>();
  private readonly subscriptions: Disposable[];
  private selected: Chip | undefined;
  private dropped: string | undefined;

  /** Fires when another chip is shown, or none. */
  readonly onChange = this.changeEmitter.event;

  constructor(private readonly memory: Memento) {
    this.dropped = memory.get<string>(droppedKey);
    this.selected = selectionOf(window.activeTextEditor);
    this.subscriptions = [
      this.changeEmitter,
      window.onDidChangeActiveTextEditor((editor) => this.select(editor)),
      window.onDidChangeTextEditorSelection(({ textEditor }) => textEditor === window.activeTextEditor && this.select(textEditor)),
    ];
  }

  /** The lines that go along with the next message; none if nothing is selected or the user has dropped it. */
  get chip(): Chip | undefined {
    return this.selected && keyOf(this.selected) !== this.dropped ? this.selected : undefined;
  }

  /** Leaves the selection out until something else is selected. */
  drop(): void {
    if (!this.chip) return;
    this.leaveOut(keyOf(this.chip));
    this.changeEmitter.fire();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private leaveOut(key: string | undefined): void {
    this.dropped = key;
    void this.memory.update(droppedKey, key);
  }

  private select(editor: TextEditor | undefined): void {
    const before = this.chip;
    this.selected = selectionOf(editor);
    if (editor && this.dropped !== (this.selected && keyOf(this.selected))) this.leaveOut(undefined);
    if ((before && keyOf(before)) !== (this.chip && keyOf(this.chip))) this.changeEmitter.fire();
  }
}

/** Returns the selected lines of a file, or of a cell of a notebook. A selection that ends at the beginning of a line does not touch that line. */
export function selectionOf(editor: TextEditor | undefined): Chip | undefined {
  const file = editor && fileOf(editor.document);
  if (!file || editor.selection.isEmpty) return undefined;
  const { document, selection } = editor;
  const { start } = selection;
  const last = selection.end.character === 0 ? selection.end.line - 1 : selection.end.line;
  const end = document.lineAt(last).range.end;
  const name = file.path.split("/").at(-1) ?? "";
  const cell = cellOf(document);
  return {
    uri: document.uri.toString(),
    range: { start: { line: start.line, character: 0 }, end: { line: end.line, character: end.character } },
    label: `${name}${cell ? `, cell ${cell.number}` : ""}:${linesOf(start.line, last)}`,
  };
}
