package protocol

import (
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// MethodEvent is sent for each part of a turn that no request of the client waits for, such as that
// of a code action, for each change of a proposal outside of turns, for the state of the index, and
// when the review has changed.
const MethodEvent = "ploke/event"

// PartType is the type of a [Part].
type PartType string

// The part types. The first group is the content of an answer, the second is about the
// turn, and the third is sent only in an [Event].
const (
	PartMessage  PartType = "message"  // text to append to the answer
	PartThought  PartType = "thought"  // text to append to what the model thinks
	PartToolCall PartType = "toolCall" // a tool call starts, or has ended
	// what a running tool call prints for the person, such as the output of a command: plain text to append
	PartToolOutput PartType = "toolOutput"
	PartProposal   PartType = "proposal" // a proposal is staged or amended, or its status has changed
	PartUsage      PartType = "usage"    // a request to the model has ended
	PartEvidence   PartType = "evidence" // what is known of a proposal has changed
	PartCitation   PartType = "citation" // a source of the answer
	PartNotice     PartType = "notice"   // a sentence about the turn for the person

	PartTurnQueued PartType = "turnQueued" // the turn starts when the turns before it have ended
	// the message is stored, and waits to join the turn; sent only as a partial result of that message
	PartSteering    PartType = "steering"
	PartUserMessage PartType = "userMessage" // a message joined the turn; the parts that follow answer it
	PartPermission  PartType = "permission"  // a permission request to the person, or its answer

	PartTurnStarted  PartType = "turnStarted"  // the turn has begun
	PartTurnFinished PartType = "turnFinished" // the turn has ended; its last part
	PartIndex        PartType = "index"        // the state of the index has changed
	PartReview       PartType = "review"       // the result of [MethodReview] has changed
)

// PartTypes returns all part types.
func PartTypes() []PartType {
	return []PartType{PartMessage, PartThought, PartToolCall, PartToolOutput, PartProposal, PartUsage, PartEvidence,
		PartCitation, PartNotice, PartTurnQueued, PartSteering, PartUserMessage, PartPermission, PartTurnStarted,
		PartTurnFinished, PartIndex, PartReview}
}

// A Part is one step of a turn, sent when it happens. Several steps may be joined to one part, whose
// number is that of the last one. A text that replaces others begins with the texts of the
// complete responses of the model, such as those before tool calls: a client can leave them where they are.
type Part struct {
	// The tag parts says in which types a field is set, and marks with "?" where it may be omitted
	// even so; "=" names the type of its value there. A struct with the option inline is a group of fields in Go
	// alone: on the wire they are fields of the part.

	Seq  int      `json:"seq" parts:"*"` // increases within a conversation; 0 for a part that belongs to no running turn
	Type PartType `json:"type" parts:"*"`

	// to append, or of the user's message; Markdown
	Text string `json:"text,omitzero" parts:"message? thought toolOutput notice userMessage"`
	// the text replaces that of the answer, and its citations, since the last userMessage or the start
	Replace bool `json:"replace,omitzero" parts:"message?"`

	PartCall    `json:",inline"`
	PartDecided `json:",inline"`
	PartCited   `json:",inline"`

	Usage  *Usage          `json:"usage,omitzero" parts:"usage"`
	Result *ChatSendResult `json:"result,omitzero" parts:"turnFinished"`
	Index  *IndexStatus    `json:"index,omitzero" parts:"index"`
	// of the proposal, by source, without what commands have printed
	Evidence []Evidence `json:"evidence,omitzero" parts:"evidence"`
}

// PartCall is the tool call that a part is about.
type PartCall struct {
	CallID  string        `json:"callId,omitzero" parts:"toolCall toolOutput permission?"` // omitted outside of tool calls
	Tool    string        `json:"tool,omitzero" parts:"toolCall permission?"`              // its name
	State   ToolCallState `json:"state,omitzero" parts:"toolCall"`
	Summary string        `json:"summary,omitzero" parts:"toolCall?"` // of its result, or why it failed
	// How long a call that has ended took, in milliseconds.
	DurationMS int64 `json:"durationMs,omitzero" parts:"toolCall?"`
}

// PartDecided is what a person decides on, a proposal or a permission request. A message and a turn have some of it.
type PartDecided struct {
	// of the proposal, of the message, of the permission request; Title of a call that has started says what it does
	ID       string   `json:"id,omitzero" parts:"proposal steering userMessage permission evidence"`
	Title    string   `json:"title,omitzero" parts:"turnStarted? proposal? permission? toolCall?"`
	Files    []string `json:"files,omitzero" parts:"proposal?"` // paths relative to their workspace folders
	Status   string   `json:"status,omitzero" parts:"proposal=ProposalStatus permission=PermissionStatus"`
	Detail   string   `json:"detail,omitzero" parts:"permission?"`   // what exactly is asked
	OnlyOnce bool     `json:"onlyOnce,omitzero" parts:"permission?"` // as in [PermissionAskParams]
	Exact    bool     `json:"exact,omitzero" parts:"permission?"`    // as in [PermissionAskParams]
	// Version is that of a proposal of which nothing is decided, as in [Proposal].
	Version string `json:"version,omitzero" parts:"proposal? evidence?"`
}

// PartCited is the source that a citation names.
type PartCited struct {
	URI   uri.URI         `json:"uri,omitzero" parts:"citation"` // with the scheme [ProposalScheme] if proposal is set
	Range *protocol.Range `json:"range,omitzero" parts:"citation"`
	Canon string          `json:"canon,omitzero" parts:"citation?"` // the canonical name of the symbol there
	// the id of the proposal that has the lines, if the file does not
	Proposal string `json:"proposal,omitzero" parts:"citation?"`
	// the number of the cell that the range begins in, from 1, of a notebook
	Cell int `json:"cell,omitzero" parts:"citation?"`
}

// ToolCallState is the state of a tool call.
type ToolCallState string

// The states of a tool call.
const (
	ToolCallStarted  ToolCallState = "started"
	ToolCallFinished ToolCallState = "finished"
	ToolCallFailed   ToolCallState = "failed"
)

// PermissionStatus is the state of a permission request.
type PermissionStatus string

// The states of a permission request.
const (
	PermissionAsked   PermissionStatus = "asked"
	PermissionGranted PermissionStatus = "granted"
	PermissionDenied  PermissionStatus = "denied"
)

// An Event is the parameter of [MethodEvent] and the value of a partial result of [MethodChatSend]. It
// is a part of the turn with the given ids or, without ids, a change of the index, of the review or of a
// proposal. The partial results of a message that steers begin with a part steering once it is stored, and
// repeat the parts of the turn from there on, also the userMessage with the message's id, if it joins.
type Event struct {
	Part
	ConversationID string `json:"conversationId,omitzero"`
	TurnID         string `json:"turnId,omitzero"`
}
