// The view "Proposed edits": what waits, by proposal, file and hunk, and below it what was
// decided in this window, which can be undone and redone.
import {
  type Disposable, EventEmitter, ThemeIcon, type TreeDataProvider, TreeItem, TreeItemCollapsibleState, type TreeView, Uri, commands, window,
} from "vscode";
import type { Client } from "./client";
import { inBackground } from "./errors";
import { badgeOf } from "./fileBadge";
import { conflictOf, sizeOf } from "./hunkText";
import { type ProposalState, stateOf } from "./proposalState";
import { type ReviewedHunk, proposalGet } from "./protocol";
import type { Review, Waiting } from "./review";
import type { HunkName } from "./reviewTarget";

/** A row; commands take it as the name of what they concern. */
interface Row extends HunkName {
  /** A proposal of which nothing waits. */
  decided?: true;
}

interface Decided {
  title: string;
  state: ProposalState;
}

export class ReviewTree implements TreeDataProvider<Row>, Disposable {
  private readonly changing = new EventEmitter<void>();
  private readonly view: TreeView<Row>;
  private readonly subscriptions: Disposable[];
  /** The proposals that have waited in this window, the latest last. */
  private readonly seen = new Set<string>();
  private decided = new Map<string, Decided>();

  readonly onDidChangeTreeData = this.changing.event;

  constructor(
    private readonly client: Client,
    private readonly review: Review,
  ) {
    this.view = window.createTreeView("ploke.view.edits", { treeDataProvider: this, showCollapseAll: true });
    this.subscriptions = [
      this.view,
      this.changing,
      this.view.onDidChangeVisibility(() => this.showIfWanted()),
      review.onChange(() => this.update()),
      client.onEvent((event) => event.type === "proposal" && this.seen.has(event.id) && this.update()),
    ];
  }

  getChildren(row?: Row): Row[] {
    if (!row) {
      const waiting = this.waiting(); // what waits again may still be among what was decided
      const decided = [...this.decided].filter(([id]) => !waiting.has(id)).reverse();
      return [
        ...this.review.open.map(({ id, version }): Row => ({ proposal: id, version })),
        ...decided.map(([proposal, { state }]): Row => ({ proposal, version: state.version, decided: true })),
      ];
    }
    if (row.decided || row.hunk) return [];
    const hunks = this.review.of(row.proposal, row.file);
    if (row.file) return hunks.map(({ hunk }) => ({ ...row, hunk: hunk.id }));
    return [...new Set(hunks.map(({ file }) => file.uri))].map((file) => ({ ...row, file }));
  }

  getTreeItem(row: Row): TreeItem {
    const decided = row.decided && this.decided.get(row.proposal);
    if (decided) return decidedItem(row, decided);
    const hunks = this.review.of(row.proposal, row.file, row.hunk);
    const [first] = hunks;
    if (!first) return new TreeItem("");
    const item = row.hunk ? hunkItem(row, first) : row.file ? fileItem(first, hunks) : proposalItem(first, hunks);
    item.id = [row.proposal, row.file, row.hunk].filter(Boolean).join(" ");
    return item;
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private readonly update = inBackground(async () => {
    for (const { id } of this.review.open) this.seen.add(id);
    this.drawBadge();
    this.changing.fire();
    const waiting = this.waiting();
    const decided = new Map<string, Decided>();
    for (const id of this.seen) {
      if (waiting.has(id)) continue;
      const details = await this.client.request(proposalGet, { id });
      decided.set(id, { title: details.proposal.title, state: stateOf(details) });
    }
    this.decided = decided;
    this.showIfWanted();
    this.changing.fire();
  });

  /** The view takes no room once nothing waits, unless the user has opened it: what was decided can be undone there. */
  private showIfWanted(): void {
    const wanted = this.review.hunks.length > 0 || (this.decided.size > 0 && this.view.visible);
    void commands.executeCommand("setContext", "ploke.proposals", wanted);
  }

  private waiting(): Set<string> {
    return new Set(this.review.open.map(({ id }) => id));
  }

  private drawBadge(): void {
    const value = this.review.hunks.length;
    this.view.badge = value > 0 ? { value, tooltip: value === 1 ? "1 proposed edit waits" : `${value} proposed edits wait` } : undefined;
  }
}

function proposalItem({ proposal }: Waiting, hunks: Waiting[]): TreeItem {
  const item = new TreeItem(proposal.title, TreeItemCollapsibleState.Expanded);
  item.description = hunks.length === 1 ? "1 edit" : `${hunks.length} edits`;
  item.iconPath = new ThemeIcon("diff-multiple");
  item.contextValue = "proposal";
  return item;
}

function fileItem({ file }: Waiting, hunks: Waiting[]): TreeItem {
  const item = new TreeItem(Uri.parse(file.newUri ?? file.uri), TreeItemCollapsibleState.Expanded);
  const where = file.newPath ? `${file.path} → ${file.newPath}` : parentOf(file.path);
  item.description = [badgeOf(file.op), sizeOf(hunks), where].filter(Boolean).join("  ");
  item.iconPath = ThemeIcon.File;
  item.contextValue = hunks.some(({ hunk }) => hunk.conflict) ? "file conflict" : "file";
  return item;
}

function hunkItem(row: Row, waiting: Waiting): TreeItem {
  const { hunk, range } = waiting;
  const conflict = conflictOf(waiting);
  const item = new TreeItem(hunk.summary);
  const line = waiting.file.op === "edit" ? `  line ${range.start.line + 1}` : "";
  item.description = conflict ? "conflict" : `${sizeOf([waiting])}${line}`;
  item.tooltip = conflict ?? hunk.summary;
  item.iconPath = new ThemeIcon(conflict ? "warning" : iconOf(hunk));
  item.contextValue = conflict ? "hunk conflict" : "hunk";
  item.command = { title: "Show", command: "ploke.view.review.open", arguments: [row] };
  return item;
}

function iconOf({ rename, oldText, newText }: ReviewedHunk): string {
  if (rename) return "diff-renamed";
  if (oldText === "") return "diff-added";
  return newText === "" ? "diff-removed" : "diff-modified";
}

function decidedItem(row: Row, { title, state }: Decided): TreeItem {
  const item = new TreeItem(title);
  item.id = row.proposal;
  item.description = state.label;
  item.iconPath = new ThemeIcon(state.undoable ? "check" : state.redoable ? "discard" : "close");
  item.contextValue = `decided${state.undoable ? " undoable" : ""}${state.redoable ? " redoable" : ""}`;
  return item;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
