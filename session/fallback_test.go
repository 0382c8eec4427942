package session

import (
	"context"
	"errors"
	"strings"
	"testing"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/tools"
)

// TestFallback overloads the first model in the middle of a turn. The fallback model
// continues the turn and has its own attempts.
func TestFallback(t *testing.T) {
	busy := llmtest.Turn{Status: 503}
	second := llmtest.NewServer(t, busy, says("there you are"))
	h := start(t, tools.NewSet(echo("echo")), func(o *Options) {
		first := o.Model
		o.Fallback, o.Limits.Retries = "other/n", 1
		o.Model = func(ctx context.Context, name string) (llm.Model, error) {
			if name == "other/n" {
				return llm.Model{Provider: llm.OpenAI(llm.OpenAIConfig{Name: "other", BaseURL: second.URL}), ID: "n"}, nil
			}
			return first(ctx, name)
		}
	}, calls(call("a", "echo", "1")), busy, busy)
	turn, outcome := h.ask(t, Prompt{Text: "go"})
	if outcome.StopReason != bus.StopDone || outcome.Text != "there you are" {
		t.Fatalf("%+v", outcome)
	}
	if answer := h.history(t, turn.ConversationID)[1]; answer.Model != "other/n" {
		t.Errorf("the answer is of %q", answer.Model)
	}
	reported := false
	for _, n := range seen[bus.Notice](h) {
		reported = reported || n.Text == "using other/n, since test/m can't answer now"
	}
	if !reported {
		t.Error("no notice of the fallback")
	}
	if r := second.Requests()[1]; r.Model != "n" || !strings.Contains(string(r.Body), "echo") {
		t.Errorf("the second model was sent %s", r.Body)
	}
}

// TestNoFallback lists the cases in which the fallback model is not used.
func TestNoFallback(t *testing.T) {
	for _, tt := range []struct {
		name, fallback string
		status         int
		says           string
	}{
		{"none is set", "", 503, "503"},
		{"another trouble", "broken", 401, "401"},
		{"it is the same one", "same", 503, "503"},
		{"it can't be found", "broken", 503, "the fallback model can't be used either: no such model"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := start(t, tools.NewSet(), func(o *Options) {
				first := o.Model
				o.Fallback, o.Limits.Retries = tt.fallback, -1
				o.Model = func(ctx context.Context, name string) (llm.Model, error) {
					if name == "broken" {
						return llm.Model{}, errors.New("no such model")
					}
					return first(ctx, name)
				}
			}, llmtest.Turn{Status: tt.status})
			if _, outcome := h.ask(t, Prompt{Text: "go"}); outcome.StopReason != bus.StopError || !strings.Contains(outcome.Err.Error(), tt.says) {
				t.Errorf("%+v", outcome)
			}
		})
	}
}

// TestConfigure changes the limits between two turns.
func TestConfigure(t *testing.T) {
	h := start(t, tools.NewSet(echo("echo")), nil, says("one"), calls(call("a", "echo", "1")))
	turn, _ := h.ask(t, Prompt{Text: "go"})
	h.Configure(Limits{TurnRequests: 1}, "")
	if _, outcome := h.ask(t, Prompt{Text: "go on", ConversationID: turn.ConversationID}); outcome.StopReason != bus.StopLimit {
		t.Errorf("%+v", outcome)
	}
}
