// Which hunks of proposed edits do not fit the text as it is now.

/** What does not fit, as text, by the id of the proposal. */
export type Conflicts = ReadonlyMap<string, string>;

interface Reviewed {
  readonly proposal: { readonly id: string };
  readonly hunk: { readonly id: string; readonly oldText: string; readonly conflict?: boolean };
}

export function conflictsOf(waiting: readonly Reviewed[]): Conflicts {
  const unfit = new Map<string, [string, string][]>();
  for (const { proposal, hunk } of waiting) {
    if (hunk.conflict) unfit.set(proposal.id, [...(unfit.get(proposal.id) ?? []), [hunk.id, hunk.oldText]]);
  }
  return new Map([...unfit].map(([id, hunks]) => [id, JSON.stringify(hunks)]));
}

/** The ids of the proposals of which something waits and other hunks conflict than before. One that is new may conflict at once. */
export function changedConflicts(before: Conflicts, now: Conflicts, waiting: readonly Reviewed[]): string[] {
  const ids = [...new Set(waiting.map(({ proposal }) => proposal.id))];
  return ids.filter((id) => before.get(id) !== now.get(id));
}
