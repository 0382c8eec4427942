package protocol

import (
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// PartType is the type of a [Part].
type PartType string

// The part types. The first group is the content of an answer, the second is about the
// turn, and the third is sent only in an [Event].
const (
	PartMessage  PartType = "message"
	PartThought  PartType = "thought"
	PartToolCall PartType = "toolCall"
	PartProposal PartType = "proposal"
	PartUsage    PartType = "usage"
	PartCitation PartType = "citation"
	PartNotice   PartType = "notice"

	PartTurnQueued  PartType = "turnQueued"  // the turn starts when the turns before it have ended
	PartUserMessage PartType = "userMessage" // a message joined the turn; the parts that follow answer it
	PartPermission  PartType = "permission"  // a permission request to the person, or its answer

	PartTurnStarted  PartType = "turnStarted"
	PartTurnFinished PartType = "turnFinished"
	PartIndex        PartType = "index"
)

// A Part is one step of a turn, sent when it happens. Seq increases within a
// conversation. Several steps may be joined to one part, whose Seq is that of the last
// one. Type decides which fields are set.
type Part struct {
	Seq  int      `json:"seq"`
	Type PartType `json:"type"`

	// Text is the text to append (message, thought), a sentence (notice), or the
	// text of the user's message (userMessage).
	Text string `json:"text,omitzero"`
	// Replace means that Text replaces the text of the answer, and its citations,
	// since the last userMessage or since the start (message).
	Replace bool `json:"replace,omitzero"`

	// toolCall, permission; State is started, finished or failed.
	CallID  string        `json:"callId,omitzero"`
	Tool    string        `json:"tool,omitzero"`
	State   ToolCallState `json:"state,omitzero"`
	Summary string        `json:"summary,omitzero"`

	// proposal, userMessage, permission; Files are paths relative to their workspace
	// folder. The status of a permission is asked, granted or denied.
	ID     string   `json:"id,omitzero"`
	Title  string   `json:"title,omitzero"` // also turnStarted
	Files  []string `json:"files,omitzero"`
	Status string   `json:"status,omitzero"`
	Detail string   `json:"detail,omitzero"` // permission, if Status is asked

	// citation
	URI      uri.URI         `json:"uri,omitzero"`
	Range    *protocol.Range `json:"range,omitzero"`
	Canon    string          `json:"canon,omitzero"`
	Proposal string          `json:"proposal,omitzero"`

	Usage  *Usage          `json:"usage,omitzero"`
	Result *ChatSendResult `json:"result,omitzero"` // turnFinished
	Index  *IndexStatus    `json:"index,omitzero"`  // index
}

// ToolCallState is the state of a tool call.
type ToolCallState string

// The states of a tool call.
const (
	ToolCallStarted  ToolCallState = "started"
	ToolCallFinished ToolCallState = "finished"
	ToolCallFailed   ToolCallState = "failed"
)

// An Event is the parameter of [MethodEvent] and the value of a partial result. It is a
// part of the turn with the given ids or, without ids, a change of the index or of a
// proposal. The partial results of a message that joined a turn repeat the parts of
// that turn from then on.
type Event struct {
	Part
	ConversationID string `json:"conversationId,omitzero"`
	TurnID         string `json:"turnId,omitzero"`
}
