// The review: the hunks that wait for a decision, at their places in the texts. The
// server finds the places. Until its next answer they move with the text that is
// typed, so that nothing flickers.
import { type Disposable, EventEmitter, Range, type TextDocumentChangeEvent, Uri, commands, workspace } from "vscode";
import type { Client } from "./client";
import { inBackground } from "./errors";
import { moved } from "./movedRange";
import { changedConflicts, conflictsOf } from "./reviewConflicts";
import { type ReviewedFile, type ReviewedHunk, type ReviewedProposal, review } from "./protocol";

/** A hunk that waits for a decision. */
export interface Waiting {
  readonly proposal: ReviewedProposal;
  readonly file: ReviewedFile;
  readonly hunk: ReviewedHunk;
  readonly uri: Uri;
  /** Its place in the text as it is now. */
  range: Range;
}

export class Review implements Disposable {
  private readonly changing = new EventEmitter<void>();
  private readonly conflicting = new EventEmitter<string>();
  private readonly subscriptions: Disposable[];
  private waiting: Waiting[] = [];
  /** The ids of the hunks on which the server is deciding. They are not shown any more. */
  private readonly deciding = new Set<string>();
  private proposals: ReviewedProposal[] = [];
  private asking: Promise<void> | undefined;
  private outdated = false;
  /** What was typed since the server was asked. */
  private typed: TextDocumentChangeEvent[] = [];

  /** Fires when other hunks wait, or at other places than the text that was typed has moved them to. */
  readonly onChange = this.changing.event;
  /** Fires with the id of a proposal when other hunks of it no longer fit, or conflict with another text. */
  readonly onConflicts = this.conflicting.event;

  constructor(private readonly client: Client) {
    this.subscriptions = [
      this.changing,
      this.conflicting,
      client.onEvent((event) => event.type === "review" && this.ask()),
      client.onRunning((running) => running && client.answers && void this.ask()), // what it knew stays until then
      workspace.onDidChangeTextDocument((change) => this.move(change)),
    ];
  }

  /** All hunks that wait: the newest proposal first, then in the order of its files and of their texts. */
  get hunks(): readonly Waiting[] {
    return this.waiting;
  }

  /** The proposals of which something waits, the newest first. */
  get open(): readonly ReviewedProposal[] {
    return this.proposals.filter(({ id }) => this.waiting.some(({ proposal }) => proposal.id === id));
  }

  /** The hunks that wait in a file. */
  in(document: Uri): Waiting[] {
    const name = document.toString();
    return this.waiting.filter(({ uri }) => uri.toString() === name);
  }

  /** The hunks of one file of a proposal. */
  of(proposal: string, file?: string, hunk?: string): Waiting[] {
    return this.waiting.filter((one) => one.proposal.id === proposal
      && (file === undefined || one.file.uri === file || one.file.newUri === file) && (hunk === undefined || one.hunk.id === hunk));
  }

  /** Resolves when the server's current answer is known. */
  async refresh(): Promise<void> {
    await this.asking;
    await this.ask();
  }

  /** Has a decision on hunks made. They disappear at once, and are there again if it fails. */
  async decide<R>(hunks: readonly Waiting[], decision: () => Promise<R>): Promise<R> {
    const ids = hunks.map(({ hunk }) => hunk.id);
    for (const id of ids) this.deciding.add(id);
    this.change(this.waiting);
    try {
      return await decision();
    } finally {
      void this.refresh().finally(() => this.decided(ids)); // the person reads at once why it has failed
    }
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** Shows what still waits after a decision. What the server has answered before knows nothing of it. */
  private decided(ids: string[]): void {
    for (const id of ids) this.deciding.delete(id);
    this.show(this.proposals);
  }

  /** Asks the server. While it answers, further calls only have it asked once more. */
  private ask(): Promise<void> {
    this.outdated = true;
    this.asking ??= inBackground(() => this.askUntilCurrent())().finally(() => (this.asking = undefined));
    return this.asking;
  }

  private async askUntilCurrent(): Promise<void> {
    while (this.outdated) {
      this.outdated = false;
      this.typed = [];
      const { proposals } = await this.client.request(review, undefined);
      this.show(proposals.filter(({ files }) => files.length > 0));
    }
  }

  private show(proposals: ReviewedProposal[]): void {
    this.proposals = proposals;
    this.change(proposals.flatMap((proposal) => proposal.files.flatMap((file) => this.hunksOf(proposal, file))));
  }

  private change(waiting: Waiting[]): void {
    const before = this.fingerprint();
    const unfit = conflictsOf(this.waiting);
    this.waiting = waiting.filter(({ hunk }) => !this.deciding.has(hunk.id));
    if (before === this.fingerprint()) return;
    void commands.executeCommand("setContext", "ploke.review", this.waiting.length > 0);
    this.changing.fire();
    for (const id of changedConflicts(unfit, conflictsOf(this.waiting), this.waiting)) this.conflicting.fire(id);
  }

  private hunksOf(proposal: ReviewedProposal, file: ReviewedFile): Waiting[] {
    const uri = Uri.parse(file.uri);
    const later = this.typed.filter(({ document }) => document.uri.toString() === uri.toString() && document.version > (file.version ?? 0));
    return file.hunks.map((hunk) => {
      const { start, end } = hunk.range;
      const range = new Range(start.line, start.character, end.line, end.character);
      return { proposal, file, hunk, uri, range: follow(range, later) };
    });
  }

  private move(change: TextDocumentChangeEvent): void {
    if (change.contentChanges.length === 0) return;
    if (this.asking) this.typed.push(change);
    for (const one of this.in(change.document.uri)) one.range = follow(one.range, [change]);
  }

  private fingerprint(): string {
    return JSON.stringify(this.waiting.map(({ proposal, file, hunk, range }) =>
      [proposal.id, proposal.version, proposal.title, proposal.evidence, file.uri, file.newUri, file.reason, { ...hunk, range }]));
  }
}

/** VS Code lists the changes of one event from the end of the text, so that each leaves the places of the next alone. */
function follow(range: Range, changes: readonly TextDocumentChangeEvent[]): Range {
  let now = range;
  for (const { contentChanges } of changes) for (const change of contentChanges) now = moved(now, change);
  return now;
}

/** The lines of the file at which a hunk is shown, 0-based and inclusive: those that it replaces, or the one that it inserts before. */
export function linesOf(range: Range): { first: number; last: number } {
  const { start, end } = range;
  return { first: start.line, last: Math.max(start.line, end.character === 0 ? end.line - 1 : end.line) };
}

/** Returns hunks without conflicts that share lines with the conflict before them, since these are resolved together. */
export function distinct(hunks: Waiting[]): Waiting[] {
  return hunks.filter((one, index) => {
    const before = hunks[index - 1];
    return !(one.hunk.conflict && before?.hunk.conflict && before.range.intersection(one.range));
  });
}
