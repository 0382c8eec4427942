// The types of the ploke/* methods. Positions have 0-based lines and 0-based UTF-16
// characters.
import { NotificationType, ProgressType, RequestType } from "vscode-languageclient/node";
import type { Diagnostic, Location, ProgressToken, Range } from "vscode-languageclient/node";
import type { Answer } from "./webviewMessages";

export interface Citation {
  uri: string;
  range: Range;
  /** The symbol at the place, if there is one. */
  canon?: string;
  /** The proposal that has these lines, if the file does not. */
  proposal?: string;
}

export type ToolCallState = "started" | "finished" | "failed";

/**
 * One part of a streamed answer. Text is Markdown; files are relative to their
 * folder. A message with replace removes the text since the last userMessage, and
 * its citations.
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
  /** A message of the user has joined the turn; the next parts answer it. */
  | { type: "userMessage"; text: string };

/** The phases of a turn: queued, started, finished. */
export type Milestone =
  | { type: "turnQueued" }
  | { type: "turnStarted"; title?: string }
  | { type: "turnFinished"; result: SendResult };

/** An event of a turn: the value of a partial result. */
export type TurnEvent = { conversationId: string; turnId: string } & (Part | Milestone);

export interface SendParams {
  conversationId?: string;
  model?: string;
  text: string;
  whileBusy: "queue" | "steer";
  partialResultToken: ProgressToken;
}

/** A model that can answer: "embedded", or PROVIDER/MODEL. */
export interface Model {
  id: string;
  contextTokens?: number;
  /** In US dollars per million tokens. */
  price?: { in: number; out: number };
  tools: boolean;
}

interface ModelsResult {
  default: string;
  models: Model[];
  problems: { provider: string; error: string }[];
}

/** The end of a turn, successful or not. */
export interface SendResult {
  conversationId: string;
  turnId: string;
  stopReason: "done" | "cancelled" | "limit" | "error";
  error?: string;
}

/** A notification of the server, about a turn or outside of turns. */
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

/** A match of a search: a message, or the title of a conversation. */
export interface SearchHit {
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

/** A permanent answer to a permission request. */
export interface PermanentPermission {
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

/** The whole texts of one file of a proposal, before and after. A partly accepted file has several views. */
export interface ProposalView {
  uri: string;
  path: string;
  newPath?: string;
  op: "edit" | "create" | "rename" | "delete";
  before: string;
  after: string;
  hunks: Hunk[];
}

/** The smallest part that can be accepted by itself. Lines are 1-based and inclusive, in the text before. */
export interface Hunk {
  id: string;
  startLine: number;
  endLine: number;
  state: string;
}

/** A conflict, in whole lines: base is the text that the hunk was made from, ours the proposed text, theirs the current text. */
export interface Conflict {
  uri: string;
  path: string;
  /** The first line of theirs, 1-based; 0 if the file was deleted. */
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

/** The state of the editor. */
export interface ClientState {
  /** The selection in the current or last focused file. */
  selection?: Location;
  visible: string[];
  /** The edited files, the last edited one first. */
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
export const chatSearch = new RequestType<{ query: string }, { results: SearchHit[] }, void>("ploke/chat/search");
export const chatExport = new RequestType<ConversationParams, { markdown: string }, void>("ploke/chat/export");
export const models = new RequestType<object, ModelsResult, void>("ploke/models");
export const permissionAsk = new RequestType<PermissionQuestion, { answer: Answer }, void>("ploke/permission/ask");
export const permissionList = new RequestType<object, { permissions: PermanentPermission[] }, void>("ploke/permission/list");
export const permissionForget = new RequestType<{ key: string }, object, void>("ploke/permission/forget");
/** A request of the server, as is clientState: the diagnostics of one document, or of all. */
export const clientDiagnostics = new RequestType<{ uri?: string }, { documents: DocumentDiagnostics[] }, void>(
  "ploke/client/diagnostics",
);
export const clientState = new RequestType<void, ClientState, void>("ploke/client/state");
export const proposalList = new RequestType<{ status?: string }, { proposals: Proposal[] }, void>(
  "ploke/proposal/list",
);
export const proposalGet = new RequestType<{ id: string }, ProposalDetails, void>("ploke/proposal/get");
/** Without files (URIs) and hunks (ids) the whole proposal is accepted. */
export const proposalAccept = new RequestType<{ id: string; files?: string[]; hunks?: string[] }, { status: string }, void>(
  "ploke/proposal/accept",
);
/** after is the whole proposed text of the file. */
export const proposalEdit = new RequestType<{ id: string; file: string; after: string }, { status: string }, void>(
  "ploke/proposal/edit",
);
export const proposalUndo = new RequestType<{ id: string }, { status: string }, void>("ploke/proposal/undo");
export const proposalRedo = new RequestType<{ id: string }, { status: string }, void>("ploke/proposal/redo");
export const proposalReject = new RequestType<{ id: string }, { status: string }, void>("ploke/proposal/reject");
export const indexStatus = new RequestType<object, IndexStatus, void>("ploke/index/status");
export const serverEvent = new NotificationType<ServerEvent>("ploke/event");
