package session

import (
	"encoding/json"
	"slices"
	"testing"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
)

// TestARequestRepeatsHiddenMessages changes one message at a time: it and those behind it are hidden again.
func TestARequestRepeatsHiddenMessages(t *testing.T) {
	messages := []llm.Message{
		{Role: llm.System, Text: "rules"},
		{Role: llm.User, Text: "read it", Secrets: []string{"verdigris"}},
		{Role: llm.Assistant, Calls: []llm.Call{{ID: "a", Name: "read", Arguments: json.RawMessage(`{}`)}}, Opaque: llm.Opaque(`{}`)},
		{Role: llm.Tool, CallID: "a", Name: "read", Text: "read", InContent: []string{"otter"}},
	}
	s := newSecrets(&turnRecord{turn: &Turn{TurnRef: bus.TurnRef{ConversationID: "conversation"}}})
	sent := hiddenMessages{dropped: []string{"dropped"}}
	for i := range messages {
		sent.all = append(sent.all, s.hideMessage(&messages[i], nil))
	}
	if got := sent.repeated(append(slices.Clone(messages), messages[1]), []string{"dropped"}); got != len(messages) {
		t.Errorf("%d messages are repeated, want %d", got, len(messages))
	}
	if got := sent.repeated(messages, nil); got != 0 {
		t.Errorf("with other secrets before them, %d messages are repeated", got)
	}
	for i, change := range map[int][]func(m *llm.Message){
		0: {func(m *llm.Message) { m.Text = "others" }, func(m *llm.Message) { m.Role = llm.User }},
		1: {func(m *llm.Message) { m.Secrets = nil }},
		2: {func(m *llm.Message) { m.Calls[0].Arguments = json.RawMessage(`{"a":1}`) }, func(m *llm.Message) { m.Opaque = nil },
			func(m *llm.Message) { m.Calls[0].Name = "write" }, func(m *llm.Message) { m.Calls[0].ID = "b" }},
		3: {func(m *llm.Message) { m.InContent = nil }, func(m *llm.Message) { m.CallID = "b" }, func(m *llm.Message) { m.Name = "write" }},
	} {
		for _, change := range change {
			changed := slices.Clone(messages)
			changed[i].Calls = slices.Clone(changed[i].Calls)
			change(&changed[i])
			if got := sent.repeated(changed, []string{"dropped"}); got != i {
				t.Errorf("%d messages are repeated although message %d has changed to %+v", got, i, changed[i])
			}
		}
	}
}
