// The messages between the extension and the chat's webview. The webview has no
// other state: "replay" draws a whole conversation again.
import type { Chip } from "./chip";
import type { FromComposer, ToComposer } from "./composerMessages";
import type { FromGuide, ToGuide } from "./guideMessages";
import type { ChatPlace, Citation, ContextUse, ErrorKind, Part, PermissionAnswer, Usage } from "./protocol";
import type { ProposalState } from "./proposalState";
import type { ReviewAction, ReviewSummary } from "./reviewSummary";

/** An answer of the user to a permission request. */
export type Answer = Exclude<PermissionAnswer, "later">;

/** A part that is drawn. Those of stored messages have no number. */
export type DrawnPart = WithTime<WithoutNumber<Exclude<Part, Undrawn>>>;
/** Parts that change what is drawn already. */
export type Undrawn = { type: "turnQueued" | "turnStarted" | "turnFinished" | "index" | "evidence" };
type WithoutNumber<P> = P extends unknown ? Omit<P, "seq"> : never;
/** Thoughts have the time that they took, in milliseconds, if it is known. */
type WithTime<P> = P extends { type: "thought" } ? P & { durationMs?: number } : P;

/** How a turn has ended. */
export interface Ending {
  /** Empty if the answer is complete. */
  outcome: string;
  /** The user may resume it. */
  resumable: boolean;
  failure?: Failure;
  account?: Account;
}

/** Why a turn failed. */
export interface Failure {
  text: string;
  kind?: ErrorKind;
}

/** Which model answered, and what that took. */
export interface Account {
  model: string;
  usage?: Usage;
  context?: ContextUse;
}

/** What a tool call was given and what it returned. */
export interface CallTexts {
  arguments: string;
  result: string;
  /** Whether the result is longer than its text. */
  cut: boolean;
  /** The paths of the folders of the workspace, which results begin paths with. */
  folders: string[];
}

/** A way to repair what has made a turn fail. */
export type Repair = "chooseModel" | "enterKey" | "openSettings" | "newConversation";

export type ToView =
  /** The messages of a whole conversation that is shown again. They end at the position that the view has kept of it. */
  | { type: "replay"; conversation: string; messages: Drawing[] }
  /** The question of a turn, with what was attached to it. Its turn may wait for others, until "waiting" says that it does not. */
  | { type: "question"; turn: string; text: string; chips: Chip[]; waits?: boolean }
  /** There are several questions in this place; this one has a number among them, from 1. */
  | { type: "fork"; turn: string; at: number; of: number }
  /** The question was not sent; the composer has it again. */
  | { type: "refused"; turn: string }
  | { type: "turn"; turn: string }
  /** The turn is queued behind other turns, or no longer so. */
  | { type: "waiting"; turn: string; waits: boolean }
  | { type: "part"; turn: string; part: DrawnPart }
  | ({ type: "finished"; turn: string } & Ending)
  /** A steering message, which "stored" says the server has, until "joined" says that it has joined the running turn. */
  | { type: "joining"; message: string; text: string }
  | { type: "stored"; message: string }
  | { type: "joined"; message: string }
  | { type: "decided"; proposal: string; state: ProposalState }
  | { type: "guide"; message: ToGuide }
  /** What waits for a decision in this window. */
  | { type: "review"; summary?: ReviewSummary }
  /** The shown conversation has got its id. */
  | { type: "identified"; conversation: string }
  | { type: "composer"; message: ToComposer }
  /** Answers "openCall". */
  | { type: "call"; turn: string; callId: string; texts: CallTexts }
  /** Answers "findPlaces". */
  | { type: "places"; names: string[]; places: ChatPlace[] };

/** A message that draws a part of a conversation. */
export type Drawing = Exclude<ToView, { type: "replay" | "identified" | "composer" | "guide" | "review" | "call" | "places" }>;

export type FromView =
  | { type: "ready" }
  | { type: "composer"; message: FromComposer }
  | { type: "guide"; message: FromGuide }
  | { type: "review"; action: ReviewAction }
  /** Puts the question into the composer; asks it again; shows the branch with the previous (-1) or next (1) one. */
  | { type: "edit" | "retry"; turn: string }
  | { type: "step"; turn: string; by: number }
  /** Resumes an interrupted answer. */
  | { type: "resume" }
  /** Takes a message out of the queue: back into the input; for good; or into the running answer. */
  | { type: "withdraw" | "drop" | "steer"; turn: string }
  | { type: "repair"; repair: Repair }
  /** Asks for the texts of a tool call. */
  | { type: "openCall"; turn: string; callId: string }
  /** Asks what these words name in the workspace. */
  | { type: "findPlaces"; names: string[] }
  | { type: "answer"; permission: string; answer: Answer }
  | { type: "openCitation"; citation: Citation }
  | { type: "openLink"; href: string }
  | { type: "copyCode"; text: string }
  /** Inserts code at the cursor of the active editor. */
  | { type: "insertCode"; text: string }
  /** Asks the model to make an edit of code; puts it into a new document. */
  | { type: "applyCode" | "newFile"; text: string; language: string }
  /** Shows a diagram in VS Code's preview of Markdown. */
  | { type: "openDiagram"; text: string }
  /** The version is that of the proposal which the card shows. */
  | { type: ProposalAction; proposal: string; version?: string }
  | { type: FileAction; proposal: string; file: string; version?: string };

export type ProposalAction =
  | "showProposal" | "acceptProposal" | "rejectProposal" | "undoProposal" | "redoProposal";

/** An action on one file of a proposal, named by its uri. */
export type FileAction = "showFile" | "acceptFile" | "rejectFile" | "resolveFile";
