package session

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"ploke-lsp/session/llm"
	"ploke-lsp/tools"
)

// TestThoughtsGoBack requires that a model's signed reasoning is sent back with the
// calls after it, in the same turn and, with the same bytes, in a later turn.
func TestThoughtsGoBack(t *testing.T) {
	p := anthropicWire
	signed := strings.Replace(p.thought(`"hm"`), `"thinking":""`, `"thinking":"","signature":"c2ln"`, 1)
	answers := []string{signed + p.call(0, "a", `{"text":"x"}`) + p.end("calls"), p.answer("so"), p.answer("yes")}
	var bodies []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		bodies = append(bodies, string(body)) // one request at a time
		sends(func(wireProtocol) string { return answers[len(bodies)-1] })(w, r, p)
	}))
	defer server.Close()
	h := start(t, tools.NewSet(echo("echo")), func(o *Options) {
		o.Model = func(context.Context, string) (llm.Model, error) {
			return llm.Model{Provider: p.provider(server.URL, 0, 0), ID: "m", ContextTokens: 100_000}, nil
		}
	})
	turn, outcome := h.ask(t, Prompt{Text: "go"})
	_, after := h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "sure?"})
	if outcome.Text != "so" || after.Text != "yes" || len(bodies) != 3 {
		t.Fatalf("%+v, %+v, %d requests", outcome, after, len(bodies))
	}
	const thought = `{"content":[{"signature":"c2ln","thinking":"hm","type":"thinking"},{"id":"a",`
	for i := range 2 {
		_, messages, _ := strings.Cut(bodies[i], `"messages":[`)
		messages, _, _ = strings.Cut(messages, `],"model"`)
		if !strings.Contains(bodies[i+1], thought) || !strings.Contains(bodies[i+1], `"messages":[`+messages+",") {
			t.Errorf("request %d does not continue the one before it:\n%s\n%s", i+2, bodies[i], bodies[i+1])
		}
	}
}
