// What a proposed edit is now, and what may be done with it.
import type { Conflict, ProposalDetails } from "./requests";

export interface Standing {
  status: string;
  decidable: boolean;
  undoable: boolean;
  redoable: boolean;
  /** Where it did not fit when it was tried. */
  conflicts: Conflict[];
}

/** What a proposal is that nobody has decided on. */
export const staged: Standing = { status: "staged", decidable: true, undoable: false, redoable: false, conflicts: [] };

const open = ["staged", "stale", "failed"];
const applied = ["accepted", "applied", "verified"];

/** Whether something with this state can still be decided on: what did not fit may be tried again. */
export function isOpen({ state }: { state: string }): boolean {
  return open.includes(state);
}

/** The statuses of proposals of which something may be decided on, or taken back. */
export const statuses = {
  open: [...open, "partial"],
  applied: [...applied, "partial"],
  undone: ["undone"],
};

export function standingOf({ proposal, files, conflicts = [] }: ProposalDetails): Standing {
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
