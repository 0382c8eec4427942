package bus

import "encoding/json"

// Event is one of the structs of this package that have an event method.
type Event interface{ event() }

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
	Arguments json.RawMessage // as the model wrote them; may be invalid JSON
}

// ToolCallStarted says that a worker took the call: its clock runs.
type ToolCallStarted struct{ CallRef }

// ToolCallCompleted is the terminal event of a call whose tool answered. The
// content may say ok:false, which the model can mend.
type ToolCallCompleted struct {
	CallRef
	Content json.RawMessage // what the model reads
	Summary string          // one line for people
}

// Code says why a call failed.
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

// ToolCallFailed is the terminal event of a call that did not complete. Every
// call gets exactly one terminal event.
type ToolCallFailed struct {
	CallRef
	Error   string
	Code    Code
	Content json.RawMessage // what the model reads in place of a result
}

// IndexingStarted begins the indexing of a root folder.
type IndexingStarted struct{ Root string }

// IndexingProgress counts what is done of a root folder so far.
type IndexingProgress struct {
	Root                       string
	Files, TotalFiles, Symbols int
}

// IndexingCompleted ends an indexing that went well.
type IndexingCompleted struct {
	Root           string
	Files, Symbols int
}

// IndexingFailed ends an indexing that did not.
type IndexingFailed struct{ Root, Error string }

// TurnQueued says that a message is stored whose turn will start when the
// conversation's other turns have ended.
type TurnQueued struct {
	TurnRef
	ParentID, MessageID string // the user's message; the assistant's, still empty
}

// TurnSteered says that a user's message joined the running turn. What comes
// after it belongs to another assistant's message, which answers it.
type TurnSteered struct {
	TurnRef
	ParentID, MessageID string // the user's message; the assistant's, still empty
	Text                string // of the user's message
}

// TurnStarted begins a turn; its user message is stored.
type TurnStarted struct {
	TurnRef
	ParentID, MessageID string // the user's message; the assistant's, still empty
	Title               string
	Origin              string // whatever the starter named itself
}

// StopReason says why a turn ended.
type StopReason string

// The reasons for which a turn ends.
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
	Usage               Tokens
}

// Tokens counts what a turn has used so far. Cost is in US dollars, 0 if unknown.
type Tokens struct {
	In, Out, Cached int
	Cost            float64
}

// MessageAdded says that a message was stored.
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

// MessageUpdated replaces all that was known of a message's text and status.
type MessageUpdated struct {
	TurnRef
	MessageID string
	Text      string
	Status    string
}

// PromptConstructed says what the first request of a turn is made of.
type PromptConstructed struct {
	TurnRef
	Model             string
	Messages, Dropped int // sent; left out because the window is full
	Bytes, Tokens     int // of the messages; tokens are an estimate
}

// PermissionAsked puts a question to the user. Exactly one PermissionAnswered
// follows.
type PermissionAsked struct {
	TurnRef
	ID           string // of the question
	CallID, Tool string // the call that asks
	Title        string // one line: what is about to be done
	Detail       string // what there is to see of it; may be empty
}

// PermissionAnswered is the user's answer, or that there will be none.
type PermissionAnswered struct {
	TurnRef
	ID      string
	Granted bool
}

// Usage tells what the turn has used so far.
type Usage struct {
	TurnRef
	Tokens
}

// RequestStarted says that a request to a model is about to be sent; it is in
// the ledger.
type RequestStarted struct {
	TurnRef
	ParentID string // the user's message
	ID       string // of the ledger's entry
	Model    string
}

// RequestFinished says that the request's answer has ended, and what it used.
type RequestFinished struct {
	TurnRef
	ParentID string // the user's message
	ID       string
	Model    string
	Tokens
	Error string // empty if the answer is whole
}

// Retry says that a request to the model is sent again after a wait. Text that
// the failed attempt streamed has been taken back by a MessageUpdated.
type Retry struct {
	TurnRef
	Attempt int // the one that comes, from 2
	DelayMS int64
	Error   string
}

// Notice tells the user something that changes nothing.
type Notice struct {
	TurnRef
	Text string
}

// ProposalStaged says that a turn staged edits, or more of them.
type ProposalStaged struct {
	TurnRef
	CallID            string
	ProposalID, Title string
	Files             []string // absolute paths
}

// ProposalDecided says that the user accepted or rejected (parts of) a proposal.
type ProposalDecided struct {
	TurnRef
	ProposalID, Status string
	Reason             string
}

// ProposalApplied says what became of accepted edits.
type ProposalApplied struct {
	TurnRef
	ProposalID, Status string
	Files              []string // absolute paths
}

func (ToolCallRequested) event()  {}
func (ToolCallStarted) event()    {}
func (ToolCallCompleted) event()  {}
func (ToolCallFailed) event()     {}
func (IndexingStarted) event()    {}
func (IndexingProgress) event()   {}
func (IndexingCompleted) event()  {}
func (IndexingFailed) event()     {}
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
