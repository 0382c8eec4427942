// The ploke/* methods, typed. Positions are the protocol's: 0-based lines,
// 0-based UTF-16 characters. Nothing here has behaviour.
import { NotificationType, ProgressType, RequestType } from "vscode-languageclient/node";
import type { ProgressToken, Range } from "vscode-languageclient/node";

export interface Citation {
  uri: string;
  range: Range;
  /** The symbol there, empty where there is none. */
  canon?: string;
}

export type ToolCallState = "started" | "finished" | "failed";

/**
 * One piece of a streamed answer. Text is Markdown; files are relative to their
 * folder. A message that replaces takes back the text so far and its citations.
 */
export type Part =
  | { type: "message"; text?: string; replace?: boolean }
  | { type: "thought"; text?: string }
  | { type: "toolCall"; callId: string; tool: string; state: ToolCallState; summary?: string }
  | { type: "proposal"; id: string; title: string; files?: string[]; status?: string }
  | ({ type: "citation" } & Citation)
  | { type: "usage" }
  | { type: "notice"; text: string };

export interface SendParams {
  conversationId?: string;
  text: string;
  partialResultToken: ProgressToken;
}

/** The end of a turn, whatever the end was. */
export interface SendResult {
  conversationId: string;
  turnId: string;
  stopReason: "done" | "cancelled" | "limit" | "error";
  error?: string;
}

/** What the server tells without having been asked; ids name the turn it belongs to. */
export type ServerEvent = { conversationId?: string; turnId?: string } & (
  | Part
  | { type: "turnStarted"; title?: string }
  | { type: "turnFinished"; result: SendResult }
  | { type: "index"; index: IndexStatus }
);

export interface ConversationSummary {
  id: string;
  title: string;
  /** Milliseconds since 1970. */
  updatedAt: number;
  messages: number;
}

export interface HistoryMessage {
  role: "user" | "assistant";
  text: string;
  status: "pending" | "completed" | "cancelled" | "failed" | "interrupted";
  toolCalls?: { callId: string; tool: string; summary?: string; error?: string }[];
  proposals?: string[];
}

export interface Proposal {
  id: string;
  title: string;
  status: string;
  files: { path: string }[];
}

/** One file of a proposal, whole, before and after. */
export interface ProposalView {
  uri: string;
  path: string;
  before: string;
  after: string;
}

export interface IndexStatus {
  state: "starting" | "indexing" | "ready" | "paused" | "failed";
  files: number;
  symbols: number;
  error?: string;
}

export const chatList = new RequestType<object, { conversations: ConversationSummary[] }, void>("ploke/chat/list");
export const chatHistory = new RequestType<{ conversationId: string }, { messages: HistoryMessage[] }, void>(
  "ploke/chat/history",
);
export const chatSend = new RequestType<SendParams, SendResult, void>("ploke/chat/send");
export const chatSendPart = new ProgressType<Part>();
export const chatStop = new RequestType<{ conversationId: string }, object, void>("ploke/chat/stop");
export const proposalList = new RequestType<{ status?: string }, { proposals: Proposal[] }, void>(
  "ploke/proposal/list",
);
export const proposalGet = new RequestType<{ id: string }, { proposal: Proposal; files: ProposalView[] }, void>(
  "ploke/proposal/get",
);
export const proposalAccept = new RequestType<{ id: string }, { status: string }, void>("ploke/proposal/accept");
export const proposalReject = new RequestType<{ id: string }, { status: string }, void>("ploke/proposal/reject");
export const indexStatus = new RequestType<object, IndexStatus, void>("ploke/index/status");
export const serverEvent = new NotificationType<ServerEvent>("ploke/event");
