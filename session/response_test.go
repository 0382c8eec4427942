package session

import (
	"testing"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/session/window"
	"ploke-lsp/tools"
)

// TestBrokenOffStepIsReplayedWithoutItsGap stops a turn amid the paragraph after a call.
func TestBrokenOffStepIsReplayedWithoutItsGap(t *testing.T) {
	gate := llmtest.NewGate()
	defer gate.Open()
	first := calls(call("a", "echo", "x"))
	first.Text = []string{"Looking."}
	h := start(t, tools.NewSet(echo("echo")), nil, first, llmtest.Turn{Text: []string{"Half of"}, Hold: gate})
	turn := h.begin(t, Prompt{Text: "hi"})
	await(h, func(d bus.MessageDelta) bool { return d.Text == "\n\nHalf of" })
	turn.Stop()
	h.wait(t, turn)
	path, err := h.kept.messages.Branch(t.Context(), turn.ConversationID, "", turn.AssistantMessageID)
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, m := range window.Replay(path) {
		if m.Role == llm.Assistant {
			said = append(said, m.Text)
		}
	}
	if len(said) != 2 || said[1] != "Half of" {
		t.Errorf("the replayed answer is %q", said)
	}
}
