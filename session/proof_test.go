package session

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"strings"
	"testing"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/tools"
)

// editingTool returns a tool that changes something, and ends the turn with an answer.
func editingTool() *tools.Tool {
	return tools.Define[asJSON]("edit", "edits", tools.Short, func(context.Context, tools.Env, text) (tools.Result, error) {
		r, err := tools.OK(map[string]any{"ok": true}, "edited")
		r.Answer = "answered along"
		return r, err
	})
}

// TestProblemsGoBackToTheModel a few times, whether it answers along with its last edit or in a response of its own. A later
// turn sends the same bytes.
func TestProblemsGoBackToTheModel(t *testing.T) {
	along := llmtest.Turn{Calls: []llmtest.Call{{ID: "", Name: "edit", Arguments: `{}`}}}
	alone := llmtest.Turn{Text: []string{"answered alone"}}
	broken := Proof{Summary: "go vet: 1 new problem", Problems: "a.go:1:1: broken", Rounds: 2}
	for name, tt := range map[string]struct {
		answer  llmtest.Turn
		proofs  []Proof
		answers int    // how often the model answers
		last    string // the last notice
	}{
		"along, fixed":     {along, []Proof{broken, {Summary: "go vet: passed", Rounds: 2}}, 2, "with this: go vet: passed"},
		"alone, fixed":     {alone, []Proof{broken, {Summary: "go vet: passed", Rounds: 2}}, 2, "with this: go vet: passed"},
		"along, not fixed": {along, []Proof{broken}, 3, "with this: go vet: 1 new problem"},
		"alone, no rounds": {alone, []Proof{{Summary: broken.Summary, Problems: broken.Problems}}, 1, "with this: go vet: 1 new problem"},
		"nothing to see":   {along, []Proof{{}}, 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var script []llmtest.Turn
			for i := range tt.answers {
				answer := tt.answer
				if len(answer.Calls) > 0 {
					answer.Calls = []llmtest.Call{{ID: string(rune('a' + i)), Name: "edit", Arguments: `{}`}}
				}
				script = append(script, answer)
			}
			asked, first := 0, ""
			h := start(t, tools.NewSet(editingTool()), func(o *Options) {
				o.Workspace.Proof = func(_ context.Context, turn tools.Call, _ func(context.Context, tools.Permission) error) (Proof, error) {
					if first = cmp.Or(first, turn.RequestID); first != turn.RequestID { // the second turn proposes nothing
						return Proof{}, nil
					}
					asked++
					return tt.proofs[min(asked, len(tt.proofs))-1], nil
				}
			}, append(script, llmtest.Turn{Text: []string{"again"}})...)
			turn, out := h.ask(t, Prompt{Text: "do it"})
			if out.StopReason != bus.StopDone || !strings.HasSuffix(out.Text, "answered "+map[bool]string{true: "alone", false: "along"}[len(tt.answer.Calls) == 0]) {
				t.Errorf("%s: %q, %v", out.StopReason, out.Text, out.Err)
			}
			h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "go on"})
			requests := h.server.Requests()
			if len(requests) != tt.answers+1 {
				t.Fatalf("%d requests, not %d", len(requests), tt.answers+1)
			}
			told := ""
			for i := 1; i < len(requests); i++ {
				for j, m := range requests[i-1].Messages {
					if !bytes.Equal(m.Raw, requests[i].Messages[j].Raw) {
						t.Errorf("message %d of request %d is another one than before", j, i)
					}
				}
				last := len(requests[i-1].Messages)
				for _, m := range requests[i].Messages[last:] {
					if strings.Contains(m.Content, "go vet") {
						told = m.Content
					}
				}
				if i < tt.answers && !strings.Contains(told, broken.Problems) {
					t.Errorf("request %d lacks the problem: %q", i, told)
				}
			}
			if !strings.Contains(told, tt.last) || tt.last == "" && told != "" {
				t.Errorf("the model was told %q", told)
			}
		})
	}
}

// TestAStoppedTurnDoesNotWaitForItsChecks ends while a check runs.
func TestAStoppedTurnDoesNotWaitForItsChecks(t *testing.T) {
	t.Parallel()
	began := make(chan struct{})
	h := start(t, tools.NewSet(editingTool()), func(o *Options) {
		o.Workspace.Proof = func(ctx context.Context, _ tools.Call, _ func(context.Context, tools.Permission) error) (Proof, error) {
			close(began)
			<-ctx.Done()
			return Proof{}, errors.New("stopped")
		}
	}, llmtest.Turn{Calls: []llmtest.Call{{ID: "a", Name: "edit", Arguments: `{}`}}})
	turn, err := h.Start(t.Context(), Prompt{Text: "do it"})
	if err != nil {
		t.Fatal(err)
	}
	<-began
	turn.Stop()
	if out := h.wait(t, turn); out.StopReason != bus.StopCancelled {
		t.Errorf("%s: %v", out.StopReason, out.Err)
	}
}
