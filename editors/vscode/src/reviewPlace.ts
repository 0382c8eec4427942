// Where the person is in a review: the hunk at the cursor, the next and the previous
// one, over all files, and "2 of 5" in the status bar.
import {
  type Disposable, EventEmitter, type QuickPickItem, QuickPickItemKind, Range, StatusBarAlignment, type StatusBarItem, TextEditorRevealType, window,
} from "vscode";
import { conflictOf, sizeOf } from "./hunkText";
import { isNotebook } from "./notebooks";
import { proposalScheme } from "./proposalAddress";
import type { ProposalDiffs } from "./proposalDiff";
import type { Review, Waiting } from "./review";
import { atCursor, shownIn } from "./reviewTarget";

interface HunkItem extends QuickPickItem {
  waiting?: Waiting;
}

export class ReviewPlace implements Disposable {
  private readonly item: StatusBarItem = window.createStatusBarItem("ploke.review", StatusBarAlignment.Right, 101);
  private readonly moving = new EventEmitter<void>();
  private readonly subscriptions: Disposable[];
  /** The hunk that was shown last, by its id. */
  private last: string | undefined;

  /** Fires when another hunk may be looked at, and when other hunks wait. */
  readonly onMove = this.moving.event;

  constructor(
    private readonly review: Review,
    private readonly diffs: ProposalDiffs,
  ) {
    this.item.name = "ploke: review";
    this.item.command = "ploke.view.review.pick";
    this.item.tooltip = "Choose a proposed edit";
    this.subscriptions = [
      this.item,
      this.moving,
      review.onChange(() => this.draw()),
      window.onDidChangeActiveTextEditor(() => this.draw()),
      window.onDidChangeTextEditorSelection(() => this.draw()),
    ];
  }

  /** The number of the hunk at the cursor, else of the one that was shown last, from 1; undefined if there is none. */
  get at(): number | undefined {
    return this.index() + 1 || undefined;
  }

  /** Shows the hunk that is so many places behind the current one; the first follows the last. */
  async step(by: 1 | -1): Promise<void> {
    const { hunks } = this.review;
    if (hunks.length === 0) return;
    const at = this.index();
    const from = at < 0 ? this.neighbour(by) : at + by;
    const next = hunks[(from + hunks.length) % hunks.length];
    if (next) await this.show(next);
  }

  /** Shows a hunk in its file, or in a diff if the person looks at one or if there is no such file. A notebook's cells are shown in a diff. */
  async show(waiting: Waiting, inDiff = looksAtDiff()): Promise<void> {
    this.last = waiting.hunk.id;
    if ((inDiff && !waiting.hunk.conflict) || waiting.file.op === "create" || waiting.file.reason || isNotebook(waiting.uri)) await this.diffs.showHunk(waiting);
    else {
      const { start } = waiting.range;
      const editor = await window.showTextDocument(waiting.uri, { preview: true, selection: new Range(start, start) });
      editor.revealRange(waiting.range, TextEditorRevealType.InCenterIfOutsideViewport);
    }
    this.draw();
  }

  /** Lets the user choose a hunk, and shows it. */
  async pick(): Promise<void> {
    const items = this.review.open.flatMap(({ id, title }): HunkItem[] => [
      { label: title, kind: QuickPickItemKind.Separator },
      ...this.review.of(id).map((waiting) => ({
        waiting,
        label: `$(${conflictOf(waiting) ? "warning" : "diff"}) ${waiting.hunk.summary}`,
        description: `${waiting.file.path}:${waiting.range.start.line + 1}  ${sizeOf([waiting])}`,
      })),
    ]);
    const chosen = await window.showQuickPick(items, { placeHolder: "Show a proposed edit", matchOnDescription: true });
    if (chosen?.waiting) await this.show(chosen.waiting);
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** The index of the hunk at the cursor, else of the one that was shown last; -1 if there is none. */
  private index(): number {
    const id = atCursor(this.review)?.hunk.id ?? this.last;
    return this.review.hunks.findIndex(({ hunk }) => hunk.id === id);
  }

  /** The index of the next or the previous hunk of the active editor as seen from its cursor. */
  private neighbour(by: 1 | -1): number {
    const editor = window.activeTextEditor;
    const line = editor?.selection.active.line ?? 0;
    const shown = editor ? shownIn(this.review, editor.document.uri) : [];
    const found = by > 0
      ? shown.find(({ range }) => range.start.line >= line)
      : shown.findLast(({ range }) => range.start.line <= line);
    const index = found ? this.review.hunks.indexOf(found.waiting) : -1;
    return index >= 0 ? index : by > 0 ? 0 : this.review.hunks.length - 1;
  }

  private draw(): void {
    const { hunks } = this.review;
    const at = this.index();
    const one = hunks[at];
    const count = hunks.length === 1 ? "1 proposed edit" : `${hunks.length} proposed edits`;
    this.item.text = one ? `$(diff) ${at + 1} of ${hunks.length} · ${shorten(one.proposal.title)}` : `$(diff) ${count}`;
    if (hunks.length > 0) this.item.show();
    else this.item.hide();
    this.moving.fire();
  }
}

export function looksAtDiff(): boolean {
  return window.activeTextEditor?.document.uri.scheme === proposalScheme;
}

function shorten(title: string): string {
  return title.length > 30 ? `${title.slice(0, 29)}…` : title;
}
