package protocol

import (
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// A Token names a stream of progress: any JSON string or number, passed back as
// it came.
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

// ChatCreateParams asks for a new, empty conversation.
type ChatCreateParams struct {
	Title string `json:"title,omitzero"`
}

// ChatCreateResult names it.
type ChatCreateResult struct {
	ConversationID string `json:"conversationId"`
}

// ChatListResult is every conversation, the latest first.
type ChatListResult struct {
	Conversations []Conversation `json:"conversations"`
}

// A Conversation is one line of the list. UpdatedAt is in milliseconds since
// 1970; Messages counts the stored ones.
type Conversation struct {
	ID        string `json:"id"`
	Title     string `json:"title"`
	UpdatedAt int64  `json:"updatedAt"`
	Messages  int    `json:"messages"`
}

// ChatHistoryParams asks for the messages from the root to a leaf; without
// LeafID to the newest one.
type ChatHistoryParams struct {
	ConversationID string `json:"conversationId"`
	LeafID         string `json:"leafId,omitzero"`
}

// ChatHistoryResult holds them, oldest first.
type ChatHistoryResult struct {
	Messages []Message `json:"messages"`
}

// A Message is one message of a conversation. Role is user or assistant;
// Status is pending, completed, cancelled, failed or interrupted. Text is
// Markdown. CreatedAt is in milliseconds since 1970; Error says why a turn
// failed, was interrupted or reached a limit.
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

// A ToolCall is what a person sees of a call that a model made.
type ToolCall struct {
	CallID     string `json:"callId"`
	Tool       string `json:"tool"`
	Summary    string `json:"summary,omitzero"`
	Error      string `json:"error,omitzero"`
	DurationMS int64  `json:"durationMs"`
}

// An Attachment is a file, or a range of it, that goes with a message.
type Attachment struct {
	URI   uri.URI         `json:"uri"`
	Range *protocol.Range `json:"range,omitzero"`
}

// ChatSendParams asks for one turn. Without ConversationID a conversation is
// begun; without ParentID the message follows the newest one. While another
// turn runs in the conversation the message waits for its end, or with
// WhileBusy "steer" joins it before it asks the model again.
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

// ChatSendResult is the end of a turn, whatever the end was. Text is all that
// the turn has said; where messages have steered it, MessageID and
// AssistantMessageID are of the message that was sent and its own answer.
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

// StopReason says why a turn ended.
type StopReason string

// The reasons.
const (
	StopDone      StopReason = "done"
	StopCancelled StopReason = "cancelled"
	StopLimit     StopReason = "limit"
	StopError     StopReason = "error"
)

// Usage counts the tokens of a turn, and their price in US dollars where it is
// known.
type Usage struct {
	In     int     `json:"in"`
	Out    int     `json:"out"`
	Cached int     `json:"cached"`
	Cost   float64 `json:"cost,omitzero"`
}

// ChatStopParams stops the running turn of a conversation, and those that wait
// behind it.
type ChatStopParams struct {
	ConversationID string `json:"conversationId"`
}

// ChatAttachParams asks to follow a turn, after the part with the number
// AfterSeq, whoever started it.
type ChatAttachParams struct {
	TurnID   string `json:"turnId"`
	AfterSeq int    `json:"afterSeq"`
}

// ChatAttachResult is what has happened in the turn since; the rest comes as
// [MethodEvent], each part once, and may begin to come before this result.
type ChatAttachResult struct {
	Events []Event `json:"events"`
}

// ChatRenameParams changes a conversation's title.
type ChatRenameParams struct {
	ConversationID string `json:"conversationId"`
	Title          string `json:"title"`
}

// ChatDeleteParams removes a conversation with its messages.
type ChatDeleteParams struct {
	ConversationID string `json:"conversationId"`
}

// ChatSearchParams looks for words in all titles and messages. Limit is 50
// where it is not given.
type ChatSearchParams struct {
	Query string `json:"query"`
	Limit int    `json:"limit,omitzero"`
}

// ChatSearchResult holds the places where all of the words stand, the newest
// first.
type ChatSearchResult struct {
	Results []ChatSearchHit `json:"results"`
}

// A ChatSearchHit is a message, or, without MessageID, a conversation's title.
// History up to the message is had with it as the leaf. At is in milliseconds
// since 1970.
type ChatSearchHit struct {
	ConversationID string `json:"conversationId"`
	Title          string `json:"title"`
	MessageID      string `json:"messageId,omitzero"`
	Role           string `json:"role,omitzero"`
	Excerpt        string `json:"excerpt"`
	At             int64  `json:"at"`
}

// ChatExportParams asks for a conversation as Markdown, from its root to a
// leaf; without LeafID to the newest one.
type ChatExportParams struct {
	ConversationID string `json:"conversationId"`
	LeafID         string `json:"leafId,omitzero"`
}

// ChatExportResult is the text.
type ChatExportResult struct {
	Markdown string `json:"markdown"`
}

// TurnStarted is what a command that starts a turn answers with at once.
type TurnStarted struct {
	ConversationID string `json:"conversationId"`
	TurnID         string `json:"turnId"`
}

// SymbolParams is the argument of the commands that work on a place in a file.
type SymbolParams struct {
	URI   uri.URI        `json:"uri"`
	Range protocol.Range `json:"range"`
}

// AskParams is the argument of [CommandAsk].
type AskParams struct {
	Text           string `json:"text"`
	ConversationID string `json:"conversationId,omitzero"`
}
