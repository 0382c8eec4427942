// The ploke/* methods, typed. Positions are the protocol's: 0-based lines,
// 0-based UTF-16 characters. Nothing here has behaviour.
import { NotificationType, ProgressType, RequestType } from "vscode-languageclient/node";
import type { Diagnostic, Location, ProgressToken, Range } from "vscode-languageclient/node";
import type { Answer } from "./messages";

export interface Citation {
  uri: string;
  range: Range;
  /** The symbol there, empty where there is none. */
  canon?: string;
}

export type ToolCallState = "started" | "finished" | "failed";

/**
 * One piece of a streamed answer. Text is Markdown; files are relative to their
 * folder. A message that replaces takes back the text since the last userMessage,
 * and its citations.
 */
export type Part =
  | { type: "message"; text?: string; replace?: boolean }
  | { type: "thought"; text?: string }
  | { type: "toolCall"; callId: string; tool: string; state: ToolCallState; summary?: string }
  | { type: "proposal"; id: string; title: string; files?: string[]; status?: string }
  | ({ type: "citation" } & Citation)
  | { type: "usage" }
  | { type: "permission"; id: string; status: "asked" | "granted" | "denied"; title?: string; detail?: string }
  | { type: "notice"; text: string }
  /** A message of the user joined the turn; what follows answers it. */
  | { type: "userMessage"; text: string };

/** Where a turn is: before its first part, in it, or behind its last. */
export type Milestone =
  | { type: "turnQueued" }
  | { type: "turnStarted"; title?: string }
  | { type: "turnFinished"; result: SendResult };

/** What happens in a turn: the value of a partial result. */
export type TurnEvent = { conversationId: string; turnId: string } & (Part | Milestone);

export interface SendParams {
  conversationId?: string;
  text: string;
  whileBusy: "queue" | "steer";
  partialResultToken: ProgressToken;
}

/** The end of a turn, whatever the end was. */
export interface SendResult {
  conversationId: string;
  turnId: string;
  stopReason: "done" | "cancelled" | "limit" | "error";
  error?: string;
}

/** What the server tells without having been asked: of a turn, or of what belongs to none. */
export type ServerEvent =
  | TurnEvent
  | ({ turnId?: undefined } & (Extract<Part, { type: "proposal" | "notice" }> | { type: "index"; index: IndexStatus }));

export interface ConversationParams {
  conversationId: string;
}

export interface ConversationSummary {
  id: string;
  title: string;
  /** Milliseconds since 1970. */
  updatedAt: number;
  messages: number;
}

export interface HistoryMessage {
  turnId: string;
  role: "user" | "assistant";
  text: string;
  status: "pending" | "completed" | "cancelled" | "failed" | "interrupted";
  toolCalls?: { callId: string; tool: string; summary?: string; error?: string }[];
  proposals?: string[];
}

/** A place where words were found: a message, or a conversation's title. */
export interface Found {
  conversationId: string;
  title: string;
  messageId?: string;
  excerpt: string;
}

export interface PermissionQuestion {
  id: string;
  conversationId: string;
  turnId: string;
  tool: string;
  title: string;
  detail?: string;
}

/** An answer to a question for leave that holds for ever. */
export interface StandingPermission {
  key: string;
  title: string;
  allowed: boolean;
  /** RFC 3339. */
  since: string;
}

export interface Proposal {
  id: string;
  title: string;
  status: string;
  files: { path: string }[];
}

/** One file of a proposal, whole, before and after; of one that was accepted in part there are several. */
export interface ProposalView {
  uri: string;
  path: string;
  newPath?: string;
  op: "edit" | "create" | "rename" | "delete";
  before: string;
  after: string;
  hunks: Hunk[];
}

/** The least that can be accepted by itself. Lines are 1-based and inclusive, in the text before. */
export interface Hunk {
  id: string;
  startLine: number;
  endLine: number;
  state: string;
}

/** Where a proposal does not fit: whole lines as the hunk found them, as it makes them, and as they are now. */
export interface Conflict {
  uri: string;
  path: string;
  /** Where theirs begins, 1-based; 0 where the file is gone. */
  line: number;
  base: string;
  ours: string;
  theirs: string;
  reason: string;
}

export interface ProposalDetails {
  proposal: Proposal;
  files: ProposalView[];
  conflicts?: Conflict[];
}

export interface DocumentDiagnostics {
  uri: string;
  diagnostics: Diagnostic[];
}

/** Where the user is. */
export interface ClientState {
  /** In the text that has the cursor, or had it last. */
  selection?: Location;
  visible: string[];
  /** Edited by the user, the last one first. */
  recent: string[];
}

export interface IndexStatus {
  state: "starting" | "indexing" | "ready" | "paused" | "failed";
  files: number;
  symbols: number;
  error?: string;
}

export const chatList = new RequestType<object, { conversations: ConversationSummary[] }, void>("ploke/chat/list");
export const chatHistory = new RequestType<ConversationParams, { messages: HistoryMessage[] }, void>(
  "ploke/chat/history",
);
export const chatSend = new RequestType<SendParams, SendResult, void>("ploke/chat/send");
export const chatSendPart = new ProgressType<TurnEvent>();
export const chatStop = new RequestType<ConversationParams, object, void>("ploke/chat/stop");
export const chatAttach = new RequestType<{ turnId: string; afterSeq: number }, { events: TurnEvent[] }, void>(
  "ploke/chat/attach",
);
export const chatRename = new RequestType<ConversationParams & { title: string }, object, void>("ploke/chat/rename");
export const chatDelete = new RequestType<ConversationParams, object, void>("ploke/chat/delete");
export const chatSearch = new RequestType<{ query: string }, { results: Found[] }, void>("ploke/chat/search");
export const chatExport = new RequestType<ConversationParams, { markdown: string }, void>("ploke/chat/export");
export const permissionAsk = new RequestType<PermissionQuestion, { answer: Answer }, void>("ploke/permission/ask");
export const permissionList = new RequestType<object, { permissions: StandingPermission[] }, void>("ploke/permission/list");
export const permissionForget = new RequestType<{ key: string }, object, void>("ploke/permission/forget");
/** Asked by the server, as is the next: of one document, or of all. */
export const clientDiagnostics = new RequestType<{ uri?: string }, { documents: DocumentDiagnostics[] }, void>(
  "ploke/client/diagnostics",
);
export const clientState = new RequestType<void, ClientState, void>("ploke/client/state");
export const proposalList = new RequestType<{ status?: string }, { proposals: Proposal[] }, void>(
  "ploke/proposal/list",
);
export const proposalGet = new RequestType<{ id: string }, ProposalDetails, void>("ploke/proposal/get");
/** Files (addresses) and hunks (ids) narrow what is accepted. */
export const proposalAccept = new RequestType<{ id: string; files?: string[]; hunks?: string[] }, { status: string }, void>(
  "ploke/proposal/accept",
);
/** After is the whole text that the file shall have. */
export const proposalEdit = new RequestType<{ id: string; file: string; after: string }, { status: string }, void>(
  "ploke/proposal/edit",
);
export const proposalUndo = new RequestType<{ id: string }, { status: string }, void>("ploke/proposal/undo");
export const proposalRedo = new RequestType<{ id: string }, { status: string }, void>("ploke/proposal/redo");
export const proposalReject = new RequestType<{ id: string }, { status: string }, void>("ploke/proposal/reject");
export const indexStatus = new RequestType<object, IndexStatus, void>("ploke/index/status");
export const serverEvent = new NotificationType<ServerEvent>("ploke/event");
