// Marks the hunks that wait in the editors of their files: the lines that go, or the
// place where lines come. New text is never put into the file before it is accepted.
import {
  type DecorationOptions, type Disposable, OverviewRulerLane, Range, type TextEditor, ThemeColor, window,
} from "vscode";
import { conflictOf, sizeOf } from "./hunkText";
import { type Review, type Waiting, distinct, linesOf } from "./review";

const ruler = { overviewRulerColor: new ThemeColor("editorOverviewRuler.modifiedForeground"), overviewRulerLane: OverviewRulerLane.Full };
/** Themes of high contrast have no tints, but this colour of borders, which others lack. */
const bordered = { borderStyle: "dashed", borderWidth: "1px 0", borderColor: "var(--vscode-diffEditor-removedTextBorder, transparent)" };
const hint = { color: new ThemeColor("editorCodeLens.foreground"), margin: "0 0 0 2em", fontStyle: "italic" };

export class ReviewMarks implements Disposable {
  private readonly goes = window.createTextEditorDecorationType({
    ...ruler, ...bordered, isWholeLine: true, backgroundColor: new ThemeColor("diffEditor.removedLineBackground"),
  });
  private readonly comes = window.createTextEditorDecorationType({
    ...ruler, isWholeLine: true, borderStyle: "solid", borderWidth: "2px 0 0 0", borderColor: new ThemeColor("editorGutter.addedBackground"),
  });
  private readonly comesBelow = window.createTextEditorDecorationType({
    ...ruler, isWholeLine: true, borderStyle: "solid", borderWidth: "0 0 2px 0", borderColor: new ThemeColor("editorGutter.addedBackground"),
  });
  private readonly conflicts = window.createTextEditorDecorationType({
    ...ruler, ...bordered, isWholeLine: true, backgroundColor: new ThemeColor("inputValidation.warningBackground"),
  });
  private readonly subscriptions: Disposable[];

  constructor(private readonly review: Review) {
    this.subscriptions = [
      this.goes, this.comes, this.comesBelow, this.conflicts,
      review.onChange(() => this.drawAll()),
      window.onDidChangeVisibleTextEditors(() => this.drawAll()),
    ];
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private drawAll(): void {
    for (const editor of window.visibleTextEditors) this.draw(editor);
  }

  private draw(editor: TextEditor): void {
    const { uri, lineCount } = editor.document;
    if (uri.scheme !== "file") return;
    // The two sides of a diff have no column. The diff itself shows what changes.
    const hunks = editor.viewColumn === undefined ? [] : distinct(this.review.in(uri)).filter(({ hunk }) => !hunk.rename);
    const inserts = ({ range, hunk }: Waiting) => range.isEmpty && !hunk.conflict;
    const below = ({ range }: Waiting) => range.start.line >= lineCount - 1 && range.start.line > 0;
    const set = (type: typeof this.goes, chosen: Waiting[]) => editor.setDecorations(type, chosen.map((one) => decoration(one, lineCount)));
    set(this.conflicts, hunks.filter(({ hunk }) => hunk.conflict));
    set(this.goes, hunks.filter((one) => !one.hunk.conflict && !inserts(one)));
    set(this.comes, hunks.filter((one) => inserts(one) && !below(one)));
    set(this.comesBelow, hunks.filter((one) => inserts(one) && below(one)));
  }
}

function decoration(waiting: Waiting, lineCount: number): DecorationOptions {
  const { first, last } = linesOf(waiting.range);
  const end = Math.min(last, lineCount - 1);
  const text = conflictOf(waiting) ? "conflict" : sizeOf([waiting]);
  return { range: new Range(Math.min(first, end), 0, end, Number.MAX_SAFE_INTEGER), renderOptions: { after: { ...hint, contentText: text } } };
}
