package protocol

// ToolResultParams reads what a tool call was given, or what it returned, as it is stored.
// It selects the bytes from Offset on, at most Limit, of the text in UTF-8. Limit defaults
// to [ToolResultLimit] and can't exceed [ToolResultMaxLimit].
type ToolResultParams struct {
	ConversationID string   `json:"conversationId"`
	CallID         string   `json:"callId"`
	Text           ToolText `json:"text,omitzero"` // default: result
	Offset         int      `json:"offset,omitzero"`
	Limit          int      `json:"limit,omitzero"`
}

// The number of bytes in one [ToolResult]: by default, and at most.
const (
	ToolResultLimit    = 64 << 10
	ToolResultMaxLimit = 1 << 20
)

// ToolText is one of the texts of a tool call.
type ToolText string

// The texts of a tool call. The model wrote the arguments, which may be invalid JSON, and
// read a text of the result, which is JSON here and empty while the call runs.
const (
	ToolArguments  ToolText = "arguments"
	ToolResultText ToolText = "result"
)

// ToolResult is a range of a text of a tool call. Secrets that were found in the text are
// placeholders. Offset is that of Text, which begins and ends between characters. Total is
// the length of the whole text. Next is the offset of the next range, omitted at the end.
type ToolResult struct {
	ToolCall
	Text   string `json:"text"`
	Offset int    `json:"offset"`
	Total  int    `json:"total"`
	Next   int    `json:"next,omitzero"`
}
