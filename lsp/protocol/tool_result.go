package protocol

// MethodToolResult reads what a tool call was given, or what it returned, as it is stored. It fails if
// there is no such call, or if the offset is outside of the text.
const MethodToolResult = "ploke/tool/result"

// ToolResultParams selects a range of a text in UTF-8.
type ToolResultParams struct {
	ConversationID string   `json:"conversationId"`
	CallID         string   `json:"callId"`
	Text           ToolText `json:"text,omitzero"`   // by default result
	Offset         int      `json:"offset,omitzero"` // of the first byte
	// in bytes; by default [ToolResultLimit], at most [ToolResultMaxLimit]
	Limit int `json:"limit,omitzero"`
}

// The number of bytes in one [ToolResult]: by default, and at most.
const (
	ToolResultLimit    = 64 << 10
	ToolResultMaxLimit = 1 << 20
)

// ToolText is one of the texts of a tool call.
type ToolText string

// The texts of a tool call.
const (
	ToolArguments  ToolText = "arguments" // as the model wrote them; they may be invalid JSON
	ToolResultText ToolText = "result"    // JSON, from which the model's text was made; empty while the call runs
)

// ToolResult is a range of a text of a tool call. Secrets that were found in the text are
// placeholders.
type ToolResult struct {
	ToolCall
	Text   string `json:"text"`          // begins and ends between characters
	Offset int    `json:"offset"`        // of the text, in bytes
	Total  int    `json:"total"`         // the length of the whole text in bytes
	Next   int    `json:"next,omitzero"` // the offset of the next range, omitted at the end
}
