package protocol

import "encoding/json"

// SessionNotification is one update of a session.
type SessionNotification struct {
	SessionID string `json:"sessionId"`
	Update    Update `json:"update"`
}

// An Update is a MessageChunk, ToolCall, Plan, CommandsUpdate, ConfigUpdate, InfoUpdate,
// UsageUpdate or Notice.
type Update interface{ update() }

// The kinds of a MessageChunk and of a ToolCall.
const (
	UserMessageChunk  = "user_message_chunk"
	AgentMessageChunk = "agent_message_chunk"
	AgentThoughtChunk = "agent_thought_chunk"
	NewToolCall       = "tool_call"
	ToolCallUpdate    = "tool_call_update"
)

// MessageChunk adds to a message.
type MessageChunk struct {
	Kind      string     `json:"sessionUpdate"`
	MessageID string     `json:"messageId,omitzero"`
	Content   TextOrLink `json:"content"`
}

// TextOrLink is a ContentBlock that the agent sends.
type TextOrLink struct {
	Type string  `json:"type"`
	Text *string `json:"text,omitzero"`
	URI  string  `json:"uri,omitzero"`
	Name string  `json:"name,omitzero"`
}

// Text returns a block of text.
func Text(text string) TextOrLink { return TextOrLink{Type: "text", Text: &text} }

// ToolCall announces a call of a tool, or changes what an earlier ToolCall said of it.
type ToolCall struct {
	Kind      string            `json:"sessionUpdate,omitzero"`
	ID        string            `json:"toolCallId"`
	Title     string            `json:"title,omitzero"`
	ToolKind  string            `json:"kind,omitzero"`
	Status    string            `json:"status,omitzero"`
	Name      string            `json:"name,omitzero"` // of the tool
	Content   []ToolCallContent `json:"content,omitzero"`
	Locations []Location        `json:"locations,omitzero"`
	RawInput  json.RawMessage   `json:"rawInput,omitzero"`
	RawOutput json.RawMessage   `json:"rawOutput,omitzero"`
}

// The states of a call.
const (
	StatusPending    = "pending"
	StatusInProgress = "in_progress"
	StatusCompleted  = "completed"
	StatusFailed     = "failed"
)

// The kinds of tools.
const (
	KindRead    = "read"
	KindEdit    = "edit"
	KindDelete  = "delete"
	KindMove    = "move"
	KindSearch  = "search"
	KindExecute = "execute"
	KindOther   = "other"
)

// ToolCallContent is a text, or a diff of a file.
type ToolCallContent struct {
	Type    string      `json:"type"` // content or diff
	Content *TextOrLink `json:"content,omitzero"`
	Path    string      `json:"path,omitzero"`
	OldText *string     `json:"oldText,omitzero"` // nil for a new file
	NewText *string     `json:"newText,omitzero"`
}

// TextContent returns a text as the content of a call.
func TextContent(text string) ToolCallContent {
	block := Text(text)
	return ToolCallContent{Type: "content", Content: &block}
}

// Location is a place that a call concerns, so that the client can follow it.
type Location struct {
	Path string `json:"path"`
	Line int    `json:"line,omitzero"`
}

// Plan is what the agent is going to do.
type Plan struct {
	Kind    string      `json:"sessionUpdate"` // plan
	Entries []PlanEntry `json:"entries"`
}

// PlanEntry is a step of a plan.
type PlanEntry struct {
	Content  string `json:"content"`
	Priority string `json:"priority"` // high, medium or low
	Status   string `json:"status"`   // pending, in_progress or completed
}

// CommandsUpdate lists the slash commands.
type CommandsUpdate struct {
	Kind     string    `json:"sessionUpdate"` // available_commands_update
	Commands []Command `json:"availableCommands"`
}

// Command is a slash command.
type Command struct {
	Name        string        `json:"name"` // without the slash
	Description string        `json:"description"`
	Input       *CommandInput `json:"input,omitzero"`
}

// CommandInput says what to type behind a command.
type CommandInput struct {
	Hint string `json:"hint"`
}

// ConfigUpdate holds all settings of the session.
type ConfigUpdate struct {
	Kind          string         `json:"sessionUpdate"` // config_option_update
	ConfigOptions []ConfigOption `json:"configOptions"`
}

// InfoUpdate changes the title of a session.
type InfoUpdate struct {
	Kind      string `json:"sessionUpdate"` // session_info_update
	Title     string `json:"title,omitzero"`
	UpdatedAt string `json:"updatedAt,omitzero"`
}

// UsageUpdate says how full the model's context is, in tokens, and what the session has cost.
type UsageUpdate struct {
	Kind string `json:"sessionUpdate"` // usage_update
	Used int    `json:"used"`
	Size int    `json:"size"`
	Cost *Cost  `json:"cost,omitzero"`
}

// Cost is an amount of money.
type Cost struct {
	Amount   float64 `json:"amount"`
	Currency string  `json:"currency"` // as in ISO 4217
}

// Notice is a message for the person that belongs to no answer.
type Notice struct {
	Kind     string `json:"sessionUpdate"` // notice
	Severity string `json:"severity"`      // info, warning or error
	Title    string `json:"title"`
}

func (MessageChunk) update()   {}
func (ToolCall) update()       {}
func (Plan) update()           {}
func (CommandsUpdate) update() {}
func (ConfigUpdate) update()   {}
func (InfoUpdate) update()     {}
func (UsageUpdate) update()    {}
func (Notice) update()         {}
