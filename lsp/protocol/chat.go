package protocol

import (
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// A Token identifies a stream of progress. It is any JSON string or whole number, which the
// server returns unchanged.
type Token = protocol.LSPAny

// Progress is the parameter of $/progress, in either direction.
type Progress struct {
	Token Token `json:"token"`
	Value any   `json:"value"`
}

// ProgressCancel is the parameter of window/workDoneProgress/cancel.
type ProgressCancel struct {
	Token Token `json:"token"`
}

// ChatCreateParams creates an empty conversation.
type ChatCreateParams struct {
	Title string `json:"title,omitzero"`
}

// ChatCreateResult holds the id of the new conversation.
type ChatCreateResult struct {
	ConversationID string `json:"conversationId"`
}

// ChatListResult holds all conversations, the most recently updated first.
type ChatListResult struct {
	Conversations []Conversation `json:"conversations"`
}

// A Conversation is the summary of a conversation. UpdatedAt is in milliseconds since
// 1970. Messages is the number of its messages.
type Conversation struct {
	ID        string `json:"id"`
	Title     string `json:"title"`
	UpdatedAt int64  `json:"updatedAt"`
	Messages  int    `json:"messages"`
}

// ChatHistoryParams selects the messages from the root to a leaf. LeafID defaults to
// the newest message.
type ChatHistoryParams struct {
	ConversationID string `json:"conversationId"`
	LeafID         string `json:"leafId,omitzero"`
}

// ChatHistoryResult holds the messages, the oldest first.
type ChatHistoryResult struct {
	Messages []Message `json:"messages"`
}

// A Message is one message of a conversation. Role is user or assistant. Status is
// pending, completed, cancelled, failed or interrupted. Text is Markdown. CreatedAt is
// in milliseconds since 1970. Error is why the turn failed, was interrupted or reached
// a limit.
type Message struct {
	ID        string     `json:"id"`
	TurnID    string     `json:"turnId"`
	ParentID  string     `json:"parentId,omitzero"`
	Role      string     `json:"role"`
	Text      string     `json:"text"`
	Status    string     `json:"status"`
	Error     string     `json:"error,omitzero"`
	ToolCalls []ToolCall `json:"toolCalls,omitzero"`
	Proposals []string   `json:"proposals,omitzero"`
	CreatedAt int64      `json:"createdAt"`
}

// A ToolCall is the summary of a tool call, for people. [MethodToolResult] reads its
// arguments and its result.
type ToolCall struct {
	CallID     string `json:"callId"`
	Tool       string `json:"tool"`
	Summary    string `json:"summary,omitzero"`
	Error      string `json:"error,omitzero"`
	DurationMS int64  `json:"durationMs"`
}

// ChatSiblingsParams selects the places at which a branch has alternatives. The branch is
// the messages from the root to a leaf. LeafID defaults to the newest message.
type ChatSiblingsParams struct {
	ConversationID string `json:"conversationId"`
	LeafID         string `json:"leafId,omitzero"`
}

// ChatSiblingsResult holds the forks of the branch, the one nearest to the root first.
type ChatSiblingsResult struct {
	Forks []Fork `json:"forks"`
}

// A Fork is two or more messages with the same parent, the oldest first. ParentID is
// omitted at the root.
type Fork struct {
	ParentID string    `json:"parentId,omitzero"`
	Messages []Sibling `json:"messages"`
}

// A Sibling is one of the messages at a fork. Excerpt is its first words on one line.
// CreatedAt is in milliseconds since 1970. Current means that it is on the branch. To get
// the newest branch through it, pass LeafID as that of [ChatHistoryParams].
type Sibling struct {
	ID        string `json:"id"`
	Role      string `json:"role"`
	Status    string `json:"status"`
	Excerpt   string `json:"excerpt"`
	CreatedAt int64  `json:"createdAt"`
	LeafID    string `json:"leafId"`
	Current   bool   `json:"current"`
}

// An Attachment is a file, or a range of one, that is sent with a message.
type Attachment struct {
	URI   uri.URI         `json:"uri"`
	Range *protocol.Range `json:"range,omitzero"`
}

// ChatSendParams sends a message and runs a turn. Without ConversationID it creates a
// conversation. ParentID defaults to the newest message. If another turn runs in the
// conversation, the message waits until it ends, or, if WhileBusy is "steer", joins
// that turn before its next request to the model.
type ChatSendParams struct {
	WorkDoneToken      Token        `json:"workDoneToken,omitzero"`
	PartialResultToken Token        `json:"partialResultToken,omitzero"`
	ConversationID     string       `json:"conversationId,omitzero"`
	ParentID           string       `json:"parentId,omitzero"`
	Text               string       `json:"text"`
	Attachments        []Attachment `json:"attachments,omitzero"`
	Model              string       `json:"model,omitzero"`
	WhileBusy          string       `json:"whileBusy,omitzero"` // queue (the default) or steer
}

// ChatSendResult is the outcome of a turn, for every stop reason. Text is the text of
// the whole turn. MessageID and AssistantMessageID are the ids of the sent message and
// of its own answer, also if messages have steered the turn.
type ChatSendResult struct {
	ConversationID     string     `json:"conversationId"`
	MessageID          string     `json:"messageId"`
	AssistantMessageID string     `json:"assistantMessageId"`
	TurnID             string     `json:"turnId"`
	Text               string     `json:"text"`
	Citations          []Citation `json:"citations"`
	StopReason         StopReason `json:"stopReason"`
	Error              string     `json:"error,omitzero"`
	Usage              Usage      `json:"usage"`
	Proposals          []string   `json:"proposals"`
}

// A Citation is the source of a part of an answer: a range of a file, or of what a proposal that
// waits would make of it. In the second case Proposal is the proposal's id, and the URI has the
// scheme [ProposalScheme].
type Citation struct {
	URI   uri.URI        `json:"uri"`
	Range protocol.Range `json:"range"`
	// Canon is the canonical name of the symbol there, empty if there is none.
	Canon    string `json:"canon"`
	Proposal string `json:"proposal,omitzero"`
}

// StopReason is why a turn ended.
type StopReason string

// The stop reasons.
const (
	StopDone      StopReason = "done"
	StopCancelled StopReason = "cancelled"
	StopLimit     StopReason = "limit"
	StopError     StopReason = "error"
)

// Usage counts the tokens of a turn. Cost is their price in US dollars, omitted if it is
// unknown.
type Usage struct {
	In     int     `json:"in"`
	Out    int     `json:"out"`
	Cached int     `json:"cached"`
	Cost   float64 `json:"cost,omitzero"`
}

// ChatStopParams stops the running turn of a conversation and its queued turns.
type ChatStopParams struct {
	ConversationID string `json:"conversationId"`
}

// ChatAttachParams follows a turn from the part after the number AfterSeq, whatever
// started the turn.
type ChatAttachParams struct {
	TurnID   string `json:"turnId"`
	AfterSeq int    `json:"afterSeq"`
}

// ChatAttachResult holds the parts of the turn so far. Later parts are sent as
// [MethodEvent], each one once. The first of them may arrive before this result.
type ChatAttachResult struct {
	Events []Event `json:"events"`
}

// ChatRenameParams changes the title of a conversation.
type ChatRenameParams struct {
	ConversationID string `json:"conversationId"`
	Title          string `json:"title"`
}

// ChatDeleteParams deletes a conversation with its messages.
type ChatDeleteParams struct {
	ConversationID string `json:"conversationId"`
}

// ChatSearchParams searches all titles and messages for words. Limit defaults to 50.
type ChatSearchParams struct {
	Query string `json:"query"`
	Limit int    `json:"limit,omitzero"`
}

// ChatSearchResult holds the titles and messages that contain all words, the newest
// first.
type ChatSearchResult struct {
	Results []ChatSearchHit `json:"results"`
}

// A ChatSearchHit is a message or, without MessageID, the title of a conversation. To
// get the history up to the message, pass MessageID as LeafID of [ChatHistoryParams].
// At is in milliseconds since 1970.
type ChatSearchHit struct {
	ConversationID string `json:"conversationId"`
	Title          string `json:"title"`
	MessageID      string `json:"messageId,omitzero"`
	Role           string `json:"role,omitzero"`
	Excerpt        string `json:"excerpt"`
	At             int64  `json:"at"`
}

// ChatExportParams exports the messages from the root to a leaf as Markdown. LeafID
// defaults to the newest message.
type ChatExportParams struct {
	ConversationID string `json:"conversationId"`
	LeafID         string `json:"leafId,omitzero"`
}

// ChatExportResult holds the exported text.
type ChatExportResult struct {
	Markdown string `json:"markdown"`
}

// TurnStarted is the result of a command that starts a turn. The command does not wait
// for the turn's end.
type TurnStarted struct {
	ConversationID string `json:"conversationId"`
	TurnID         string `json:"turnId"`
}

// SymbolParams is the argument of [CommandExplain], [CommandDocument] and [CommandTests]. The
// start of Range selects the symbol. Without a URI it is the one where the cursor was last.
type SymbolParams struct {
	URI       uri.URI        `json:"uri"`
	Range     protocol.Range `json:"range"`
	WholeFile bool           `json:"wholeFile,omitzero"` // instead of a symbol
}

// FixParams is the argument of [CommandFix]. Without a URI the place is where the cursor was
// last.
type FixParams struct {
	URI     uri.URI        `json:"uri"`
	Range   protocol.Range `json:"range"`
	Problem string         `json:"problem,omitzero"` // as a compiler describes it
}

// AskParams is the argument of [CommandAsk]. Without a text the chat document opens, with the attachment
// mentioned in it.
type AskParams struct {
	Text           string      `json:"text,omitzero"`
	ConversationID string      `json:"conversationId,omitzero"`
	Attachment     *Attachment `json:"attachment,omitzero"`
}

// ChatDocumentParams names a section of a chat document. URI defaults to the chat document that was opened or
// changed last, and Turn to its last section. Trusted says that the person wants to send from a document
// that this server did not write.
type ChatDocumentParams struct {
	URI     uri.URI `json:"uri,omitzero"`
	Turn    int     `json:"turn,omitzero"`
	Trusted bool    `json:"trusted,omitzero"`
}
