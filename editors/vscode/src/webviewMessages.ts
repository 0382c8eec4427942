// The messages between the extension and the chat's webview. The webview has no
// other state: replaying the messages since the last "clear" draws the same chat
// again.
import type { FromGuide, ToGuide } from "./guideMessages";
import type { Citation, Part, PermissionAnswer } from "./protocol";
import type { ProposalState } from "./proposalState";

/** An answer of the user to a permission request. */
export type Answer = Exclude<PermissionAnswer, "later">;

/** A part that is drawn. Those of stored messages have no number. */
export type DrawnPart = WithoutNumber<Exclude<Part, { type: "turnQueued" | "turnStarted" | "turnFinished" | "index" }>>;
type WithoutNumber<P> = P extends unknown ? Omit<P, "seq"> : never;

export type ToView =
  | { type: "clear" }
  | { type: "question"; text: string }
  | { type: "turn"; turn: string }
  /** The turn is queued behind other turns, or no longer so. */
  | { type: "waiting"; turn: string; waits: boolean }
  | { type: "part"; turn: string; part: DrawnPart }
  /** The turn has ended; the user may resume it if it is resumable. */
  | { type: "finished"; turn: string; outcome: string; resumable: boolean }
  /** A steering message, until "joined" says that it has joined the running turn. */
  | { type: "joining"; message: string; text: string }
  | { type: "joined"; message: string }
  | { type: "decided"; proposal: string; state: ProposalState }
  | { type: "guide"; message: ToGuide }
  | { type: "focus" };

export type FromView =
  | { type: "ready" }
  | { type: "guide"; message: FromGuide }
  | { type: "send"; text: string; steer: boolean }
  | { type: "stop" }
  /** Resumes an interrupted answer. */
  | { type: "resume" }
  | { type: "withdraw"; turn: string }
  | { type: "answer"; permission: string; answer: Answer }
  | { type: "openCitation"; citation: Citation }
  | { type: "openLink"; href: string }
  | { type: ProposalAction; proposal: string }
  | { type: "acceptFile"; proposal: string; path: string };

export type ProposalAction =
  | "showProposal" | "acceptProposal" | "acceptPart" | "rejectProposal" | "undoProposal" | "redoProposal";
