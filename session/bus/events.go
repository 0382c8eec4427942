package bus

import (
	"encoding/json"
	"time"
)

// Event is one of the structs of this package that have an event method.
type Event interface{ event() }

// Is reports whether an event is of type E.
func Is[E Event](e Event) bool {
	_, is := e.(E)
	return is
}

// TurnRef names the turn that an event belongs to. RequestID identifies the
// turn. Both fields are empty in an event that belongs to no turn.
type TurnRef struct{ ConversationID, RequestID string }

// CallRef names a tool call. ParentID is the id of the user's message that the
// call's turn answers. ID identifies the call; CallID is the id that the model
// knows, unique within the conversation.
type CallRef struct {
	TurnRef
	ParentID         string
	ID, CallID, Name string
}

// ToolCallRequested requests one tool call.
type ToolCallRequested struct {
	CallRef
	Seq       int             // the call's place in its turn, from 0
	Vendor    string          // who offers the tool: "ploke"
	Arguments json.RawMessage // of an [llm.Call]; may be invalid JSON
}

// ToolCallStarted reports that a worker took the call and its timeout runs.
type ToolCallStarted struct{ CallRef }

// ToolCallOutput is text that a running call prints for people, such as the output of a command. It is not
// stored, and may end before the output does.
type ToolCallOutput struct {
	CallRef
	Text string
}

// ToolCallCompleted is the terminal event of a call whose tool answered. The content
// may say ok:false; the model can then correct the call.
type ToolCallCompleted struct {
	CallRef
	Content json.RawMessage // the result in JSON
	Summary string          // one line for people
	Answer  string          // with which the model ends the turn if all calls of its response succeed
	Secrets []string        // in the content; a remote model gets placeholders for them

	Duration time.Duration
}

// Code is the reason why a call failed.
type Code string

// The codes of a failed call.
const (
	CodeTimeout   Code = "timeout"
	CodeCancelled Code = "cancelled"
	CodeDenied    Code = "denied"
	CodeInvalid   Code = "invalid" // unknown tool, or arguments that don't fit its schema
	CodePanic     Code = "panic"
	CodeError     Code = "error"
)

// ToolCallFailed is the terminal event of a call that did not complete. Every call
// gets exactly one terminal event.
type ToolCallFailed struct {
	CallRef
	Error   string
	Code    Code
	Content json.RawMessage // the failure in JSON, in place of a result

	Duration time.Duration
}

// IndexingStarted begins the indexing of a root folder.
type IndexingStarted struct{ Root string }

// IndexingProgress counts the work done so far on a root folder.
type IndexingProgress struct {
	Root                       string
	Files, TotalFiles, Symbols int
}

// IndexingCompleted ends an indexing that succeeded.
type IndexingCompleted struct {
	Root           string
	Files, Symbols int
}

// IndexingFailed ends an indexing that failed.
type IndexingFailed struct{ Root, Error string }

// EmbeddingProgress says how far the vectors of the index are.
type EmbeddingProgress struct {
	Model, State            string
	Passages, TotalPassages int // made; to be made in this run
}

// TurnQueued reports that a message is stored and its turn waits for the other turns
// of the conversation.
type TurnQueued struct {
	TurnRef
	ParentID, MessageID string // the user's message; the assistant's, still empty
}

// TurnSteered reports that a user's message joined the running turn. Later events
// belong to a new assistant's message that answers it.
type TurnSteered struct {
	TurnRef
	ParentID, MessageID string // the user's message; the assistant's, still empty
	Text                string // of the user's message
}

// TurnStarted begins a turn. Its user message is stored.
type TurnStarted struct {
	TurnRef
	ParentID, MessageID string // the user's message; the assistant's, still empty
	Title               string
	Origin              string // the name that the caller of Start gave itself
}

// StopReason is the reason why a turn ended.
type StopReason string

// The reasons why a turn ends.
const (
	StopDone      StopReason = "done"
	StopCancelled StopReason = "cancelled"
	StopLimit     StopReason = "limit"
	StopError     StopReason = "error"
)

// TurnFinished is the last event of a turn.
type TurnFinished struct {
	TurnRef
	ParentID, MessageID string // the user's message; the assistant's
	StopReason          StopReason
	Error               string // for people; empty unless StopReason is error or limit
	ErrorKind           ErrorKind
	Model               string // that answered last; empty if none was found
	Context             ContextUse
	Usage               Tokens
	Declined            bool // the answer says that it does not do what was asked
}

// ErrorKind is what kind of error ended a turn, by what helps against it.
type ErrorKind string

// The kinds of errors. ErrorInternal is that of an error of this program.
const (
	ErrorAuth     ErrorKind = "auth"
	ErrorQuota    ErrorKind = "quota"
	ErrorBudget   ErrorKind = "budget"
	ErrorBusy     ErrorKind = "busy"
	ErrorNetwork  ErrorKind = "network"
	ErrorModel    ErrorKind = "model"
	ErrorContext  ErrorKind = "context"
	ErrorRefused  ErrorKind = "refused"
	ErrorLimit    ErrorKind = "limit"
	ErrorInternal ErrorKind = "internal"
)

// ContextUse says how full the context window of a model is, in tokens. It is zero if there was no
// request, or if the model has no window.
type ContextUse struct {
	Used   int // by the last request and its answer
	Window int // of the model
}

// Tokens counts the tokens that a turn has used so far. Cost is in US dollars, 0 if
// unknown.
type Tokens struct {
	In, Out, Cached int
	Cost            float64
}

// MessageAdded reports that a message was stored.
type MessageAdded struct {
	TurnRef
	MessageID, ParentID string
	Role                string // user or assistant
	Text                string
	Status              string
}

// MessageDelta adds text to a message. Either Text or Thought is set.
type MessageDelta struct {
	TurnRef
	MessageID     string
	Text, Thought string
}

// MessageUpdated replaces a message's text and status.
type MessageUpdated struct {
	TurnRef
	MessageID string
	Text      string
	Status    string
}

// PromptConstructed describes the first request of a turn.
type PromptConstructed struct {
	TurnRef
	Model             string
	Messages, Dropped int // sent; dropped because the window is full
	Bytes, Tokens     int // of the messages; tokens are an estimate
}

// PermissionAsked asks the user a question. Exactly one PermissionAnswered follows.
type PermissionAsked struct {
	TurnRef
	ID           string // of the question
	CallID, Tool string // the call that needs the permission
	Title        string // one line: the action
	Detail       string // what the user should see before deciding; may be empty
	OnlyOnce     bool   // the detail is not all of it, so that no answer holds for later
	Exact        bool   // an answer may hold for exactly what the detail shows
}

// PermissionAnswered reports the user's answer. Without an answer Granted is false.
type PermissionAnswered struct {
	TurnRef
	ID      string
	Granted bool
}

// Usage reports the tokens that the turn has used so far, and how full the model's context is.
type Usage struct {
	TurnRef
	Tokens
	Context ContextUse
}

// RequestStarted reports that a request to a model is about to be sent. It is already
// in the ledger.
type RequestStarted struct {
	TurnRef
	ParentID string // the user's message
	ID       string // of the ledger's entry
	Model    string
}

// RequestFinished reports that the response to a request has ended, and its usage.
type RequestFinished struct {
	TurnRef
	ParentID string // the user's message
	ID       string
	Model    string
	Tokens
	Error string // empty if the response is complete
}

// Retry reports that a request to the model will be sent again after a delay. A
// MessageUpdated has removed the text of the failed attempt.
type Retry struct {
	TurnRef
	Attempt int // the next attempt, from 2
	DelayMS int64
	Error   string
}

// Notice is a message for the user that changes no state.
type Notice struct {
	TurnRef
	Text string
}

// ProposalStaged reports that a turn staged edits, or added edits to its proposal.
type ProposalStaged struct {
	TurnRef
	CallID            string
	ProposalID, Title string
	Version           string   // of the proposal
	Files             []string // absolute paths
}

// ProposalChecked reports that what is known of a proposal besides its changes has changed.
type ProposalChecked struct {
	TurnRef
	ProposalID, Version string
}

// ProposalDecided reports that the user accepted or rejected a proposal, or parts of
// it.
type ProposalDecided struct {
	TurnRef
	ProposalID, Status string
	Reason             string
}

// ProposalApplied reports the result of applying accepted edits.
type ProposalApplied struct {
	TurnRef
	ProposalID, Status string
	Files              []string // absolute paths
}

func (ProposalChecked) event()    {}
func (ToolCallRequested) event()  {}
func (ToolCallStarted) event()    {}
func (ToolCallOutput) event()     {}
func (ToolCallCompleted) event()  {}
func (ToolCallFailed) event()     {}
func (IndexingStarted) event()    {}
func (IndexingProgress) event()   {}
func (IndexingCompleted) event()  {}
func (IndexingFailed) event()     {}
func (EmbeddingProgress) event()  {}
func (TurnQueued) event()         {}
func (TurnSteered) event()        {}
func (TurnStarted) event()        {}
func (TurnFinished) event()       {}
func (MessageAdded) event()       {}
func (MessageDelta) event()       {}
func (MessageUpdated) event()     {}
func (PromptConstructed) event()  {}
func (PermissionAsked) event()    {}
func (PermissionAnswered) event() {}
func (Usage) event()              {}
func (RequestStarted) event()     {}
func (RequestFinished) event()    {}
func (Retry) event()              {}
func (Notice) event()             {}
func (ProposalStaged) event()     {}
func (ProposalDecided) event()    {}
func (ProposalApplied) event()    {}
