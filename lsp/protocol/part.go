package protocol

import (
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// PartType names the kind of a [Part].
type PartType string

// The kinds. The first group streams an answer; the second says how the turn
// goes; the third is sent only in an [Event].
const (
	PartMessage  PartType = "message"
	PartThought  PartType = "thought"
	PartToolCall PartType = "toolCall"
	PartProposal PartType = "proposal"
	PartUsage    PartType = "usage"
	PartCitation PartType = "citation"
	PartNotice   PartType = "notice"

	PartTurnQueued  PartType = "turnQueued"  // it starts when the turns before it have ended
	PartUserMessage PartType = "userMessage" // a message joined the turn; what follows answers it
	PartPermission  PartType = "permission"  // the person is asked for leave, or has answered

	PartTurnStarted  PartType = "turnStarted"
	PartTurnFinished PartType = "turnFinished"
	PartIndex        PartType = "index"
)

// A Part is one piece of a turn as it happens. Seq grows within a conversation; a part whose Seq is n holds everything of
// its turn up to n that an earlier part did not. Which fields are set depends
// on Type.
type Part struct {
	Seq  int      `json:"seq"`
	Type PartType `json:"type"`

	// Text is what to append (message, thought), a sentence (notice), or what
	// the user wrote (userMessage).
	Text string `json:"text,omitzero"`
	// Replace says that the text of the answer since the last userMessage, or since
	// the start, is taken back with its citations, and Text stands in its place
	// (message).
	Replace bool `json:"replace,omitzero"`

	// toolCall, permission; State is started, finished or failed.
	CallID  string        `json:"callId,omitzero"`
	Tool    string        `json:"tool,omitzero"`
	State   ToolCallState `json:"state,omitzero"`
	Summary string        `json:"summary,omitzero"`

	// proposal, userMessage, permission; Files are relative to their workspace
	// folder. Status of a permission is asked, granted or denied.
	ID     string   `json:"id,omitzero"`
	Title  string   `json:"title,omitzero"` // also turnStarted
	Files  []string `json:"files,omitzero"`
	Status string   `json:"status,omitzero"`
	Detail string   `json:"detail,omitzero"` // permission that is asked

	// citation
	URI   uri.URI         `json:"uri,omitzero"`
	Range *protocol.Range `json:"range,omitzero"`
	Canon string          `json:"canon,omitzero"`

	Usage  *Usage          `json:"usage,omitzero"`
	Result *ChatSendResult `json:"result,omitzero"` // turnFinished
	Index  *IndexStatus    `json:"index,omitzero"`  // index
}

// ToolCallState is how far a tool call has come.
type ToolCallState string

// The states.
const (
	ToolCallStarted  ToolCallState = "started"
	ToolCallFinished ToolCallState = "finished"
	ToolCallFailed   ToolCallState = "failed"
)

// An Event is the parameter of [MethodEvent] and the value of a partial result: a
// part with the turn it belongs to, or, with neither id, news of the index or of a
// proposal. A message that joined a turn streams the turn's parts once more, from
// then on.
type Event struct {
	Part
	ConversationID string `json:"conversationId,omitzero"`
	TurnID         string `json:"turnId,omitzero"`
}
