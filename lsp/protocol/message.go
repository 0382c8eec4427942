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
	ToolCalls []ToolCall    `json:"toolCalls,omitzero"` // in their order
	Proposals []string      `json:"proposals,omitzero"` // the ids of those that the turn has staged
	CreatedAt int64         `json:"createdAt"`          // in milliseconds since 1970
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
