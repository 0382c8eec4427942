package mcp

import (
	"testing"

	"ploke-lsp/edits"
)

// TestOldQuestionsCanNotBeAnswered asks one question more than may be open at once.
func TestOldQuestionsCanNotBeAnswered(t *testing.T) {
	var asked askedQuestions
	var states []string
	for range maxAsked + 1 {
		states = append(states, asked.sign(&edits.Proposal{ID: "p"}))
	}
	if _, ok := asked.verify(states[0]); ok {
		t.Error("the oldest question can still be answered")
	}
	for _, state := range []string{states[1], states[maxAsked]} {
		if d, ok := asked.verify(state); !ok || d.ID != "p" {
			t.Errorf("an open question can't be answered: %+v", d)
		}
	}
}
