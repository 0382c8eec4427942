// Generated from lsp/protocol by go generate ./lsp/protocol. Do not edit.
// The types of the ploke/* methods; docs/protocol.md describes them. Positions are those of LSP.
import { NotificationType, RequestType } from "vscode-languageclient/node";
import type { Diagnostic, Location, ProgressToken, Range } from "vscode-languageclient/node";

/** The newest and the oldest version of the methods that these types describe. */
export const version = 1;
export const oldestVersion = 1;

/** AskParams is the argument of ploke.ask. */
export interface AskParams {
  /** Without it the chat document opens, with the attachment mentioned in it */
  text?: string;
  /** By default a new one */
  conversationId?: string;
  attachment?: Attachment;
}

/**
 * An Attachment is a file, a range of one, or a folder that is sent with a message. Of a file its lines are
 * sent, of a folder the names of its files with those of their symbols.
 */
export interface Attachment {
  /** Also of a cell of an open notebook, with a range in it */
  uri: string;
  /** The lines that it touches; by default the whole file */
  range?: Range;
  /**
   * Is the number of the cell that the range begins in, from 1. The server sends it with what was attached of a
   * notebook, and ignores it otherwise.
   */
  cell?: number;
}

/** AttachmentDetails is what would be sent for an attachment. */
export interface AttachmentDetails {
  /** Relative to its workspace folder */
  path: string;
  /** It is a folder, of which the outline is sent */
  folder?: boolean;
  /** How many lines are sent */
  lines: number;
  /** Of what is sent, in UTF-8 */
  bytes: number;
}

/** A ByteRange is the range [start,end) of a file in UTF-8. */
export interface ByteRange {
  /** 0-based, in bytes */
  start: number;
  /** 0-based, in bytes */
  end: number;
}

/**
 * Capabilities are the versions and the methods that one side supports. The client sends them as
 * capabilities.experimental.ploke of initialize or, if it can't, as clientCapabilities.ploke in
 * initializationOptions. The server replies with the newest version that both sides speak.
 */
export interface Capabilities {
  /** Of the client: the newest one that it speaks; 1 if it is omitted */
  version?: number;
  /** Of the client: the oldest one that it speaks; by default the same */
  oldest?: number;
  /** Which the sender of this handles */
  methods: string[];
}

/** ChatAttachParams selects the parts of a turn from the one after a number on. */
export interface ChatAttachParams {
  turnId: string;
  /** As in Part; 0 for all */
  afterSeq: number;
}

/**
 * ChatAttachResult holds the parts of the turn so far. Later parts are sent as ploke/event, each one once. The
 * first of them may arrive before this result.
 */
export interface ChatAttachResult {
  events: Event[];
}

/** ChatCompleteParams is the beginning of a message. */
export interface ChatCompleteParams {
  /** Before the cursor */
  text: string;
  /** Is the conversation that the message is for: the files that it is about come before others. */
  conversationId?: string;
  /** Are those of the client that a word behind / may stand for. By default none are offered. */
  actions?: ClientAction[];
}

/**
 * ChatCompleteResult holds what the word before the cursor may become. There are no items if it is not one of
 * these words.
 */
export interface ChatCompleteResult {
  /** How many UTF-16 code units before the cursor an item replaces */
  replace: number;
  /** The best first; they fit the word, so a client need not filter them */
  items: ChatCompletion[];
}

/** A ChatCompletion is one way to complete the word. */
export interface ChatCompletion {
  kind: CompletionKind;
  label: string;
  /** The letters of the label that the word has: offsets in UTF-16 code units */
  matched?: number[];
  detail?: string;
  /** The text that replaces the word, without a space behind it */
  insert: string;
  /** What it names, for ChatSendParams; omitted for a command */
  attachment?: Attachment;
  /** Is what the client does instead of inserting a text, which is empty. */
  action?: ClientAction;
}

/** ChatCreateParams describes a new conversation. */
export interface ChatCreateParams {
  title?: string;
}

/** ChatCreateResult holds the id of the new conversation. */
export interface ChatCreateResult {
  conversationId: string;
}

/** ChatDeleteParams deletes a conversation with its messages. */
export interface ChatDeleteParams {
  conversationId: string;
}

/** ChatDocumentParams names a section of a chat document. */
export interface ChatDocumentParams {
  /** By default the chat document that was opened or changed last */
  uri?: string;
  /** The number of the section; by default the last one */
  turn?: number;
  /** The person wants to send from a document that this server did not write */
  trusted?: boolean;
}

/** ChatExportParams selects a branch. */
export interface ChatExportParams {
  conversationId: string;
  /** Of the last message; by default the newest one */
  leafId?: string;
}

/** ChatExportResult holds the exported text. */
export interface ChatExportResult {
  markdown: string;
}

/** ChatHistoryParams selects a branch. */
export interface ChatHistoryParams {
  conversationId: string;
  /** Of the last message; by default the newest one */
  leafId?: string;
}

/** ChatHistoryResult holds the messages of a branch. */
export interface ChatHistoryResult {
  /** The oldest first */
  messages: Message[];
}

/** ChatListResult holds all conversations. */
export interface ChatListResult {
  /** The most recently updated first */
  conversations: Conversation[];
}

/** A ChatMention is a file, lines of one, a folder or a symbol in a message. */
export interface ChatMention {
  /** As it is in the message, with the @ or the # */
  text: string;
  attachment: Attachment;
  /** Omitted if there is a problem */
  details?: AttachmentDetails;
  /** Why ploke/chat/send would refuse it */
  problem?: string;
}

/** ChatMentionsParams is a message. */
export interface ChatMentionsParams {
  text: string;
}

/** ChatMentionsResult holds what a message mentions, in the order of the text, each once. */
export interface ChatMentionsResult {
  mentions: ChatMention[];
  /** Words behind an @ or a # that are just text */
  unknown?: UnknownMention[];
}

/** A ChatPlace is what a word names. */
export interface ChatPlace {
  /** The word */
  name: string;
  uri: string;
  /** The name of the symbol, or the lines of the file; omitted for a whole file */
  range?: Range;
  /** Is that of a symbol, in its language. It is omitted for a file. */
  signature?: string;
  /** The path of the file, or the symbol's, relative to the workspace */
  label: string;
}

/** ChatPlacesParams holds words, of which the first 200 are looked for. */
export interface ChatPlacesParams {
  names: string[];
}

/**
 * ChatPlacesResult holds what the words name, in their order. A word that names several things has several
 * places, at most 20; one that names nothing has none.
 */
export interface ChatPlacesResult {
  places: ChatPlace[];
}

/** ChatRenameParams changes the title of a conversation. */
export interface ChatRenameParams {
  conversationId: string;
  title: string;
}

/** A ChatSearchHit is a message or, without its id, the title of a conversation. */
export interface ChatSearchHit {
  conversationId: string;
  title: string;
  /** Also the leaf of the history up to it, for ChatHistoryParams */
  messageId?: string;
  role?: MessageRole;
  excerpt: string;
  /** In milliseconds since 1970 */
  at: number;
}

/** ChatSearchParams searches all titles and messages for words. */
export interface ChatSearchParams {
  query: string;
  /** By default 50 */
  limit?: number;
}

/** ChatSearchResult holds the titles and messages that contain all words. */
export interface ChatSearchResult {
  /** The newest first */
  results: ChatSearchHit[];
}

/**
 * ChatSendParams is a message. A message with the same parent as an earlier one begins a branch beside it,
 * whatever that one is: to edit a message, send the new text with the parent of the old one; to retry an answer,
 * send the same text and attachments with the same parent. The parent of the first message is root.
 * ploke/chat/siblings lists such alternatives.
 */
export interface ChatSendParams {
  /** For work-done progress */
  workDoneToken?: ProgressToken;
  /** For the parts of the turn */
  partialResultToken?: ProgressToken;
  /** By default a new one */
  conversationId?: string;
  /** Of the message that it follows, or root; by default the newest one */
  parentId?: string;
  text: string;
  attachments?: Attachment[];
  /** The id of a Model; by default as the settings say */
  model?: string;
  /** By default queue */
  whileBusy?: WhileBusy;
}

/** ChatSendResult is the outcome of a turn, for every stop reason. */
export interface ChatSendResult {
  conversationId: string;
  /** Of the sent message, also if messages have steered the turn */
  messageId: string;
  /** Of its own answer */
  assistantMessageId: string;
  turnId: string;
  /** Of the whole turn, Markdown */
  text: string;
  citations: Citation[];
  stopReason: StopReason;
  /** Why it ended with limit or error */
  error?: string;
  /** With error, if it is known */
  errorKind?: ErrorKind;
  /** The embedded model says that it can't do what was asked, or has found nothing */
  declined?: boolean;
  usage: Usage;
  /** The ids of those that it has staged */
  proposals: string[];
  /** The id of the Model that answered last; omitted if none was found */
  model?: string;
  /** Omitted if no request was sent */
  context?: ContextUse;
}

/** ChatSentParams says which messages come first. */
export interface ChatSentParams {
  /** Its messages come first; by default none */
  conversationId?: string;
  /** By default 100 */
  limit?: number;
}

/**
 * ChatSentResult holds the texts of sent messages, each one once: those of the conversation, then those of the
 * workspace's other conversations, the newest first.
 */
export interface ChatSentResult {
  texts: string[];
}

/** ChatSiblingsParams selects a branch. */
export interface ChatSiblingsParams {
  conversationId: string;
  /** Of the last message; by default the newest one */
  leafId?: string;
}

/** ChatSiblingsResult holds the forks of the branch. */
export interface ChatSiblingsResult {
  /** The one nearest to the root first */
  forks: Fork[];
}

/** ChatStopParams names a conversation. */
export interface ChatStopParams {
  conversationId: string;
}

/**
 * A Citation is the source of a part of an answer: a range of a file, or of what a proposal that waits would
 * make of it.
 */
export interface Citation {
  /** With the scheme ploke-proposal if proposal is set */
  uri: string;
  range: Range;
  /** The canonical name of the symbol there, if there is one */
  canon?: string;
  /** The id of the proposal */
  proposal?: string;
  /** The number of the cell that the range begins in, from 1, of a notebook */
  cell?: number;
}

/** ClientAction is something that a client does when the person chooses it. */
export type ClientAction = "new" | "model" | "help" | "addCommand";

/** ClientDiagnosticsParams selects documents. */
export interface ClientDiagnosticsParams {
  /** By default all documents */
  uri?: string;
}

/** ClientDiagnosticsResult holds the diagnostics of the documents' current text. */
export interface ClientDiagnosticsResult {
  /** Those without diagnostics may be omitted */
  documents: DocumentDiagnostics[];
}

/** ClientLSPParams is a request to a language server. */
export interface ClientLSPParams {
  /** Identifies this request in LSPAnswer */
  request: string;
  /** The id of an LSPServer */
  server: string;
  /** Of the document that the request is about */
  uri: string;
  /** Of the document, as the server has it; omitted if it is not open */
  version?: number;
  /** A client refuses any other one */
  method: LSPMethod;
  /** Of the method, with positions in the server's encoding */
  params: unknown;
}

/** ClientLSPServersParams names a document, which need not be open. */
export interface ClientLSPServersParams {
  uri: string;
}

/** ClientLSPServersResult holds the servers, none if the editor has none for the document. */
export interface ClientLSPServersResult {
  servers: LSPServer[];
}

/** A ClientModel is a model of the editor. */
export interface ClientModel {
  /** Such as copilot/gpt-4.1; the server uses it only to name the model */
  id: string;
  /** Omitted if it is unknown */
  contextTokens?: number;
  /** It can call tools */
  tools: boolean;
}

/**
 * ClientModelSendParams is a request to a model. Messages of the user and of the assistant alternate, but for
 * the results of tools, which follow the calls. At most one message of the system is the first.
 */
export interface ClientModelSendParams {
  /** Identifies this request in ModelPartParams */
  request: string;
  /** The id of a ClientModel */
  model: string;
  messages: ModelMessage[];
  tools: ModelTool[];
}

/** ClientModelSendResult is how an answer has ended. */
export interface ClientModelSendResult {
  /** How many were sent */
  parts: number;
  /** By default stop */
  finish?: ModelFinish;
  /** Of the request; omitted if it is unknown */
  inTokens?: number;
  outTokens?: number;
  /** Omitted if the answer is whole */
  error?: ModelFailure;
  /** With an error: what the editor says of it */
  message?: string;
}

/** ClientModelsResult holds the models, none if the editor has none. */
export interface ClientModelsResult {
  models: ClientModel[];
}

/** ClientState is the state of the editor. The documents may include URIs that are not files. */
export interface ClientState {
  /**
   * Is the selection in the document that has the cursor, or had it last. Its range is empty if nothing is
   * selected.
   */
  selection?: Location;
  /** On the screen */
  visible: string[];
  /** Edited by the person, the most recent first; the server uses at most ten */
  recent: string[];
  /**
   * Are those that the person has open, the last used first; by default those that the client has opened with
   * textDocument/didOpen.
   */
  open?: string[];
}

/** ClientTerminalResult is the last command in a terminal. It may run still. */
export interface ClientTerminalResult {
  /** Empty if there was none, or the shell does not tell */
  command: string;
  /** Its end, at least 32 KiB of it; control sequences are taken out */
  output: string;
  /** Omitted if the command runs, or the shell does not tell */
  exitCode?: number;
}

/** CompletionKind is what a completion names. */
export type CompletionKind = "file" | "folder" | "symbol" | "command" | "action";

/**
 * A Conflict is a range of lines where a proposal conflicts with the current text. Hunks whose ranges overlap or
 * touch share one conflict.
 */
export interface Conflict {
  uri: string;
  /** Relative to its workspace folder */
  path: string;
  /** Their ids */
  hunks: string[];
  /** The 1-based first line of theirs, or 0 if the file no longer exists */
  line: number;
  /** The lines before the proposal */
  base: string;
  /** The lines after the proposal */
  ours: string;
  /** The lines now */
  theirs: string;
  reason: string;
}

/** ContextUse says how full the context window of a model is. */
export interface ContextUse {
  /** Tokens of the last request and of its answer */
  used: number;
  /** Of the model, in tokens; omitted if it has none */
  window?: number;
}

/** A Conversation is the summary of a conversation. */
export interface Conversation {
  id: string;
  title: string;
  /** In milliseconds since 1970 */
  updatedAt: number;
  /** How many it has */
  messages: number;
  /** Is what a list shows of it; omitted if there is nothing to show. */
  state?: ConversationState;
}

/** ConversationState says that a conversation may want the person. */
export type ConversationState = "running" | "waiting" | "failed";

/** A DoctorResult says how everything is that the server needs. It never contains a key. */
export interface DoctorResult {
  /** The findings as a document */
  markdown: string;
  findings: Finding[];
}

/** DocumentDiagnostics holds the diagnostics of one document. */
export interface DocumentDiagnostics {
  uri: string;
  diagnostics: Diagnostic[];
}

/** EmbeddingState is the state of an index's vectors. */
export type EmbeddingState = "waiting" | "asking" | "making" | "ready" | "failed";

/** EmbeddingStatus is the progress of making vectors. */
export interface EmbeddingStatus {
  /** PROVIDER/MODEL */
  model: string;
  state: EmbeddingState;
  /** How many of the total have a vector now */
  passages: number;
  /** The passages that had no vector at the start */
  total: number;
  error?: string;
}

/** ErrorKind is what kind of error ended a turn, so that a client can offer what helps. */
export type ErrorKind = "auth" | "quota" | "budget" | "busy" | "network" | "model" | "context" | "refused" | "limit" | "internal";

/**
 * An Event is the parameter of ploke/event and the value of a partial result of ploke/chat/send. It is a part of
 * the turn with the given ids or, without ids, a change of the index, of the review or of a proposal. The
 * partial results of a message that steers begin with a part steering once it is stored, and repeat the parts of
 * the turn from there on, also the userMessage with the message's id, if it joins.
 */
export type Event = Part & {
  conversationId?: string;
  turnId?: string;
};

/**
 * Evidence is what one source says of a proposal as it is now: whether it builds, or what its tests say. No
 * decision depends on it.
 */
export interface Evidence {
  /** Names it among those of the proposal, such as "go vet" */
  source: string;
  kind: EvidenceKind;
  state: EvidenceState;
  /** The state in one line, with the reason */
  summary: string;
  /** As people write it */
  command?: string;
  /** Those that are not there without the proposal, at most 100 */
  problems?: EvidenceProblem[];
  /** How many more there are */
  omitted?: number;
  /** How many problems there are without the proposal, too */
  before?: number;
  /** How many tests */
  passed?: number;
  /** How many tests */
  failed?: number;
  /** What the command has printed, or its end; only in ProposalGetResult and ProposalCheckResult */
  output?: string;
  /** In milliseconds since 1970 */
  startedAt?: number;
  /** Of the command, in milliseconds */
  durationMs?: number;
}

/** EvidenceKind is what a piece of evidence comes from. */
export type EvidenceKind = "syntax" | "problems" | "command";

/** An EvidenceProblem is a problem that is not there without the proposal. */
export interface EvidenceProblem {
  /** Of the file as the proposal leaves it; omitted if it is of no file */
  uri?: string;
  /** Relative to its workspace folder */
  path?: string;
  /** 1-based, in the text after the change; omitted if it is of the whole file */
  line?: number;
  message: string;
  /** That the source gives it */
  code?: string;
  warning?: boolean;
}

/** EvidenceState is what a source has found. */
export type EvidenceState = "running" | "passed" | "failed" | "unknown" | "stale";

/** ExamplesResult holds questions about names of the workspace. It is empty while nothing is indexed. */
export interface ExamplesResult {
  /** At most four; each is a whole message */
  questions: string[];
}

/** FileOp is what a proposal does to a file. */
export type FileOp = "edit" | "create" | "rename" | "delete";

/** A Finding says how one thing is, and what to do if it does not work. */
export interface Finding {
  level: FindingLevel;
  /** One word, such as index */
  what: string;
  text: string;
  /**
   * Corrects it if a person runs it in a terminal, or leads on. A word in capitals, such as YOUR-KEY, has to be
   * replaced first.
   */
  command?: string;
}

/** FindingLevel is how serious a finding is. */
export type FindingLevel = "ok" | "warning" | "error";

/** FixParams is the argument of ploke.fix. */
export interface FixParams {
  /** By default the place is where the cursor was last */
  uri?: string;
  /** Of the problem */
  range?: Range;
  /** As a compiler describes it */
  problem?: string;
}

/** A Fork is two or more messages with the same parent. */
export interface Fork {
  /** Omitted at the root */
  parentId?: string;
  /** The oldest first */
  messages: Sibling[];
}

/**
 * A Hunk is one edit, the smallest part that can be decided on. A rename is a separate hunk, which is the first
 * one and changes no text.
 */
export interface Hunk {
  id: string;
  /** 1-based, in the text before the change */
  startLine: number;
  /** 1-based and inclusive, in the text before the change */
  endLine: number;
  state: ProposalStatus;
}

/** IndexProgress is the progress of a scan of one workspace folder. */
export interface IndexProgress {
  /** Scanned, including unchanged ones */
  files: number;
  /** 0 until it is known */
  totalFiles: number;
  /** Found by this scan */
  symbols: number;
  /** 0 to 100 */
  percent: number;
  /** An estimate, if there is one */
  secondsLeft?: number;
}

/** IndexState is the state of an index. */
export type IndexState = "starting" | "indexing" | "ready" | "paused" | "failed";

/** IndexStatus is the state of the index and the size of its contents. */
export interface IndexStatus {
  state: IndexState;
  files: number;
  symbols: number;
  references: number;
  /** Why it failed */
  error?: string;
  /** While a scan runs */
  progress?: IndexProgress;
  /** If the settings name a model for vectors */
  embedding?: EmbeddingStatus;
}

/** LSPAnswer is the answer of a language server. */
export interface LSPAnswer {
  /** With ploke/lsp/answer: that of the params */
  request?: string;
  /**
   * Postpones the answer: the client can't keep a request open, and sends ploke/lsp/answer afterwards. Then it
   * sends what has been typed first.
   */
  later?: boolean;
  /** Of the method, as the language server has sent it */
  result?: unknown;
  /** The server's error, if it has answered with one */
  refusal?: string;
  /** Why there is no answer of the server */
  failure?: string;
  /** Is that of the document which the server has answered for, if it is open in the editor. */
  version?: number;
  /**
   * Says that the server has not answered for the text of the question: the document has changed meanwhile, or has
   * text that this server does not have.
   */
  changed?: boolean;
  /** As it is after the answer */
  server?: LSPServer;
}

/** LSPMethod is a method of LSP that reads, or returns an edit. There is none that changes anything. */
export type LSPMethod = "textDocument/definition" | "textDocument/references" | "textDocument/implementation" | "textDocument/prepareRename" | "textDocument/rename" | "textDocument/prepareCallHierarchy" | "callHierarchy/incomingCalls" | "callHierarchy/outgoingCalls" | "textDocument/diagnostic" | "textDocument/codeAction";

/** An LSPServer is a language server of the editor. */
export interface LSPServer {
  /** Identifies the server in ClientLSPParams */
  id: string;
  /** For people, such as gopls */
  name: string;
  /** That the server gives itself; omitted if it is unknown */
  version?: string;
  /** Of positions in requests to the server and in its answers */
  encoding: string;
  /** That the server answers */
  methods: LSPMethod[];
  /** Titles of what it does, as it has told with $/progress */
  running?: string[];
  /** Titles of what it has done; some are enough */
  ended?: string[];
}

/** A LedgerEntry is one request to a provider. */
export interface LedgerEntry {
  /** In milliseconds since 1970 */
  at: number;
  conversationId: string;
  turnId: string;
  provider: string;
  /** Omitted for the embedded model, which runs inside the server */
  host?: string;
  model?: string;
  /** Of the messages and tools of the request */
  bytes: number;
  /** That were replaced with placeholders */
  secrets: number;
  /** The ranges that no earlier request of the turn had sent to the provider */
  files: SentFile[];
  usage: Usage;
  /** In milliseconds */
  latencyMs: number;
}

/** LedgerParams filters the ledger. */
export interface LedgerParams {
  /** In milliseconds since 1970 */
  since?: number;
  conversationId?: string;
  turnId?: string;
  /** Of entries, of which the newest are kept; 0 means no limit */
  limit?: number;
}

/** LedgerResult holds the requests to providers and their total. */
export interface LedgerResult {
  /** The oldest first */
  entries: LedgerEntry[];
  total: Usage;
  /** The cost of the workspace's requests of this day, in US dollars */
  today: number;
  /** Of that cost, in US dollars; omitted if there is none */
  dailyLimit?: number;
}

/** A MarkdownDocument is a document to read. It never contains a key. */
export interface MarkdownDocument {
  markdown: string;
}

/** A Message is one message of a conversation. */
export interface Message {
  id: string;
  turnId: string;
  /** Omitted at the root */
  parentId?: string;
  role: MessageRole;
  /** Markdown */
  text: string;
  status: MessageStatus;
  /** Why the turn failed, was interrupted or reached a limit */
  error?: string;
  /** With error, if it is known */
  errorKind?: ErrorKind;
  /** In their order */
  toolCalls?: ToolCall[];
  /** The ids of those that the turn has staged */
  proposals?: string[];
  /** In milliseconds since 1970 */
  createdAt: number;
  /** Of a user's message; sent again, they show the files as they are then */
  attachments?: Attachment[];
  /**
   * Of an assistant's message. The parts are those that a client that followed the turn has drawn for this answer,
   * in order: message, thought, toolCall, proposal, notice, citation and usage. Adjacent texts are joined, and a
   * tool call or a proposal is one part with its last state. They have no numbers. Permission requests are not
   * stored.
   */
  parts?: Part[];
  /** The id of the Model that answered last */
  model?: string;
  /** Omitted while the message is pending */
  stopReason?: StopReason;
  /** Of the turn; with its last answer */
  usage?: Usage;
  /** With the turn's last answer */
  context?: ContextUse;
}

/** MessageRole is who wrote a message. */
export type MessageRole = "user" | "assistant";

/** MessageStatus is the state of a message. That of a user's message is completed. */
export type MessageStatus = "pending" | "completed" | "cancelled" | "failed" | "interrupted";

/** Metrics counts turns, requests to providers and tool calls. */
export interface Metrics {
  /** By MessageStatus */
  turns: Record<string, number>;
  requests: number;
  usage: Usage;
  tools: ToolMetrics[];
}

/** MetricsResult holds the metrics of two periods. */
export interface MetricsResult {
  /** Of the server */
  sinceStart: Metrics;
  /** Of all turns in the workspace's database */
  stored: Metrics;
}

/** A Model is a model that ChatSendParams can name. */
export interface Model {
  /** "embedded" or PROVIDER/MODEL */
  id: string;
  /** By the settings */
  configured: boolean;
  /** Omitted if it is unknown */
  contextTokens?: number;
  /** Omitted if it is unknown */
  price?: Price;
  /** It can call tools */
  tools: boolean;
  reasoning: boolean;
  /** Are words for how long it reasons. With one of them it is called PROVIDER/MODEL#EFFORT. */
  efforts?: string[];
}

/** A ModelCall is a call of a tool. */
export interface ModelCall {
  id: string;
  name: string;
  /** The JSON of an object, as the model wrote it */
  arguments: string;
}

/** ModelChooseParams names the model. */
export interface ModelChooseParams {
  /** "embedded" or PROVIDER/MODEL; by default as the settings say */
  model?: string;
}

/** ModelDefaultResult names the model. */
export interface ModelDefaultResult {
  /** "embedded" or PROVIDER/MODEL */
  model: string;
}

/** ModelFailure is why a model has not answered. */
export type ModelFailure = "notAllowed" | "notFound" | "blocked" | "quota" | "failed";

/** ModelFinish is why an answer has ended. */
export type ModelFinish = "stop" | "length";

/** A ModelMessage is a message to a model. */
export interface ModelMessage {
  role: ModelRole;
  text: string;
  /** Of an assistant's message */
  calls?: ModelCall[];
  /** Of a tool's message: the call whose result it is */
  callId?: string;
}

/** ModelPartParams is a part of an answer: text, a thought or a call. */
export interface ModelPartParams {
  request: string;
  /** 1 for the first part; a missing one ends the answer with an error */
  seq: number;
  text?: string;
  thought?: string;
  /** Complete */
  call?: ModelCall;
}

/** ModelRole is the author of a message to a model. */
export type ModelRole = "system" | "user" | "assistant" | "tool";

/** ModelTestParams names the model to test. */
export interface ModelTestParams {
  /** "embedded" or PROVIDER/MODEL */
  model: string;
}

/** ModelTestResult says whether the model answered. */
export interface ModelTestResult {
  ok: boolean;
  /** What went wrong, and what to try; only if not ok */
  error?: string;
  /** Until the end of the answer or the error, in milliseconds */
  latencyMs: number;
}

/** A ModelTool is a tool that the model may call. */
export interface ModelTool {
  name: string;
  description: string;
  /** The JSON of the JSON Schema of its arguments */
  schema: string;
}

/** A ModelsProblem is the error of a provider that could not list its models. */
export interface ModelsProblem {
  provider: string;
  error: string;
}

/** ModelsResult holds the configured models and those that the providers list. */
export interface ModelsResult {
  /** The id of the model that is used if a message names none */
  default: string;
  models: Model[];
  /** Providers that could not list their models */
  problems: ModelsProblem[];
}

/** NotebookCellParams names a line of a file, counted from 0. */
export interface NotebookCellParams {
  uri: string;
  line: number;
}

/** NotebookCellResult is a cell, and a line of its source. Both count from 0. */
export interface NotebookCellResult {
  cell: number;
  line: number;
}

/** Text to append to the answer */
export interface PartMessage {
  /** Increases within a conversation; 0 for a part that belongs to no running turn */
  seq: number;
  type: "message";
  /** To append, or of the user's message; Markdown */
  text?: string;
  /** The text replaces that of the answer, and its citations, since the last userMessage or the start */
  replace?: boolean;
}

/** Text to append to what the model thinks */
export interface PartThought {
  /** Increases within a conversation; 0 for a part that belongs to no running turn */
  seq: number;
  type: "thought";
  /** To append, or of the user's message; Markdown */
  text: string;
}

/** A tool call starts, or has ended */
export interface PartToolCall {
  /** Increases within a conversation; 0 for a part that belongs to no running turn */
  seq: number;
  type: "toolCall";
  /** Omitted outside of tool calls */
  callId: string;
  /** Its name */
  tool: string;
  state: ToolCallState;
  /** Of its result, or why it failed */
  summary?: string;
  /** How long a call that has ended took, in milliseconds. */
  durationMs?: number;
  title?: string;
}

/** What a running tool call prints for the person, such as the output of a command: plain text to append */
export interface PartToolOutput {
  /** Increases within a conversation; 0 for a part that belongs to no running turn */
  seq: number;
  type: "toolOutput";
  /** To append, or of the user's message; Markdown */
  text: string;
  /** Omitted outside of tool calls */
  callId: string;
}

/** A proposal is staged or amended, or its status has changed */
export interface PartProposal {
  /** Increases within a conversation; 0 for a part that belongs to no running turn */
  seq: number;
  type: "proposal";
  /** Of the proposal, of the message, of the permission request; Title of a call that has started says what it does */
  id: string;
  title?: string;
  /** Paths relative to their workspace folders */
  files?: string[];
  status: ProposalStatus;
  /** Is that of a proposal of which nothing is decided, as in Proposal. */
  version?: string;
}

/** A request to the model has ended */
export interface PartUsage {
  /** Increases within a conversation; 0 for a part that belongs to no running turn */
  seq: number;
  type: "usage";
  usage: Usage;
}

/** What is known of a proposal has changed */
export interface PartEvidence {
  /** Increases within a conversation; 0 for a part that belongs to no running turn */
  seq: number;
  type: "evidence";
  /** Of the proposal, of the message, of the permission request; Title of a call that has started says what it does */
  id: string;
  /** Is that of a proposal of which nothing is decided, as in Proposal. */
  version?: string;
  /** Of the proposal, by source, without what commands have printed */
  evidence: Evidence[];
}

/** A source of the answer */
export interface PartCitation {
  /** Increases within a conversation; 0 for a part that belongs to no running turn */
  seq: number;
  type: "citation";
  /** With the scheme ploke-proposal if proposal is set */
  uri: string;
  range: Range;
  /** The canonical name of the symbol there */
  canon?: string;
  /** The id of the proposal that has the lines, if the file does not */
  proposal?: string;
  /** The number of the cell that the range begins in, from 1, of a notebook */
  cell?: number;
}

/** A sentence about the turn for the person */
export interface PartNotice {
  /** Increases within a conversation; 0 for a part that belongs to no running turn */
  seq: number;
  type: "notice";
  /** To append, or of the user's message; Markdown */
  text: string;
}

/** The turn starts when the turns before it have ended */
export interface PartTurnQueued {
  /** Increases within a conversation; 0 for a part that belongs to no running turn */
  seq: number;
  type: "turnQueued";
}

/** The message is stored, and waits to join the turn; sent only as a partial result of that message */
export interface PartSteering {
  /** Increases within a conversation; 0 for a part that belongs to no running turn */
  seq: number;
  type: "steering";
  /** Of the proposal, of the message, of the permission request; Title of a call that has started says what it does */
  id: string;
}

/** A message joined the turn; the parts that follow answer it */
export interface PartUserMessage {
  /** Increases within a conversation; 0 for a part that belongs to no running turn */
  seq: number;
  type: "userMessage";
  /** To append, or of the user's message; Markdown */
  text: string;
  /** Of the proposal, of the message, of the permission request; Title of a call that has started says what it does */
  id: string;
}

/** A permission request to the person, or its answer */
export interface PartPermission {
  /** Increases within a conversation; 0 for a part that belongs to no running turn */
  seq: number;
  type: "permission";
  /** Omitted outside of tool calls */
  callId?: string;
  /** Its name */
  tool?: string;
  /** Of the proposal, of the message, of the permission request; Title of a call that has started says what it does */
  id: string;
  title?: string;
  status: PermissionStatus;
  /** What exactly is asked */
  detail?: string;
  /** As in PermissionAskParams */
  onlyOnce?: boolean;
  /** As in PermissionAskParams */
  exact?: boolean;
}

/** The turn has begun */
export interface PartTurnStarted {
  /** Increases within a conversation; 0 for a part that belongs to no running turn */
  seq: number;
  type: "turnStarted";
  title?: string;
}

/** The turn has ended; its last part */
export interface PartTurnFinished {
  /** Increases within a conversation; 0 for a part that belongs to no running turn */
  seq: number;
  type: "turnFinished";
  result: ChatSendResult;
}

/** The state of the index has changed */
export interface PartIndex {
  /** Increases within a conversation; 0 for a part that belongs to no running turn */
  seq: number;
  type: "index";
  index: IndexStatus;
}

/** The result of ploke/review has changed */
export interface PartReview {
  /** Increases within a conversation; 0 for a part that belongs to no running turn */
  seq: number;
  type: "review";
}

/**
 * A Part is one step of a turn, sent when it happens. Several steps may be joined to one part, whose number is
 * that of the last one. A text that replaces others begins with the texts of the complete responses of the
 * model, such as those before tool calls: a client can leave them where they are.
 */
export type Part =
  | PartMessage
  | PartThought
  | PartToolCall
  | PartToolOutput
  | PartProposal
  | PartUsage
  | PartEvidence
  | PartCitation
  | PartNotice
  | PartTurnQueued
  | PartSteering
  | PartUserMessage
  | PartPermission
  | PartTurnStarted
  | PartTurnFinished
  | PartIndex
  | PartReview;

/** PartType is the type of a Part. */
export type PartType = "message" | "thought" | "toolCall" | "toolOutput" | "proposal" | "usage" | "evidence" | "citation" | "notice" | "turnQueued" | "steering" | "userMessage" | "permission" | "turnStarted" | "turnFinished" | "index" | "review";

/** PermissionAnswer is an answer to a permission request. Those that hold always do so for this workspace. */
export type PermissionAnswer = "allowOnce" | "allowAlways" | "allowExact" | "rejectOnce" | "rejectAlways" | "later";

/** PermissionAnswerParams answers the permission request with this id. */
export interface PermissionAnswerParams {
  id: string;
  answer: PermissionAnswer;
}

/** PermissionAskParams is a question to the person. */
export interface PermissionAskParams {
  /** Of the permission request, as in the parts of the turn */
  id: string;
  /** Empty outside of turns */
  conversationId: string;
  /** Empty outside of turns */
  turnId: string;
  /** Empty outside of tool calls */
  callId: string;
  /** Empty outside of tool calls */
  tool: string;
  /** One line: the action that needs permission */
  title: string;
  detail?: string;
  /**
   * Says that the detail is not all of what would be done. Then the client offers no answer that holds always, and
   * the server takes one for its answer to this request alone.
   */
  onlyOnce?: boolean;
  /**
   * Says that the title is about more than the detail shows, such as all commands. Then the client may offer
   * allowExact, too.
   */
  exact?: boolean;
}

/** PermissionAskResult is the answer of the person. Anything but an answer of this type counts as rejectOnce. */
export interface PermissionAskResult {
  answer: PermissionAnswer;
}

/** PermissionForgetParams names the answer to delete. */
export interface PermissionForgetParams {
  key: string;
}

/** PermissionListResult holds the standing answers. */
export interface PermissionListResult {
  /** Sorted by key */
  permissions: StandingPermission[];
}

/** PermissionStatus is the state of a permission request. */
export type PermissionStatus = "asked" | "granted" | "denied";

/** A Price is in US dollars per million tokens. */
export interface Price {
  in: number;
  out: number;
  /** Of tokens that are read from the provider's cache; by default as in */
  cachedIn?: number;
  /** Of tokens that are written to the provider's cache; by default as in */
  cacheWrite?: number;
}

/** A Problem is a syntax error. */
export interface Problem {
  /** 1-based, in the text after the change */
  line: number;
  message: string;
}

/** A Proposal is the summary of a proposal. */
export interface Proposal {
  id: string;
  title: string;
  status: ProposalStatus;
  conversationId?: string;
  turnId?: string;
  files: ProposalFile[];
  /** In milliseconds since 1970 */
  createdAt: number;
  /** Names what it proposes and what of that is undecided; a decision names it, too */
  version: string;
  /** What is known of it besides its changes, by source */
  evidence?: Evidence[];
}

/**
 * ProposalAcceptParams accepts a proposal. Without files and hunks it is the whole proposal. Version is that of
 * the proposal which the person has seen. If the proposal has changed since, or some of the hunks that are
 * decided on were decided meanwhile, the request fails and nothing is decided: show the proposal again. A client
 * that names no version decides on what this server has shown it last: the result of a request that reads the
 * proposal or the review, else what a turn has proposed.
 */
export interface ProposalAcceptParams {
  /** In a command it may be omitted */
  id: string;
  version?: string;
  files?: string[];
  /** Their ids */
  hunks?: string[];
}

/** ProposalCheckParams names a proposal; without one, it is what is not committed. */
export interface ProposalCheckParams {
  id?: string;
  /** Also its tests, whatever the settings say */
  tests?: boolean;
  /** Also stores that commands may run in a sandbox on copies of the folders that the proposal changes */
  always?: boolean;
}

/** ProposalCheckResult holds what is known then. */
export interface ProposalCheckResult {
  /** As in Proposal */
  version?: string;
  evidence: Evidence[];
  /** Why there is none */
  reason?: string;
}

/** ProposalDecision is the outcome of a decision on a proposal. */
export interface ProposalDecision {
  status: ProposalStatus;
  /** That the proposal has now; the decision has changed nothing else of it */
  version: string;
  files: ProposalFile[];
}

/** ProposalEditParams replaces the result of an undecided proposal for one file. */
export interface ProposalEditParams {
  id: string;
  /** That the text was made from, as in ProposalAcceptParams */
  version?: string;
  /** Its current name, or its new one */
  file: string;
  /** The new full text, based on that of ProposalView, or on over */
  after: string;
  /**
   * Is the text of the file that After was made from, if that is not the one of ProposalView: the text of the file
   * now, as in ReviewMergeResult. A hunk that did not fit it is settled.
   */
  over?: string;
}

/** A ProposalFile is one file that a proposal changes. */
export interface ProposalFile {
  uri: string;
  /** Relative to its workspace folder */
  path: string;
  /** Of a renamed file */
  newUri?: string;
  /** Of a renamed file */
  newPath?: string;
  /** A renamed file may also have edits */
  op: FileOp;
  /** How many there are */
  hunks: number;
  /** The syntax errors that the proposal adds to the file */
  problems?: Problem[];
}

/** ProposalGetResult is a proposal with its changes. */
export interface ProposalGetResult {
  proposal: Proposal;
  /** For people, as the setting edits.preview says: a unified diff, or the new code with its files and lines */
  preview: string;
  /** A unified diff */
  diff: string;
  files: ProposalView[];
  /** With the current text of its files */
  conflicts?: Conflict[];
}

/** ProposalListParams filters the proposals. */
export interface ProposalListParams {
  /** By default all */
  status?: ProposalStatus;
}

/** ProposalListResult holds proposals. */
export interface ProposalListResult {
  /** The newest first */
  proposals: Proposal[];
}

/** ProposalParams names a proposal. In a command it may be omitted. */
export interface ProposalParams {
  id: string;
  /** That was shown, as in ProposalAcceptParams; to read a proposal, none is needed */
  version?: string;
}

/** ProposalRejectParams rejects a proposal. Without files and hunks it is the whole proposal. */
export interface ProposalRejectParams {
  /** In a command it may be omitted */
  id: string;
  /** That was shown, as in ProposalAcceptParams */
  version?: string;
  files?: string[];
  /** Their ids */
  hunks?: string[];
  /** For the model */
  reason?: string;
}

/** ProposalStatus is the state of a proposal or of one of its hunks. */
export type ProposalStatus = "staged" | "accepted" | "applied" | "verified" | "rejected" | "stale" | "failed" | "undone" | "withdrawn" | "partial";

/**
 * A ProposalView is the full text of one file of a proposal, before and after the change. A file that was
 * accepted in part has several.
 */
export interface ProposalView {
  uri: string;
  /** Relative to its workspace folder */
  path: string;
  /** Of a renamed file */
  newUri?: string;
  /** Of a renamed file */
  newPath?: string;
  op: FileOp;
  before: string;
  after: string;
  /** How many lines it adds */
  added: number;
  /** How many lines it removes */
  removed: number;
  hunks: Hunk[];
}

/** A Respelling is a word that no file has, with the names and words that were searched for instead. */
export interface Respelling {
  word: string;
  as: string[];
}

/** ReviewMergeParams names a file of a proposal. */
export interface ReviewMergeParams {
  /** Of the proposal */
  id: string;
  /** Of the file, under its current name or its new one */
  uri: string;
}

/**
 * ReviewMergeResult holds the whole texts of a file for a three-way merge, with the names of Conflict. A text is
 * empty if the file does not exist there. Without conflicts, theirs and merged are what a diff of the waiting
 * change shows.
 */
export interface ReviewMergeResult {
  /** Before the proposal */
  base: string;
  /** As the proposal would have it */
  ours: string;
  /** As the file is now */
  theirs: string;
  /** As the file is now, with the hunks that fit */
  merged: string;
  /** Of the document whose text theirs is; omitted if it is not open */
  version?: number;
  /** As in Proposal */
  proposalVersion: string;
}

/** ReviewResult holds the proposals that wait for a decision. */
export interface ReviewResult {
  /** The newest first, at most 100 */
  proposals: ReviewedProposal[];
}

/** A ReviewedFile is what waits of a proposal in one file. */
export interface ReviewedFile {
  uri: string;
  /** Relative to its workspace folder */
  path: string;
  /** Of a file that is renamed */
  newUri?: string;
  /** Of a file that is renamed */
  newPath?: string;
  op: FileOp;
  /** Of the document that the ranges are in; omitted if it is not open */
  version?: number;
  /** Why the file as a whole does not fit; omitted if it does */
  reason?: string;
  /** In the order of the file */
  hunks: ReviewedHunk[];
}

/**
 * A ReviewedHunk is a hunk that waits. Its range and its texts are whole lines, unless another hunk shares a
 * line with it. The range ends after the line break of its last line. It is empty if the hunk only inserts, if
 * the file does not exist, and if the file as a whole does not fit.
 */
export interface ReviewedHunk {
  id: string;
  /** What it does, in one line */
  summary: string;
  /** In the text as it is now; of a hunk that does not fit, the lines with which it conflicts */
  range: Range;
  /** The text of the range */
  oldText: string;
  /** What replaces it; of a hunk that does not fit, the lines that it proposes */
  newText: string;
  /** The hunk renames the file, and changes no text */
  rename?: boolean;
  /** The hunk does not fit the text as it is now */
  conflict?: boolean;
}

/** A ReviewedProposal is what waits of a proposal. */
export interface ReviewedProposal {
  id: string;
  title: string;
  conversationId?: string;
  status: ProposalStatus;
  /** As in Proposal */
  version: string;
  /** As in Proposal */
  evidence?: Evidence[];
  /** Of which something waits; none while all of it is being applied */
  files: ReviewedFile[];
}

/** A SearchHit is one symbol or file. */
export interface SearchHit {
  uri: string;
  range: Range;
  /** Relative to its workspace folder */
  path: string;
  /** The canonical name of the symbol, empty for a file */
  canon: string;
  /** Such as function, method, type or file */
  kind: string;
  signature?: string;
  /** Comparable within one result only */
  score: number;
}

/** SearchParams is a search query. */
export interface SearchParams {
  /** Words, names or a sentence */
  query: string;
  /** By default 20 */
  limit?: number;
}

/** SearchResult holds the hits. */
export interface SearchResult {
  /** The best first */
  results: SearchHit[];
  /** The first indexing has not ended */
  partial?: boolean;
  /** The words of the query that no file has */
  respelled?: Respelling[];
  /** Why probably none of the results fits */
  doubt?: string;
  /** Why the search did not use the vectors that the index has */
  withoutVectors?: string;
}

/** A SentFile is a range of lines of a file that was sent. */
export interface SentFile {
  uri: string;
  /** Absolute */
  path: string;
  /** 1-based */
  startLine: number;
  /** 1-based and inclusive */
  endLine: number;
  /** Of the lines */
  bytes: number;
  /** Of the lines, in hexadecimal */
  sha256: string;
  /** Where the lines are in the current file; omitted if their text has changed */
  range?: ByteRange;
}

/** A Sibling is one of the messages at a fork. */
export interface Sibling {
  id: string;
  role: MessageRole;
  status: MessageStatus;
  /** Its first words, on one line */
  excerpt: string;
  /** In milliseconds since 1970 */
  createdAt: number;
  /** Of the newest branch through it, for ChatHistoryParams */
  leafId: string;
  /** It is on the branch */
  current: boolean;
}

/** A SlashCommand is a command by its name. Unknown values are omitted. */
export interface SlashCommand {
  /** Without the slash */
  name: string;
  description?: string;
  argumentHint?: string;
}

/** A SlashCommandProblem says why a file, or the folder, can't be used. */
export interface SlashCommandProblem {
  path: string;
  error: string;
}

/** SlashCommandsResult holds the commands, and what is wrong with other files in the user's folder. */
export interface SlashCommandsResult {
  /** A path; empty if there can't be commands */
  folder: string;
  /** By name */
  commands: SlashCommand[];
  problems: SlashCommandProblem[];
}

/** A StandingPermission is an answer that holds always. */
export interface StandingPermission {
  key: string;
  /** Of the permission request */
  title: string;
  allowed: boolean;
  since: string;
}

/** StopReason is why a turn ended. */
export type StopReason = "done" | "cancelled" | "limit" | "error";

/**
 * SymbolParams is the argument of ploke.explain, ploke.document, ploke.tests, ploke.refactor, ploke.generate and
 * ploke.comment.
 */
export interface SymbolParams {
  /** By default the place is where the cursor was last */
  uri?: string;
  /** Whose start selects the declaration */
  range?: Range;
  /** Instead of a declaration */
  wholeFile?: boolean;
}

/** A ToolCall is the summary of a tool call, for people. ploke/tool/result reads its arguments and its result. */
export interface ToolCall {
  callId: string;
  /** Its name */
  tool: string;
  summary?: string;
  /** Why it failed */
  error?: string;
  /** In milliseconds */
  durationMs: number;
}

/** ToolCallState is the state of a tool call. */
export type ToolCallState = "started" | "finished" | "failed";

/** ToolMetrics counts the finished calls of one tool. */
export interface ToolMetrics {
  tool: string;
  completed: number;
  /** Without those that timed out */
  failed: number;
  timedOut: number;
  /** In milliseconds */
  meanMs: number;
  /** In milliseconds */
  longestMs: number;
}

/** ToolResult is a range of a text of a tool call. Secrets that were found in the text are placeholders. */
export interface ToolResult extends ToolCall {
  /** Begins and ends between characters */
  text: string;
  /** Of the text, in bytes */
  offset: number;
  /** The length of the whole text in bytes */
  total: number;
  /** The offset of the next range, omitted at the end */
  next?: number;
}

/** ToolResultParams selects a range of a text in UTF-8. */
export interface ToolResultParams {
  conversationId: string;
  callId: string;
  /** By default result */
  text?: ToolText;
  /** Of the first byte */
  offset?: number;
  /** In bytes; by default 65536, at most 1048576 */
  limit?: number;
}

/** ToolText is one of the texts of a tool call. */
export type ToolText = "arguments" | "result";

/** TurnStarted is the result of a command that starts a turn. The command does not wait for the turn's end. */
export interface TurnStarted {
  conversationId: string;
  turnId: string;
}

/**
 * An UnknownMention is a word that looks like a mention, and names nothing or several symbols, or a file without
 * its folder.
 */
export interface UnknownMention {
  /** As it is in the message, with the @ or the # */
  text: string;
  reason: string;
  /** How many symbols, or files in folders, have this name */
  count?: number;
}

/** Usage counts the tokens of a turn, or of a request. */
export interface Usage {
  in: number;
  out: number;
  /** Of those in, read from the provider's cache */
  cached: number;
  /** In US dollars; omitted if the price is unknown */
  cost?: number;
}

/** WhileBusy is what happens to a message while another turn runs in its conversation. */
export type WhileBusy = "queue" | "steer";

/** Creates an empty conversation. */
export const chatCreate = new RequestType<ChatCreateParams, ChatCreateResult, void>("ploke/chat/create");

/** Lists all conversations of the workspace. */
export const chatList = new RequestType<object, ChatListResult, void>("ploke/chat/list");

/**
 * Reads the messages of a branch. It waits up to a second for an answer that another server writes: the server
 * of an editor that was closed a moment ago is about to end.
 */
export const chatHistory = new RequestType<ChatHistoryParams, ChatHistoryResult, void>("ploke/chat/history");

/** Reads the places at which a branch has alternatives. */
export const chatSiblings = new RequestType<ChatSiblingsParams, ChatSiblingsResult, void>("ploke/chat/siblings");

/**
 * Sends a message, runs a turn and replies at its end. With a token for partial results the parts of the turn
 * arrive meanwhile, each as the Event of a $/progress. Cancelling the request stops the turn, which still
 * replies; it fails with the code for cancelled requests if the turn had not begun. It fails if the text is
 * empty, an attachment can't be read, or there is no such conversation or parent. A turn that has begun replies
 * whatever happens: the stop reason says how it ended, such as error if there is no such model.
 */
export const chatSend = new RequestType<ChatSendParams, ChatSendResult, void>("ploke/chat/send");

/**
 * Completes what a person writes in a message: the word before the cursor. A word that begins with @ names a
 * file, a folder or what ploke/chat/send takes for more, such as @diff; # names a symbol, and / at the beginning
 * of the message a slash command. It needs no document, so it is for clients with an input of their own. What
 * the person has open, has edited and has talked about comes first.
 */
export const chatComplete = new RequestType<ChatCompleteParams, ChatCompleteResult, void>("ploke/chat/complete");

/** Lists what the person has sent before, for an input in which a key walks back through it. */
export const chatSent = new RequestType<ChatSentParams, ChatSentResult, void>("ploke/chat/sent");

/**
 * Reads the files, folders and symbols that a message mentions, as in "Why does @lib/x.go#L10-L20 fail in
 * #Server.Run?". ploke/chat/send does not read a message like this: a client that lets people write so sends
 * what they mention as attachments.
 */
export const chatMentions = new RequestType<ChatMentionsParams, ChatMentionsResult, void>("ploke/chat/mentions");

/** Finds the files and symbols that words of an answer name, such as lib/x.go:12, x.go, Makefile and Server.Run. */
export const chatPlaces = new RequestType<ChatPlacesParams, ChatPlacesResult, void>("ploke/chat/places");

/**
 * Returns the cell that a line of a notebook's file is in, as citations and places have it, for a client that
 * shows notebooks as cells. It fails if the file is no notebook whose cells can be told apart.
 */
export const notebookCell = new RequestType<NotebookCellParams, NotebookCellResult, void>("ploke/notebook/cell");

/**
 * Says what would be sent for an attachment. It fails, with the reason, if ploke/chat/send would refuse the
 * attachment: a client asks before the person writes the message.
 */
export const chatAttachment = new RequestType<Attachment, AttachmentDetails, void>("ploke/chat/attachment");

/**
 * Stops the running turn of a conversation and its queued turns. Their requests reply as usual. Nothing happens
 * if none runs.
 */
export const chatStop = new RequestType<ChatStopParams, object, void>("ploke/chat/stop");

/**
 * Follows a turn from one of its parts on, whatever started the turn. It is for clients that handle ploke/event,
 * and fails for others. It fails if the turn is over.
 */
export const chatAttach = new RequestType<ChatAttachParams, ChatAttachResult, void>("ploke/chat/attach");

/** Changes the title of a conversation. */
export const chatRename = new RequestType<ChatRenameParams, object, void>("ploke/chat/rename");

/** Deletes a conversation with its messages. It fails while a turn runs in it. */
export const chatDelete = new RequestType<ChatDeleteParams, object, void>("ploke/chat/delete");

/** Searches all titles and messages for words. */
export const chatSearch = new RequestType<ChatSearchParams, ChatSearchResult, void>("ploke/chat/search");

/** Exports the messages of a branch as Markdown. */
export const chatExport = new RequestType<ChatExportParams, ChatExportResult, void>("ploke/chat/export");

/**
 * Reads what a tool call was given, or what it returned, as it is stored. It fails if there is no such call, or
 * if the offset is outside of the text.
 */
export const toolResult = new RequestType<ToolResultParams, ToolResult, void>("ploke/tool/result");

/**
 * Answers a permission request that was postponed with the answer later. It fails if the request is no longer
 * open.
 */
export const permissionAnswer = new RequestType<PermissionAnswerParams, object, void>("ploke/permission/answer");

/** Lists the standing answers of this workspace. */
export const permissionList = new RequestType<object, PermissionListResult, void>("ploke/permission/list");

/** Deletes a standing answer, so that the person is asked again. It fails if there is none with this key. */
export const permissionForget = new RequestType<PermissionForgetParams, object, void>("ploke/permission/forget");

/** Lists the proposals of the workspace. */
export const proposalList = new RequestType<ProposalListParams, ProposalListResult, void>("ploke/proposal/list");

/** Reads a proposal with its texts and its conflicts. */
export const proposalGet = new RequestType<ProposalParams, ProposalGetResult, void>("ploke/proposal/get");

/**
 * Accepts a proposal or a part of it. The server applies it through workspace/applyEdit before it replies, so a
 * client must handle that meanwhile. It fails if a file or hunk is not one of the proposal's.
 */
export const proposalAccept = new RequestType<ProposalAcceptParams, ProposalDecision, void>("ploke/proposal/accept");

/** Rejects a proposal or a part of it. */
export const proposalReject = new RequestType<ProposalRejectParams, ProposalDecision, void>("ploke/proposal/reject");

/**
 * Replaces the result of an undecided proposal for one file. It fails if that changes nothing, or if the file is
 * deleted by the proposal or is not UTF-8.
 */
export const proposalEdit = new RequestType<ProposalEditParams, ProposalDecision, void>("ploke/proposal/edit");

/**
 * Undoes what was accepted of a proposal, through workspace/applyEdit. What was typed since stays. It fails if
 * nothing of it is applied.
 */
export const proposalUndo = new RequestType<ProposalParams, ProposalDecision, void>("ploke/proposal/undo");

/** Applies what was undone again, through workspace/applyEdit. It fails if nothing is undone. */
export const proposalRedo = new RequestType<ProposalParams, ProposalDecision, void>("ploke/proposal/redo");

/**
 * Runs the checks of a proposal again, in a sandbox, and replies when they have ended. The person has asked for
 * it, so only a standing answer that forbids it stops it. What did not run is unknown, which is not an error.
 */
export const proposalCheck = new RequestType<ProposalCheckParams, ProposalCheckResult, void>("ploke/proposal/check");

/**
 * Reads what waits for a decision. A proposal is in the review once its turn has ended. After each change of the
 * review, of texts in which something waits too, a client that handles ploke/event gets a part of the type
 * review, and asks again.
 */
export const review = new RequestType<object, ReviewResult, void>("ploke/review");

/**
 * Reads the texts for a three-way merge of a file in which something waits. It fails if nothing does, or if the
 * text that the proposal was made against is not kept any more.
 */
export const reviewMerge = new RequestType<ReviewMergeParams, ReviewMergeResult, void>("ploke/review/merge");

/** Searches the index for code. */
export const search = new RequestType<SearchParams, SearchResult, void>("ploke/search");

/** Lists the models that can answer a message. It asks the providers, so it may take seconds. */
export const models = new RequestType<object, ModelsResult, void>("ploke/models");

/** Returns the model that is used if a message names none. It asks no provider. */
export const modelDefault = new RequestType<object, ModelDefaultResult, void>("ploke/model/default");

/**
 * Chooses the model of the turns that commands start, such as those of code actions, until the connection ends.
 * A message names its own model in ChatSendParams.
 */
export const modelChoose = new RequestType<ModelChooseParams, object, void>("ploke/model/choose");

/** Sends a tiny request to a model, which is in the ledger. It may take a minute. */
export const modelTest = new RequestType<ModelTestParams, ModelTestResult, void>("ploke/model/test");

/** Is a part of the answer of a model of the editor. What belongs to no request that runs is ignored. */
export const modelPart = new NotificationType<ModelPartParams>("ploke/model/part");

/**
 * Is the answer to a request that the client has postponed with later. What belongs to no request that waits is
 * ignored.
 */
export const serverAnswer = new NotificationType<LSPAnswer>("ploke/lsp/answer");

/**
 * Lists the slash commands: those that are built in, and the user's, which come before them. A message that
 * begins with one, as in "/review a.go", is sent to the model as what the command stands for.
 */
export const slashCommands = new RequestType<object, SlashCommandsResult, void>("ploke/commands");

/** Returns questions that a person who is new to the workspace may ask. */
export const examples = new RequestType<object, ExamplesResult, void>("ploke/examples");

/** Reads what was sent to which provider. */
export const ledger = new RequestType<LedgerParams, LedgerResult, void>("ploke/ledger");

/** Reads the same as a document, with the newest request first. */
export const ledgerDocument = new RequestType<LedgerParams, MarkdownDocument, void>("ploke/ledger/document");

/**
 * Checks what the server needs, and says what does not work and what to do about it. It sends a tiny request to
 * the configured model, so it may take seconds.
 */
export const doctor = new RequestType<object, DoctorResult, void>("ploke/doctor");

/** Reads counts of turns, requests and tool calls. */
export const metrics = new RequestType<object, MetricsResult, void>("ploke/metrics");

/** Reads the state of the index. Changes of it are sent as ploke/event. */
export const indexStatus = new RequestType<object, IndexStatus, void>("ploke/index/status");

/** Reads every file again. */
export const indexRebuild = new RequestType<object, object, void>("ploke/index/rebuild");

/** Pauses indexing. Searches and unsaved text go on. */
export const indexPause = new RequestType<object, object, void>("ploke/index/pause");

/** Resumes indexing. */
export const indexResume = new RequestType<object, object, void>("ploke/index/resume");

/**
 * Asks the person for permission. The server cancels the request when it no longer needs the answer. A part of
 * the turn reports the answer. An error counts as rejectOnce.
 */
export const permissionAsk = new RequestType<PermissionAskParams, PermissionAskResult, void>("ploke/permission/ask");

/** Asks for the diagnostics of other language servers. */
export const clientDiagnostics = new RequestType<ClientDiagnosticsParams, ClientDiagnosticsResult, void>("ploke/client/diagnostics");

/** Asks for the cursor and the documents of the editor. */
export const clientState = new RequestType<void, ClientState, void>("ploke/client/state");

/**
 * Asks for the last command in a terminal of the editor. The person's message asks for it, with the word
 * @terminal.
 */
export const clientTerminal = new RequestType<void, ClientTerminalResult, void>("ploke/client/terminal");

/** Lists the models that the editor has. It asks the person nothing. */
export const clientModels = new RequestType<void, ClientModelsResult, void>("ploke/client/models");

/**
 * Has a model answer. The client sends each part of the answer with ploke/model/part as it comes, and its reply
 * when the answer has ended. The server cancels the request when nobody waits for the answer any more.
 */
export const clientModelSend = new RequestType<ClientModelSendParams, ClientModelSendResult, void>("ploke/client/model/send");

/** Lists the language servers that serve a document. The client replies at once. */
export const clientServers = new RequestType<ClientLSPServersParams, ClientLSPServersResult, void>("ploke/client/lspServers");

/**
 * Has one of them answer a request of LSP. The client opens the document for that server if it is not open. It
 * replies in any case, with nothing if the server has not answered within some seconds.
 */
export const clientAsk = new RequestType<ClientLSPParams, LSPAnswer, void>("ploke/client/lsp");

/**
 * Is sent for each part of a turn that no request of the client waits for, such as that of a code action, for
 * each change of a proposal outside of turns, for the state of the index, and when the review has changed.
 */
export const event = new NotificationType<Event>("ploke/event");

/** Asks a question; words among the arguments are its text. Without a text the chat document opens. */
export const commandAsk = "ploke.ask";

/** Explains a declaration or a file. */
export const commandExplain = "ploke.explain";

/** Proposes documentation for a declaration. */
export const commandDocument = "ploke.document";

/** Proposes tests for a declaration. */
export const commandTests = "ploke.tests";

/** Proposes a fix of a problem; words among the arguments describe it. */
export const commandFix = "ploke.fix";

/**
 * Changes the selected lines as the words among the arguments say. Without words the chat document opens, with
 * the lines mentioned in it.
 */
export const commandRefactor = "ploke.refactor";

/** Proposes the code that a comment describes. The start of the range is in it. */
export const commandGenerate = "ploke.generate";

/** Does or answers what a comment asks for. The start of the range is in it. */
export const commandComment = "ploke.comment";

/** Sends a section of a chat document. */
export const commandChatSend = "ploke.chat.send";

/** Makes a chat document begin a new conversation. */
export const commandChatNew = "ploke.chat.new";

/**
 * Stops the turns of a conversation. Without an argument it stops the only conversation in which something runs,
 * or asks which one is meant.
 */
export const commandChatStop = "ploke.chat.stop";

/** Accepts a proposal or a part of it. */
export const commandProposalAccept = "ploke.proposal.accept";

/** Rejects a proposal or a part of it; words among the arguments are the reason. */
export const commandProposalReject = "ploke.proposal.reject";

/** Undoes an accepted proposal. */
export const commandProposalUndo = "ploke.proposal.undo";

/** Applies an undone proposal again. */
export const commandProposalRedo = "ploke.proposal.redo";

/** Opens a proposal as a document. */
export const commandProposalShow = "ploke.proposal.show";

/** Runs the checks of a proposal in a sandbox, which is the permission for that. */
export const commandProposalCheck = "ploke.proposal.check";

/**
 * Answers the permission request with this id, or the newest one. Words among the arguments are the answer:
 * allow, always allow, always allow exactly this, reject, always reject.
 */
export const commandPermissionAnswer = "ploke.permission.answer";

/**
 * Deletes a standing answer; words among the arguments are its key. Without a key it is the only one, or the
 * person is asked.
 */
export const commandPermissionForget = "ploke.permission.forget";

/** Shows the status of the index to the person, and returns it. */
export const commandIndexStatus = "ploke.index.status";

/** Reads every file again. */
export const commandIndexRebuild = "ploke.index.rebuild";

/** Pauses indexing, and shows how to resume it. */
export const commandIndexPause = "ploke.index.pause";

/** Resumes indexing. */
export const commandIndexResume = "ploke.index.resume";
