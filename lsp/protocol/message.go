package protocol

// A Message is one message of a conversation.
type Message struct {
	ID        string        `json:"id"`
	TurnID    string        `json:"turnId"`
	ParentID  string        `json:"parentId,omitzero"` // omitted at the root
	Role      MessageRole   `json:"role"`
	Text      string        `json:"text"` // Markdown
	Status    MessageStatus `json:"status"`
	Error     string        `json:"error,omitzero"`     // why the turn failed, was interrupted or reached a limit
	ErrorKind ErrorKind     `json:"errorKind,omitzero"` // with error, if it is known
	ToolCalls []ToolCall    `json:"toolCalls,omitzero"` // in their order
	Proposals []string      `json:"proposals,omitzero"` // the ids of those that the turn has staged
	CreatedAt int64         `json:"createdAt"`          // in milliseconds since 1970

	// of a user's message; sent again, they show the files as they are then
	Attachments []Attachment `json:"attachments,omitzero"`

	MessageAnswer `json:",inline"`
}

// MessageAnswer is what an assistant's message has more than a user's.
type MessageAnswer struct {
	// Of an assistant's message. The parts are those that a client that followed the turn has drawn for
	// this answer, in order: message, thought, toolCall, proposal, notice, citation and usage. Adjacent texts
	// are joined, and a tool call or a proposal is one part with its last state. They have no numbers.
	// Permission requests are not stored.
	Parts      []Part      `json:"parts,omitzero"`
	Model      string      `json:"model,omitzero"`      // the id of the [Model] that answered last
	StopReason StopReason  `json:"stopReason,omitzero"` // omitted while the message is pending
	Usage      *Usage      `json:"usage,omitzero"`      // of the turn; with its last answer
	Context    *ContextUse `json:"context,omitzero"`    // with the turn's last answer
}

// MessageRole is who wrote a message.
type MessageRole string

// The roles.
const (
	RoleUser      MessageRole = "user"
	RoleAssistant MessageRole = "assistant"
)

// MessageStatus is the state of a message. That of a user's message is completed.
type MessageStatus string

// The states of a message.
const (
	MessagePending     MessageStatus = "pending" // its turn runs or waits
	MessageCompleted   MessageStatus = "completed"
	MessageCancelled   MessageStatus = "cancelled"
	MessageFailed      MessageStatus = "failed"
	MessageInterrupted MessageStatus = "interrupted" // the server ended before the turn did
)

// A ToolCall is the summary of a tool call, for people. [MethodToolResult] reads its
// arguments and its result.
type ToolCall struct {
	CallID     string `json:"callId"`
	Tool       string `json:"tool"` // its name
	Summary    string `json:"summary,omitzero"`
	Error      string `json:"error,omitzero"` // why it failed
	DurationMS int64  `json:"durationMs"`     // in milliseconds
}
