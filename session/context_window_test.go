package session

import (
	"encoding/json"
	"testing"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/window"
)

// TestWindow checks the part of the window that is left for the answer: a quarter, or
// the model's maximum if that is less.
func TestWindow(t *testing.T) {
	for _, tt := range []struct{ context, answer, want int }{
		{8000, 0, 6000},
		{8000, 1000, 7000},
		{8000, 8000, 6000},
		{0, 0, 750}, // of the limit's
	} {
		s := turnSetup{limits: Limits{ContextTokens: 1000},
			model: llm.Model{ContextTokens: tt.context, AnswerTokens: tt.answer}}
		if got := s.window(); got != tt.want {
			t.Errorf("%+v: %d", tt, got)
		}
	}
}

// TestEveryPartOfARequestCounts adds the parts of a request one by one.
func TestEveryPartOfARequestCounts(t *testing.T) {
	c := window.Counter{Scale: 1}
	hundred := json.RawMessage(make([]byte, 400)) // tokens
	for name, m := range map[string]llm.Message{
		"text": {Text: string(hundred)}, "thoughts": {Opaque: hundred}, "a call": {Calls: []llm.Call{{Arguments: hundred}}},
	} {
		if n := requestTokens(c, []llm.Message{m}, nil); n != 100+window.MessageTokens {
			t.Errorf("%s: %d", name, n)
		}
	}
	if n := requestTokens(c, nil, []llm.ToolSpec{{Description: string(hundred), Schema: hundred}}); n != 200 {
		t.Errorf("a tool: %d", n)
	}
}
