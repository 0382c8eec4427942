// The state of a proposed edit, and the actions that it allows.
import type { Conflict, ProposalGetResult } from "./protocol";

export interface ProposalState {
  status: string;
  decidable: boolean;
  undoable: boolean;
  redoable: boolean;
  /** The conflicts of the last attempt to apply it. */
  conflicts: Conflict[];
}

/** The state of an undecided proposal. */
export const staged: ProposalState = { status: "staged", decidable: true, undoable: false, redoable: false, conflicts: [] };

const open = ["staged", "stale", "failed"];
const applied = ["accepted", "applied", "verified"];

/** Reports whether a hunk is undecided. A stale or failed one may be tried again. */
export function isOpen({ state }: { state: string }): boolean {
  return open.includes(state);
}

/** The statuses of proposals with parts that can be decided on, undone or redone. */
export const statuses = {
  open: [...open, "partial"],
  applied: [...applied, "partial"],
  undone: ["undone"],
};

export function stateOf({ proposal, files, conflicts = [] }: ProposalGetResult): ProposalState {
  const states = files.flatMap(({ hunks }) => hunks.map(({ state }) => state));
  const stale = states.includes("stale");
  return {
    status: stale ? "stale" : proposal.status,
    decidable: states.some((state) => open.includes(state)),
    undoable: states.some((state) => applied.includes(state)),
    redoable: states.includes("undone"),
    conflicts: stale ? conflicts : [],
  };
}
