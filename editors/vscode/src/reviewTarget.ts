// Names of what is decided on: a proposal, a file of it or a hunk. Commands get such a
// name from a lens, a row of the tree or a document; without one they concern what is
// at the cursor.
import { type Range, Uri, window } from "vscode";
import { rangesAfter } from "./movedRange";
import { addressOf, diffScheme, proposalScheme } from "./proposalAddress";
import { type Review, type Waiting, linesOf } from "./review";

/** Names a hunk, or with less of it a file or a proposal. */
export interface HunkName {
  proposal: string;
  /** The uri of the file. */
  file?: string;
  hunk?: string;
  /** The version of the proposal that was shown with the name. */
  version?: string;
}

export type Target = HunkName | Uri | undefined;

export function nameOf({ proposal, file, hunk }: Waiting): HunkName {
  return { proposal: proposal.id, file: file.uri, hunk: hunk.id, version: proposal.version };
}

/** Returns the name that a command was given, if it was given one. */
export function named(target: Target): HunkName | undefined {
  if (!(target instanceof Uri)) return target;
  if (target.scheme === diffScheme) return { proposal: target.path };
  if (target.scheme !== proposalScheme) return undefined;
  const { id, uri } = addressOf(target);
  return { proposal: id, file: uri };
}

/** A hunk where a document shows it. */
interface Shown {
  waiting: Waiting;
  range: Range;
}

/** Returns the hunks that a document shows: those in a file, or those of a proposal with their new texts. */
export function shownIn(review: Review, document: Uri): Shown[] {
  if (document.scheme !== proposalScheme) return review.in(document).map((waiting) => ({ waiting, range: waiting.range }));
  const { id, uri } = addressOf(document);
  const fitting = review.of(id, uri).filter(({ hunk }) => !hunk.conflict && !hunk.rename);
  const ranges = rangesAfter(fitting.map(({ range, hunk }) => ({ range, text: hunk.newText })));
  return fitting.flatMap((waiting, index) => ranges[index] ? { waiting, range: ranges[index] } : []);
}

/** Returns the hunk at the cursor of the active editor. */
export function atCursor(review: Review): Waiting | undefined {
  const editor = window.activeTextEditor;
  if (!editor) return undefined;
  const { line } = editor.selection.active;
  return shownIn(review, editor.document.uri).find(({ range }) => {
    const { first, last } = linesOf(range);
    return first <= line && line <= last;
  })?.waiting;
}
