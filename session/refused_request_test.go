package session

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/session/records"
	"ploke-lsp/tools"
)

func tooLong(message string) llmtest.Turn {
	return llmtest.Turn{Status: http.StatusBadRequest, Body: records.Marshal(map[string]any{"error": map[string]string{"message": message}})}
}

// TestATurnGoesOnAfterItsRequestWasTooLong has a server refuse a request that the engine
// believed to fit. The turn shortens what the model has read, and ends well. A window that
// the server named holds for later conversations, too, unless the user has set another one.
func TestATurnGoesOnAfterItsRequestWasTooLong(t *testing.T) {
	for _, tt := range []struct {
		name, message string
		set           bool // the window is the user's setting
		holds         bool
	}{
		{"both sizes", "This model's maximum context length is 8192 tokens. However, your messages resulted in 13312 tokens.", false, true},
		{"only the window", "Range of input length should be [1, 8192]", false, true},
		{"a count above the estimate", "prompt is too long: 50000 tokens > 8192 maximum", false, true},
		{"no size", "Your input exceeds the context window of this model.", false, false},
		{"no size that may be true", "maximum context length is 2 tokens", false, false},
		{"the user's window", "This model's maximum context length is 8192 tokens.", true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			change := func(o *Options) {
				find := o.Model
				o.Model = func(ctx context.Context, name string) (llm.Model, error) {
					m, err := find(ctx, name)
					m.ContextSet = tt.set
					return m, err
				}
			}
			h := start(t, tools.NewSet(big()), change,
				calls(call("a", "big", "40000")), calls(call("b", "big", "900")), tooLong(tt.message), says("done"), says("again"),
				calls(call("c", "big", "12000")), calls(call("d", "big", "12001")), says("later"))
			turn, outcome := h.ask(t, Prompt{Text: "go"})
			if outcome.Err != nil || outcome.Text != "done" {
				t.Fatalf("%+v", outcome)
			}
			h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "more"})
			requests := h.server.Requests()
			refused, repeated := requests[2], requests[3]
			sentAgain := outline(repeated)
			if len(repeated.Messages) != len(refused.Messages) || len(repeated.Body) > len(refused.Body)/2 {
				t.Errorf("%d bytes after %d", len(repeated.Body), len(refused.Body))
			}
			if r := sentAgain[len(sentAgain)-1]; !strings.Contains(r, strings.Repeat("x", 900)) {
				t.Errorf("the result that the last response asked for is shortened: %s", r)
			}
			if n := seen[bus.Notice](h); len(n) != 2 || !strings.Contains(n[1].Text, "refused the request as too long") {
				t.Errorf("%+v", n)
			}
			checkPrefixes(t, requests[:3])
			checkPrefixes(t, requests[3:5]) // the next turn, too
			h.ask(t, Prompt{Text: "another conversation"})
			requests = h.server.Requests()
			if shortened := !isPrefix(requests[6].Messages, requests[7].Messages); shortened != tt.holds {
				t.Errorf("a later conversation is shortened: %v, want %v", shortened, tt.holds)
			}
		})
	}
}

// TestARequestThatCantBeShortenedFails keeps the server's words.
func TestARequestThatCantBeShortenedFails(t *testing.T) {
	for _, message := range []string{"maximum context length is 8192 tokens", "the prompt is too long"} {
		h := start(t, tools.NewSet(), nil, tooLong(message))
		_, outcome := h.ask(t, Prompt{Text: "go"})
		if outcome.StopReason != bus.StopError || outcome.Err == nil || !strings.Contains(outcome.Err.Error(), message) {
			t.Errorf("%+v", outcome)
		}
		if n := seen[bus.Notice](h); len(n) > 0 {
			t.Errorf("%+v", n)
		}
	}
}

// TestEndlessRefusalsEndTheTurn has a server that refuses whatever it gets.
func TestEndlessRefusalsEndTheTurn(t *testing.T) {
	script := []llmtest.Turn{says("one"), calls(call("a", "big", "9000")), calls(call("b", "big", "8000"))}
	for range 4 { // shorten a; drop the past; cut b; shorten b
		script = append(script, tooLong("too many tokens"))
	}
	h := start(t, tools.NewSet(big()), nil, script...)
	turn, _ := h.ask(t, Prompt{Text: "first " + strings.Repeat("word ", 1000)})
	_, outcome := h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "go"})
	if outcome.StopReason != bus.StopError || outcome.Err == nil || !strings.Contains(outcome.Err.Error(), "too many tokens") {
		t.Errorf("%+v", outcome)
	}
}

// TestARefusalInUnknownWordsIsTriedOnceShorter has a server refuse requests that it does not say to be too long. One of more
// than half of the window is tried once more, shortened; a shorter one is not. The next message is sent in any case.
func TestARefusalInUnknownWordsIsTriedOnceShorter(t *testing.T) {
	odd := llmtest.Turn{Status: http.StatusBadRequest, Body: `{"error":{"message":"nothing that is known"}}`}
	for _, tt := range []struct {
		name, size string
		script     []llmtest.Turn
		text, says string
	}{
		{"long", "40000", []llmtest.Turn{odd, says("done")}, "done", ""},
		{"long for good", "40000", []llmtest.Turn{odd, odd}, "", "test/m: nothing that is known (HTTP 400)"},
		{"short", "900", []llmtest.Turn{odd}, "", "test/m: nothing that is known (HTTP 400)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			change := func(o *Options) {
				find := o.Model
				o.Model = func(ctx context.Context, name string) (llm.Model, error) {
					m, err := find(ctx, name)
					m.ContextTokens = 24_000
					return m, err
				}
			}
			script := append([]llmtest.Turn{calls(call("a", "big", tt.size)), calls(call("b", "big", "900"))}, tt.script...)
			h := start(t, tools.NewSet(big()), change, append(script, says("later"))...)
			turn, outcome := h.ask(t, Prompt{Text: "go"})
			if outcome.Text != tt.text || tt.says == "" && outcome.Err != nil ||
				tt.says != "" && (outcome.Err == nil || !strings.Contains(outcome.Err.Error(), tt.says)) {
				t.Errorf("%+v", outcome)
			}
			if n := seen[bus.Notice](h); len(tt.script) > 1 && (len(n) == 0 || !strings.Contains(n[len(n)-1].Text, "maybe as too long")) {
				t.Errorf("%+v", n)
			}
			if _, outcome := h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "more"}); outcome.Text != "later" || outcome.Err != nil {
				t.Errorf("the next message: %+v", outcome)
			}
		})
	}
}
