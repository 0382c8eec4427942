// The state of a proposed edit in the words that people see, and the actions that it
// allows.
import { badgeOf } from "./fileBadge";
import type { Conflict, Evidence, ProposalGetResult, ProposalView } from "./protocol";

export interface ProposalState {
  version: string;
  /** Such as "waiting", or "1 applied, 2 waiting". */
  label: string;
  decidable: boolean;
  undoable: boolean;
  redoable: boolean;
  files: FileState[];
  conflicts: Conflict[];
  /** What is known of it besides its changes. */
  evidence: Evidence[];
}

export interface FileState {
  uri: string;
  /** The name to show; of a renamed file both names. */
  name: string;
  added: number;
  removed: number;
  /** Such as "new"; "" if the file is only edited. */
  badge: string;
  label: string;
  decidable: boolean;
}

const open = ["staged", "stale", "failed"];
const applied = ["accepted", "applied", "verified"];

const words: Record<string, string> = {
  staged: "waiting",
  stale: "conflict",
  accepted: "accepted",
  applied: "applied",
  verified: "applied",
  rejected: "rejected",
  undone: "undone",
  failed: "not applied",
  withdrawn: "withdrawn",
};

/** The words in the order in which they stand side by side. */
const order = ["conflict", "waiting", "not applied", "accepted", "applied", "undone", "rejected", "withdrawn"];

/** Reports whether a hunk is undecided. A stale or failed one may be tried again. */
export function isOpen({ state }: { state: string }): boolean {
  return open.includes(state);
}

/** The statuses of proposals with parts that can be decided on, undone or redone. */
export const statuses = {
  open: [...open, "partial"],
  applied: [...applied, "partial"],
  undone: ["undone", "partial"],
};

export function stateOf({ proposal, files, conflicts = [] }: ProposalGetResult): ProposalState {
  const conflicting = new Set(conflicts.flatMap(({ hunks }) => hunks));
  const states = files.flatMap(({ hunks }) => hunks.map(({ state }) => state));
  return {
    version: proposal.version,
    label: label(files, conflicting),
    decidable: states.some((state) => open.includes(state)),
    undoable: states.some((state) => applied.includes(state)),
    redoable: states.includes("undone"),
    files: [...new Set(files.map(({ uri }) => uri))].map((uri) => fileState(files.filter((view) => view.uri === uri), conflicting)),
    conflicts,
    evidence: proposal.evidence ?? [],
  };
}

/** A file that was decided on in parts has several views. */
function fileState(views: ProposalView[], conflicting: Set<string>): FileState {
  const renamed = views.find(({ newPath }) => newPath);
  const path = views[0]?.path ?? "";
  return {
    uri: views[0]?.uri ?? "",
    name: renamed ? `${path} → ${renamed.newPath}` : path,
    added: views.reduce((sum, { added }) => sum + added, 0),
    removed: views.reduce((sum, { removed }) => sum + removed, 0),
    badge: badgeOf(views.find(({ op }) => op !== "edit")?.op ?? "edit"),
    label: label(views, conflicting),
    decidable: views.some(({ hunks }) => hunks.some(isOpen)),
  };
}

/** Names the state of the hunks, with their numbers if they differ. */
function label(views: ProposalView[], conflicting: Set<string>): string {
  const counts = new Map<string, number>();
  for (const { id, state } of views.flatMap(({ hunks }) => hunks)) {
    const word = isOpen({ state }) && conflicting.has(id) ? "conflict" : state === "stale" ? "waiting" : (words[state] ?? state);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  if (counts.size === 1) return [...counts.keys()].join();
  return order.filter((word) => counts.has(word)).map((word) => `${counts.get(word)} ${word}`).join(", ");
}
