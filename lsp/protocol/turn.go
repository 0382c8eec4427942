package protocol

import (
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// The methods of turns. A turn is what leads from a message to its answer.
const (
	// MethodChatSend sends a message, runs a turn and replies at its end. With a token for partial
	// results the parts of the turn arrive meanwhile, each as the [Event] of a $/progress.
	// Cancelling the request stops the turn, which still replies; it fails with the code for cancelled
	// requests if the turn had not begun. It fails if the text is empty, an attachment can't be
	// read, or there is no such conversation or parent. A turn that has begun replies whatever happens:
	// the stop reason says how it ended, such as error if there is no such model.
	MethodChatSend = "ploke/chat/send"
	// MethodChatAttachment says what would be sent for an attachment. It fails, with the reason, if
	// [MethodChatSend] would refuse the attachment: a client asks before the person writes the message.
	MethodChatAttachment = "ploke/chat/attachment"
	// MethodChatStop stops the running turn of a conversation and its queued turns. Their requests
	// reply as usual. Nothing happens if none runs.
	MethodChatStop = "ploke/chat/stop"
	// MethodChatAttach follows a turn from one of its parts on, whatever started the turn. It is for
	// clients that handle [MethodEvent], and fails for others. It fails if the turn is over.
	MethodChatAttach = "ploke/chat/attach"
)

// An Attachment is a file, a range of one, or a folder that is sent with a message. Of a file its lines
// are sent, of a folder the names of its files with those of their symbols.
type Attachment struct {
	URI   uri.URI         `json:"uri"`            // also of a cell of an open notebook, with a range in it
	Range *protocol.Range `json:"range,omitzero"` // the lines that it touches; by default the whole file
	// Cell is the number of the cell that the range begins in, from 1. The server sends it with what was attached of a
	// notebook, and ignores it otherwise.
	Cell int `json:"cell,omitzero"`
}

// AttachmentDetails is what would be sent for an attachment.
type AttachmentDetails struct {
	Path   string `json:"path"`            // relative to its workspace folder
	Folder bool   `json:"folder,omitzero"` // it is a folder, of which the outline is sent
	Lines  int    `json:"lines"`           // how many lines are sent
	Bytes  int    `json:"bytes"`           // of what is sent, in UTF-8
}

// ParentRoot as the parent of a message begins a branch at the root of its conversation.
const ParentRoot = "root"

// ChatSendParams is a message. A message with the same parent as an earlier one begins a branch beside it,
// whatever that one is: to edit a message, send the new text with the parent of the old one; to retry an
// answer, send the same text and attachments with the same parent. The parent of the first message
// is [ParentRoot]. [MethodChatSiblings] lists such alternatives.
type ChatSendParams struct {
	WorkDoneToken      Token  `json:"workDoneToken,omitzero"`      // for work-done progress
	PartialResultToken Token  `json:"partialResultToken,omitzero"` // for the parts of the turn
	ConversationID     string `json:"conversationId,omitzero"`     // by default a new one
	// of the message that it follows, or [ParentRoot]; by default the newest one
	ParentID    string       `json:"parentId,omitzero"`
	Text        string       `json:"text"`
	Attachments []Attachment `json:"attachments,omitzero"`
	Model       string       `json:"model,omitzero"`     // the id of a [Model]; by default as the settings say
	WhileBusy   WhileBusy    `json:"whileBusy,omitzero"` // by default queue
}

// WhileBusy is what happens to a message while another turn runs in its conversation.
type WhileBusy string

// What happens to a message while another turn runs.
const (
	WhileBusyQueue WhileBusy = "queue" // it waits until the turn ends
	// it joins the turn before its next request to the model; a message with a parent waits
	WhileBusySteer WhileBusy = "steer"
)

// ChatSendResult is the outcome of a turn, for every stop reason.
type ChatSendResult struct {
	ConversationID string `json:"conversationId"`
	// of the sent message, also if messages have steered the turn
	MessageID          string     `json:"messageId"`
	AssistantMessageID string     `json:"assistantMessageId"` // of its own answer
	TurnID             string     `json:"turnId"`
	Text               string     `json:"text"` // of the whole turn, Markdown
	Citations          []Citation `json:"citations"`
	StopReason         StopReason `json:"stopReason"`
	Error              string     `json:"error,omitzero"`     // why it ended with limit or error
	ErrorKind          ErrorKind  `json:"errorKind,omitzero"` // with error, if it is known
	// the embedded model says that it can't do what was asked, or has found nothing
	Declined  bool     `json:"declined,omitzero"`
	Usage     Usage    `json:"usage"`
	Proposals []string `json:"proposals"` // the ids of those that it has staged
	// the id of the [Model] that answered last; omitted if none was found
	Model   string      `json:"model,omitzero"`
	Context *ContextUse `json:"context,omitzero"` // omitted if no request was sent
}

// ContextUse says how full the context window of a model is.
type ContextUse struct {
	Used   int `json:"used"`            // tokens of the last request and of its answer
	Window int `json:"window,omitzero"` // of the model, in tokens; omitted if it has none
}

// ErrorKind is what kind of error ended a turn, so that a client can offer what helps.
type ErrorKind string

// The kinds of errors.
const (
	ErrorAuth   ErrorKind = "auth"   // the provider refuses the API key, or there is none: set it in the settings
	ErrorQuota  ErrorKind = "quota"  // the provider's account has no credit left: choose another model
	ErrorBudget ErrorKind = "budget" // the daily budget of the settings is spent: raise it there
	// the provider has too many requests, or is down: try again, or choose another model
	ErrorBusy ErrorKind = "busy"
	// the provider can't be reached, or does not answer: try again, or check the settings
	ErrorNetwork ErrorKind = "network"
	// there is no such model, or it does not give an answer of use: choose another model
	ErrorModel ErrorKind = "model"
	// it is too much for the model's context window: begin a conversation, or choose another model
	ErrorContext  ErrorKind = "context"
	ErrorRefused  ErrorKind = "refused"  // the provider's content filter refuses: edit the message
	ErrorLimit    ErrorKind = "limit"    // the answer or the turn became too long: send a message to go on
	ErrorInternal ErrorKind = "internal" // the server has failed: try again; its log says why
)

// A Citation is the source of a part of an answer: a range of a file, or of what a proposal that
// waits would make of it.
type Citation struct {
	URI      uri.URI        `json:"uri"` // with the scheme [ProposalScheme] if proposal is set
	Range    protocol.Range `json:"range"`
	Canon    string         `json:"canon,omitzero"`    // the canonical name of the symbol there, if there is one
	Proposal string         `json:"proposal,omitzero"` // the id of the proposal
	Cell     int            `json:"cell,omitzero"`     // the number of the cell that the range begins in, from 1, of a notebook
}

// StopReason is why a turn ended.
type StopReason string

// The stop reasons.
const (
	StopDone      StopReason = "done"
	StopCancelled StopReason = "cancelled"
	StopLimit     StopReason = "limit" // of requests, of the context or of the cost
	StopError     StopReason = "error"
)

// Usage counts the tokens of a turn, or of a request.
type Usage struct {
	In     int     `json:"in"`
	Out    int     `json:"out"`
	Cached int     `json:"cached"`        // of those in, read from the provider's cache
	Cost   float64 `json:"cost,omitzero"` // in US dollars; omitted if the price is unknown
}

// ChatStopParams names a conversation.
type ChatStopParams struct {
	ConversationID string `json:"conversationId"`
}

// ChatAttachParams selects the parts of a turn from the one after a number on.
type ChatAttachParams struct {
	TurnID   string `json:"turnId"`
	AfterSeq int    `json:"afterSeq"` // as in [Part]; 0 for all
}

// ChatAttachResult holds the parts of the turn so far. Later parts are sent as
// [MethodEvent], each one once. The first of them may arrive before this result.
type ChatAttachResult struct {
	Events []Event `json:"events"`
}
