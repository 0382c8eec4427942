// What waits for a decision, in short: the bar above the chat's input shows it.
import type { Evidence, EvidenceState } from "./protocol";

export interface ReviewSummary {
  files: number;
  edits: number;
  /** The number of the edit that is looked at, from 1. */
  at?: number;
  evidence?: EvidenceSummary;
}

export interface EvidenceSummary {
  state: EvidenceState;
  /** What matters most, such as "build: 1 new problem". */
  text: string;
  /** All that is known, a line for each source. */
  details: string;
}

/** What the bar can do: each is a command of the review. */
export type ReviewAction = "next" | "previous" | "acceptAll" | "rejectAll" | "list";

/** The states of evidence, with the most urgent first, and what several sources of this state say. */
const states: [EvidenceState, string][] = [
  ["failed", "found new problems"], ["running", "are running"], ["stale", "are stale"], ["unknown", "could not tell"], ["passed", "passed"],
];

/** Returns undefined if nothing is known. */
export function summaryOf(evidence: readonly Evidence[]): EvidenceSummary | undefined {
  const line = ({ source, summary }: Evidence) => `${source}: ${summary}`;
  for (const [state, words] of states) {
    const found = evidence.filter((one) => one.state === state);
    const [first] = found;
    if (!first) continue;
    return { state, text: found.length === 1 ? line(first) : `${found.length} checks ${words}`, details: evidence.map(line).join("\n") };
  }
  return undefined;
}

/** Returns such as "5 files · 6 edits". */
export function countsOf({ files, edits }: Pick<ReviewSummary, "files" | "edits">): string {
  return `${counted(files, "file")} · ${counted(edits, "edit")}`;
}

function counted(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${count} ${what}s`;
}
