package records

import (
	"encoding/json"

	"ploke-lsp/session/bus"
)

// FailureContent is the content of a failed call, in the form of a [tools.Failure].
type FailureContent struct {
	OK         bool     `json:"ok"`
	Error      string   `json:"error"`
	Code       string   `json:"code"`
	Hint       string   `json:"hint"`
	Candidates []string `json:"candidates,omitempty"`
}

var failureHints = map[bus.Code]string{
	bus.CodeTimeout:   "ask for less at once, or go on without it",
	bus.CodeCancelled: "call it again if its result is still needed",
	bus.CodeDenied:    "don't try to do it another way; go on without it, or ask the user what they want",
	bus.CodePanic:     "the same call will crash again; try another way, and tell the user",
	bus.CodeError:     "try another way, and tell the user",
}

// Failure returns the record of a failed call.
func Failure(code bus.Code, message string) ToolCall {
	content := FailureContent{Error: message, Code: string(code), Hint: failureHints[code]}
	return ToolCall{Content: json.RawMessage(Marshal(content)), Error: message, Code: code}
}
