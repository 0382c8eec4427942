// What the extension and the chat's webview say to each other. The webview
// keeps no state of its own worth keeping: replaying the messages to it since
// the last "clear" draws the same chat again.
import type { Citation, Part } from "./requests";
import type { Standing } from "./standing";

/** An answer to a question for leave. */
export type Answer = "allowOnce" | "allowAlways" | "rejectOnce" | "rejectAlways";

export type ToView =
  | { type: "clear" }
  | { type: "question"; text: string }
  | { type: "turn"; turn: string }
  /** The turn waits for the ones before it, or does so no more. */
  | { type: "waiting"; turn: string; waits: boolean }
  | { type: "part"; turn: string; part: Part }
  /** The turn has ended, and may go on from there. */
  | { type: "finished"; turn: string; outcome: string; resumable: boolean }
  /** A message that is to join the running turn, until it did. */
  | { type: "joining"; message: string; text: string }
  | { type: "joined"; message: string }
  | { type: "decided"; proposal: string; standing: Standing }
  | { type: "focus" };

export type FromView =
  | { type: "ready" }
  | { type: "send"; text: string; steer: boolean }
  | { type: "stop" }
  /** Has an answer go on that was interrupted. */
  | { type: "resume" }
  | { type: "withdraw"; turn: string }
  | { type: "answer"; permission: string; answer: Answer }
  | { type: "openCitation"; citation: Citation }
  | { type: "openLink"; href: string }
  | { type: ProposalAction; proposal: string }
  | { type: "acceptFile"; proposal: string; path: string };

export type ProposalAction =
  | "showProposal" | "acceptProposal" | "acceptPart" | "rejectProposal" | "undoProposal" | "redoProposal";
