// Marks the hunks that wait in the editors of their files: a bar in the gutter, what goes of the text, and at the right
// the lines that come. New text is never put into the file before it is accepted.
import {
  type DecorationOptions, type DecorationRenderOptions, type Disposable, OverviewRulerLane, Range, type TextEditor, type TextEditorDecorationType,
  ThemeColor, Uri, window, workspace,
} from "vscode";
import { type GhostLine, type Piece, ghostsOf } from "./ghostLines";
import { type Review, type Waiting, distinct, linesOf } from "./review";
import { changedLines, changedParts } from "./textChanges";

const ruler = { overviewRulerColor: new ThemeColor("editorOverviewRuler.modifiedForeground"), overviewRulerLane: OverviewRulerLane.Full };
/** Themes of high contrast have no tints, but these colours of borders, which others lack. */
const removedBorder = "var(--vscode-diffEditor-removedTextBorder, transparent)";
const insertedBorder = "1px dashed var(--vscode-diffEditor-insertedTextBorder, transparent)";
const bordered = { borderStyle: "dashed", borderColor: removedBorder };
const inserts = { isWholeLine: true, borderStyle: "solid", borderColor: new ThemeColor("editorGutter.addedBackground") };
const hint = { color: new ThemeColor("editorCodeLens.foreground"), margin: "0 0 0 2em", fontStyle: "italic" };

/** How many pieces of a new line are told apart. */
const pieces = 9;

export class ReviewMarks implements Disposable {
  private readonly subscriptions: Disposable[] = [];
  /** What was drawn last in each editor. */
  private readonly changes = new WeakMap<TextEditor, Change[]>();
  private readonly bars = {
    goes: this.bar("#e51400", "#f14c4c"),
    changes: this.bar("#2090d3", "#0c7d9d"),
    comes: this.bar("#48985d", "#4f9d5d"),
    conflicts: this.bar("#bf8803", "#cca700"),
  };
  private readonly gone = this.type({ ...bordered, borderWidth: "1px", backgroundColor: new ThemeColor("diffEditor.removedTextBackground") });
  /** The lines of the hunk at the cursor that go. */
  private readonly goes = this.type({ ...bordered, borderWidth: "1px 0", backgroundColor: new ThemeColor("diffEditor.removedLineBackground") });
  private readonly conflicts = this.type({ ...ruler, ...bordered, borderWidth: "1px 0", isWholeLine: true, backgroundColor: new ThemeColor("inputValidation.warningBackground") });
  private readonly comes = this.type({ ...inserts, borderWidth: "2px 0 0 0" });
  private readonly comesBelow = this.type({ ...inserts, borderWidth: "0 0 2px 0" });
  /** A type for each piece of a new line: VS Code draws what comes behind the same place in the order of the keys. */
  private readonly ghosts = Array.from({ length: pieces }, () => this.type({})).sort((a, b) => (`${a.key}-` < `${b.key}-` ? -1 : 1));

  constructor(private readonly review: Review) {
    this.subscriptions.push(
      review.onChange(() => this.drawAll()),
      window.onDidChangeVisibleTextEditors(() => this.drawAll()),
      window.onDidChangeTextEditorSelection(({ textEditor }) => this.tint(textEditor, this.changes.get(textEditor) ?? [])),
      workspace.onDidChangeTextDocument(({ document }) => this.drawAll(document.uri)),
    );
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private drawAll(document?: Uri): void {
    for (const editor of window.visibleTextEditors) {
      if (!document || editor.document.uri.toString() === document.toString()) this.draw(editor);
    }
  }

  private draw(editor: TextEditor): void {
    const { uri, lineCount } = editor.document;
    if (uri.scheme !== "file") return;
    // The two sides of a diff have no column. The diff itself shows what changes.
    const hunks = editor.viewColumn === undefined ? [] : distinct(this.review.in(uri)).filter(({ hunk }) => !hunk.rename);
    const fitting = hunks.filter(({ hunk }) => !hunk.conflict).sort((a, b) => a.range.start.compareTo(b.range.start));
    const changes = fitting.map((waiting) => changeOf(waiting, editor));
    const set = (type: TextEditorDecorationType, chosen: readonly (Range | DecorationOptions)[]) => editor.setDecorations(type, chosen as Range[]);
    set(this.conflicts, hunks.filter(({ hunk }) => hunk.conflict).map((one) => conflict(one, lineCount)));
    set(this.bars.conflicts, hunks.filter(({ hunk }) => hunk.conflict).map(({ range }) => wholeLines(linesOf(range).first, linesOf(range).last)));
    for (const kind of ["goes", "changes", "comes"] as const) {
      set(this.bars[kind], changes.filter((change) => change.kind === kind).map(({ first, last }) => wholeLines(first, last)));
    }
    this.changes.set(editor, changes);
    this.tint(editor, changes);
    set(this.gone, changes.flatMap(({ gone }) => gone));
    const below = ({ first }: Change) => first >= lineCount - 1 && first > 0;
    const come = changes.filter(({ kind }) => kind === "comes");
    set(this.comes, come.filter((change) => !below(change)).map(({ first }) => wholeLines(first, first)));
    set(this.comesBelow, come.filter(below).map(({ first }) => wholeLines(first, first)));
    this.drawGhosts(editor, fitting);
  }

  /** Tints the lines at the cursor that go. */
  private tint(editor: TextEditor, changes: Change[]): void {
    const at = editor.selection.active.line;
    const here = changes.filter(({ kind, first, last }) => kind !== "comes" && first <= at && at <= last);
    editor.setDecorations(this.goes, here.map(({ first, last }) => wholeLines(first, last)));
  }

  private drawGhosts(editor: TextEditor, hunks: Waiting[]): void {
    const { document } = editor;
    const lines = { count: document.lineCount, at: (line: number) => document.lineAt(line).text };
    const placed = hunks.filter(({ file }) => file.op !== "delete").map(({ range, hunk }) => ({ line: range.start.line, oldText: hunk.oldText, newText: hunk.newText }));
    const ghosts = ghostsOf(placed, lines, Number(editor.options.tabSize) || 4);
    for (const [index, type] of this.ghosts.entries()) {
      editor.setDecorations(type, ghosts.flatMap((ghost) => pieceOf(ghost, index)));
    }
  }

  private bar(light: string, dark: string): TextEditorDecorationType {
    return this.type({ ...ruler, isWholeLine: true, gutterIconSize: "100% 100%", light: { gutterIconPath: barOf(light) }, dark: { gutterIconPath: barOf(dark) } });
  }

  private type(options: DecorationRenderOptions): TextEditorDecorationType {
    const type = window.createTextEditorDecorationType(options);
    this.subscriptions.push(type);
    return type;
  }
}

/** What a hunk does to the lines of the text as it is now. */
interface Change {
  kind: "goes" | "changes" | "comes";
  /** Its lines, or the one that it inserts before. */
  first: number;
  last: number;
  /** The parts of the text that go. */
  gone: Range[];
}

function changeOf({ range, hunk }: Waiting, { document }: TextEditor): Change {
  const { before, old, new: now } = changedLines(hunk.oldText, hunk.newText);
  const last = document.lineCount - 1;
  const first = Math.min(range.start.line + before, last);
  if (old.length === 0) return { kind: "comes", first, last: first, gone: [] };
  const typed = document.getText(range) !== hunk.oldText; // since the server was asked
  const gone = typed ? [] : changedParts(old, now).old;
  return {
    kind: now.length === 0 ? "goes" : "changes", first, last: Math.min(first + old.length - 1, last),
    gone: gone.flatMap((spans, line) => spans.map(({ from, to }) => new Range(first + line, from, first + line, to))),
  };
}

function conflict(waiting: Waiting, lineCount: number): DecorationOptions {
  const { first, last } = linesOf(waiting.range);
  const end = Math.min(last, lineCount - 1);
  return { range: wholeLines(Math.min(first, end), end), renderOptions: { after: { ...hint, contentText: "conflict" } } };
}

/** Returns the decoration that draws a piece of a new line. */
function pieceOf({ line, gap, pieces: all }: GhostLine, index: number): DecorationOptions[] {
  const piece = index < pieces - 1 ? all[index] : joined(all.slice(index));
  if (!piece) return [];
  const end = new Range(line, Number.MAX_SAFE_INTEGER, line, Number.MAX_SAFE_INTEGER);
  return [{ range: end, renderOptions: { after: {
    contentText: piece.text.replaceAll(" ", "\u00a0"),
    color: new ThemeColor("editor.foreground"),
    backgroundColor: new ThemeColor(piece.changed ? "diffEditor.insertedTextBackground" : "diffEditor.insertedLineBackground"),
    ...(piece.changed && { border: insertedBorder }),
    ...(index === 0 && { margin: `0 0 0 ${gap}ch` }),
  } } }];
}

function joined(all: Piece[]): Piece | undefined {
  return all.length > 0 ? { text: all.map(({ text }) => text).join(""), changed: all.some(({ changed }) => changed) } : undefined;
}

function wholeLines(first: number, last: number): Range {
  return new Range(first, 0, last, Number.MAX_SAFE_INTEGER);
}

/** A thin bar as an image. */
function barOf(colour: string): Uri {
  const image = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20" preserveAspectRatio="none"><path fill="${colour}" d="M2 0h3v20h-3z"/></svg>`;
  return Uri.parse(`data:image/svg+xml;base64,${Buffer.from(image).toString("base64")}`);
}
