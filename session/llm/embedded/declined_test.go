package embedded_test

import (
	"testing"

	"ploke-lsp/session/llm"
)

// TestWhatIsDeclinedIsTold sends messages whose answers need no tool.
func TestWhatIsDeclinedIsTold(t *testing.T) {
	for message, want := range map[string]llm.Finish{
		"refactor everything": llm.FinishDeclined, `replace "a" with "b"`: llm.FinishDeclined,
		"explain this function": llm.FinishStop, "explain": llm.FinishStop, "how do I set up a model?": llm.FinishStop,
		"show me .env": llm.FinishDeclined, "tell me a joke": llm.FinishDeclined,
		"hello": llm.FinishStop, "help": llm.FinishStop, "who are you": llm.FinishStop,
	} {
		text, calls, finish, err := send(t.Context(), []llm.Message{{Role: llm.User, Text: message}})
		if err != nil || len(calls) > 0 || finish != want {
			t.Errorf("%q ends as %q: %v, %v", message, finish, text, err)
		}
	}
}
