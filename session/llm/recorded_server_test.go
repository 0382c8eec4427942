package llm_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/session/llm"
)

// recorded is a server that answers each request with the next of its answers,
// and keeps what it was sent.
type recorded struct {
	URL     string
	bodies  []string
	paths   []string
	headers []http.Header
}

func record(t *testing.T, answers ...string) *recorded {
	t.Helper()
	r := &recorded{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			t.Error(err)
		}
		n := len(r.bodies) // one request at a time
		r.bodies, r.paths, r.headers = append(r.bodies, string(body)), append(r.paths, req.URL.Path), append(r.headers, req.Header)
		w.Header().Set("Content-Type", "text/event-stream")
		if strings.HasPrefix(answers[n], "{\n") || strings.HasSuffix(req.URL.Path, "/models") {
			w.Header().Set("Content-Type", "application/json")
		}
		io.WriteString(w, answers[n])
	}))
	t.Cleanup(server.Close)
	r.URL = server.URL
	return r
}

// conversation is a request with a message of each kind.
func conversation(opaque llm.Opaque) *llm.Request {
	return &llm.Request{
		Model: "m",
		Messages: []llm.Message{
			{Role: llm.System, Text: "rules"},
			{Role: llm.User, Text: "hi"},
			{Role: llm.Assistant, Text: "I look", Opaque: opaque, Calls: []llm.Call{
				{ID: "call:1", Name: "read", Arguments: json.RawMessage(`{"z":1,"a":2}`)},
				{ID: "call-2", Name: "read", Arguments: json.RawMessage(`{"z":`)},
			}},
			{Role: llm.Tool, Text: `{"ok":true}`, CallID: "call:1", Name: "read"},
			{Role: llm.Tool, Text: `{"ok":false}`, CallID: "call-2", Name: "read"},
			{Role: llm.System, Text: "notice"},
			{Role: llm.User, Text: "and now?"},
		},
		Tools:       []llm.ToolSpec{{Name: "read", Description: "reads", Schema: json.RawMessage(`{"type":"object","properties":{"z":{"type":"number"},"a":{"type":"number"}}}`)}},
		MaxTokens:   99,
		SerialTools: true,
		Reasoning:   true,
	}
}

// events makes a stream; each event's type is in its data.
func events(all ...string) string {
	var b strings.Builder
	for _, e := range all {
		var typed struct{ Type string }
		if err := json.Unmarshal([]byte(e), &typed); err != nil {
			panic(err)
		}
		fmt.Fprintf(&b, "event: %s\ndata: %s\n\n", typed.Type, e)
	}
	return b.String()
}

// checkStream requires an answer, and returns what its model wants back.
func checkStream(t *testing.T, p llm.Provider, req *llm.Request, text, thought string, calls []llm.Call, last llm.Chunk) llm.Opaque {
	t.Helper()
	gotText, gotThought, gotCalls, gotLast, err := collect(t.Context(), p, req)
	if err != nil {
		t.Fatal(err)
	}
	opaque := gotLast.Opaque
	gotLast.Opaque = nil
	for _, d := range []string{
		cmp.Diff(text, strings.Join(gotText, "|")),
		cmp.Diff(thought, strings.Join(gotThought, "|")),
		cmp.Diff(calls, gotCalls),
		cmp.Diff(last, gotLast),
	} {
		if d != "" {
			t.Error(d)
		}
	}
	return opaque
}

// checkContinues requires that the messages of a request, which are in its JSON
// between from and to, are in the next one, byte for byte, before what more there is.
func checkContinues(t *testing.T, first, second, from, to string) {
	t.Helper()
	_, messages, begins := strings.Cut(first, from)
	messages, _, ends := strings.Cut(messages, to)
	if !begins || !ends || !strings.Contains(second, from+messages+",") {
		t.Errorf("this request\n%s\ndoes not continue\n%s", second, first)
	}
}

// modelsOf lists a provider's models.
func modelsOf(t *testing.T, p llm.Provider) []llm.ModelInfo {
	t.Helper()
	models, err := p.(llm.Lister).Models(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return models
}
