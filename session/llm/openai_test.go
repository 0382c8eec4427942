package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/llmtest"
)

// collect reads a whole answer.
func collect(ctx context.Context, p llm.Provider,
	req *llm.Request) (text, reasoning []string, calls []llm.Call, last llm.Chunk, err error) {
	for c, err := range p.Send(ctx, req) {
		if err != nil {
			return text, reasoning, calls, last, err
		}
		if c.Text != "" {
			text = append(text, c.Text)
		}
		if c.Reasoning != "" {
			reasoning = append(reasoning, c.Reasoning)
		}
		if c.Call != nil {
			calls = append(calls, *c.Call)
		}
		last = c
	}
	return text, reasoning, calls, last, nil
}

func question(text string) *llm.Request {
	return &llm.Request{Model: "m", Messages: []llm.Message{{Role: llm.User, Text: text}}}
}

func TestOpenAIStreams(t *testing.T) {
	server := llmtest.NewServer(t, llmtest.Turn{
		Reasoning: []string{"hm, ", "well"},
		Text:      []string{"Hé", "llo ", "<b>"},
		Calls: []llmtest.Call{
			{ID: "a", Name: "read_file", Arguments: `{"file":"größe.go","x":"<&>"}`},
			{ID: "b", Name: "list_dir", Arguments: ``},
			{ID: "c", Name: "broken", Arguments: `{"file":`},
		},
		Usage: llmtest.Usage{Prompt: 10, Completion: 5, Cached: 4},
	})
	p := llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: server.URL, APIKey: "secret"})
	text, reasoning, calls, last, err := collect(t.Context(), p, question("hi"))
	if err != nil {
		t.Fatal(err)
	}
	wantCalls := []llm.Call{
		{ID: "a", Name: "read_file", Arguments: json.RawMessage(`{"file":"größe.go","x":"<&>"}`)},
		{ID: "b", Name: "list_dir", Arguments: json.RawMessage(`{}`)},
		{ID: "c", Name: "broken", Arguments: json.RawMessage(`{"file":`)},
	}
	if o := attached(last.Opaque); o != `{"chat":{"reasoning_content":"hm, well"}}` {
		t.Errorf("the provider wants %s back", o)
	}
	last.Opaque = nil
	for _, d := range []string{
		cmp.Diff([]string{"Hé", "llo ", "<b>"}, text),
		cmp.Diff([]string{"hm, ", "well"}, reasoning),
		cmp.Diff(wantCalls, calls),
		cmp.Diff(llm.Chunk{Usage: &llm.Usage{In: 10, Out: 5, Cached: 4}, Finish: llm.FinishToolCalls}, last),
		cmp.Diff("Bearer secret", server.Requests()[0].Header.Get("Authorization")),
	} {
		if d != "" {
			t.Error(d)
		}
	}
}

func TestOpenAIRequest(t *testing.T) {
	server := llmtest.NewServer(t, llmtest.Turn{Text: []string{"ok"}}, llmtest.Turn{Text: []string{"ok"}})
	p := llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: server.URL})
	req := &llm.Request{
		Model: "m",
		Messages: []llm.Message{
			{Role: llm.System, Text: "rules"},
			{Role: llm.User, Text: "hi"},
			{Role: llm.Assistant, Calls: []llm.Call{{ID: "1", Name: "read_file", Arguments: json.RawMessage(`{"z":1,"a":2}`)}}},
			{Role: llm.Tool, Text: `{"ok":true}`, CallID: "1", Name: "read_file"},
		},
		Tools:     []llm.ToolSpec{{Name: "read_file", Description: "reads", Schema: json.RawMessage(`{"type":"object","properties":{"z":{"type":"number"},"a":{"type":"number"}}}`)}},
		MaxTokens: 99,
	}
	for range 2 {
		if _, _, _, _, err := collect(t.Context(), p, req); err != nil {
			t.Fatal(err)
		}
		req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Text: "done"}, llm.Message{Role: llm.System, Text: "notice"},
			llm.Message{Role: llm.User, Text: "more"})
	}
	first, second := string(server.Requests()[0].Body), string(server.Requests()[1].Body)
	want := `{"messages":[{"content":"rules","role":"system"},{"content":"hi","role":"user"},` +
		`{"tool_calls":[{"id":"zqy73g09d","function":{"arguments":"{\"z\":1,\"a\":2}","name":"read_file"},"type":"function"}],` +
		`"role":"assistant"},` +
		`{"content":"{\"ok\":true}","tool_call_id":"zqy73g09d","role":"tool"}],` +
		`"model":"m","max_tokens":99,"stream_options":{"include_usage":true},` +
		`"tools":[{"function":{"name":"read_file","description":"reads","parameters":{"type":"object","properties":{"z":{"type":"number"},` +
		`"a":{"type":"number"}}}},"type":"function"}],"stream":true}`
	if d := cmp.Diff(want, first); d != "" {
		t.Error(d)
	}
	prefix, rest, _ := strings.Cut(first, `],"model"`)
	if !strings.HasPrefix(second, prefix) || !strings.HasSuffix(second, rest) {
		t.Errorf("the second request does not continue the first:\n%s", second)
	}
	if h := server.Requests()[0].Header.Get("Authorization"); h != "" {
		t.Errorf("without a key Authorization is %q", h)
	}
}

func TestOpenAITakesNothingFromTheEnvironment(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "leak")
	t.Setenv("OPENAI_ORG_ID", "leak")
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/leak")
	t.Setenv("OPENAI_CUSTOM_HEADERS", "X-Leak: leak")
	server := llmtest.NewServer(t, llmtest.Turn{Text: []string{"ok"}})
	p := llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: server.URL})
	if _, _, _, _, err := collect(t.Context(), p, question("hi")); err != nil {
		t.Fatal(err)
	}
	if h := fmt.Sprint(server.Requests()[0].Header); strings.Contains(h, "leak") {
		t.Error(h)
	}
}

func TestOpenAIErrors(t *testing.T) {
	turn := func(status int, body string) llmtest.Turn { return llmtest.Turn{Status: status, Body: body} }
	tests := []struct {
		name string
		turn llmtest.Turn
		want llm.Error
	}{
		{"key", turn(401, `{"error":{"message":"bad key","code":"invalid_api_key"}}`), llm.Error{Class: llm.Auth, Status: 401, Message: "bad key"}},
		{"credit", turn(402, `{"error":{"message":"no credit","code":402}}`), llm.Error{Class: llm.Quota, Status: 402, Message: "no credit"}},
		{"quota", turn(429, `{"error":{"message":"no quota","code":"insufficient_quota"}}`), llm.Error{Class: llm.Quota, Status: 429, Message: "no quota"}},
		{"rate", llmtest.Turn{Status: 429, RetryAfter: "1.5"}, llm.Error{Class: llm.RateLimit, Status: 429, Message: "scripted error", RetryAfter: 1500 * time.Millisecond}},
		{"busy, HTML", turn(503, `<html>busy</html>`), llm.Error{Class: llm.Overloaded, Status: 503, Message: "Service Unavailable"}},
		{"too long", turn(400, `{"error":{"message":"maximum context length is 8192 tokens"}}`), llm.Error{Class: llm.ContextTooLong, Status: 400, Message: "maximum context length is 8192 tokens", ContextTokens: 8192}},
		{"filter", turn(400, `{"error":{"message":"no","code":"content_filter"}}`), llm.Error{Class: llm.ContentFilter, Status: 400, Message: "no"}},
		{"no such model, plain text", turn(404, `{"error":"model 'm' not found"}`), llm.Error{Class: llm.NotFound, Status: 404, Message: "model 'm' not found"}},
		{"cut", llmtest.Turn{Text: []string{"half"}, Cut: true}, llm.Error{Class: llm.Network, Message: "the answer broke off", BrokeOff: true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			server := llmtest.NewServer(t, tt.turn)
			p := llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: server.URL})
			_, _, _, _, err := collect(t.Context(), p, question("hi"))
			checkError(t, err, tt.want)
		})
	}
}

// checkError compares all but the hint, which must be there.
func checkError(t *testing.T, err error, want llm.Error) {
	t.Helper()
	var got *llm.Error
	if !errors.As(err, &got) {
		t.Fatalf("err = %v", err)
	}
	if got.Hint == "" {
		t.Error("no hint")
	}
	if got.Provider != "test" || !strings.HasPrefix(got.Error(), "test: "+want.Message) {
		t.Errorf("it does not say whose error it is: %v", got)
	}
	plain := *got
	plain.Hint, plain.Provider = "", ""
	if d := cmp.Diff(want, plain); d != "" {
		t.Error(d)
	}
}

// TestOpenAIWire replays responses of real servers.
func TestOpenAIWire(t *testing.T) {
	chunk := func(delta, finish string) string {
		return `data: {"id":"x","object":"chat.completion.chunk","choices":[{"index":0,"delta":` + delta + `,"finish_reason":` + finish +
			`}]}` + "\n\n"
	}
	tests := []struct {
		name, body string
		calls      []llm.Call
		text       []string
		finish     llm.Finish
		err        *llm.Error
	}{
		{name: "all calls are number 0, finish is stop",
			body: chunk(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]}`, "null") +
				chunk(`{"tool_calls":[{"index":0,"id":"b","function":{"name":"g","arguments":"{}"}}]}`, `"stop"`) + "data: [DONE]\n\n",
			calls:  []llm.Call{{ID: "a", Name: "f", Arguments: json.RawMessage("{}")}, {ID: "b", Name: "g", Arguments: json.RawMessage("{}")}},
			finish: llm.FinishToolCalls},
		{name: "name and id repeated in each delta",
			body: chunk(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}}]}`, "null") +
				chunk(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":":1}"}}]}`, `"tool_calls"`),
			calls:  []llm.Call{{ID: "a", Name: "f", Arguments: json.RawMessage(`{"x":1}`)}},
			finish: llm.FinishToolCalls},
		{name: "calls of an answer cut off at the limit are not whole",
			body: chunk(`{"content":"a"}`, "null") + chunk(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}}]}`, `"length"`),
			text: []string{"a"}, finish: llm.FinishInCall},
		{name: "comments, a null chunk and a null content",
			body: ": PROCESSING\n\ndata: null\n\n" + chunk(`{"content":null}`, "null") + chunk(`{"content":"a"}`, `"stop"`),
			text: []string{"a"}, finish: llm.FinishStop},
		{name: "names and arguments in pieces, calls in turns",
			body: chunk(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"read_"}},{"index":1,"id":"b","function":{"name":"g"}}]}`, "null") +
				chunk(`{"tool_calls":[{"index":1,"function":{"arguments":"{\"y\""}}]}`, "null") +
				chunk(`{"tool_calls":[{"index":0,"function":{"name":"file","arguments":"{}"}}]}`, "null") +
				chunk(`{"tool_calls":[{"index":1,"id":"","function":{"name":"","arguments":":2}"}}]}`, `"tool_calls"`),
			calls:  []llm.Call{{ID: "a", Name: "read_file", Arguments: json.RawMessage("{}")}, {ID: "b", Name: "g", Arguments: json.RawMessage(`{"y":2}`)}},
			finish: llm.FinishToolCalls},
		{name: "the arguments as an object",
			body:   chunk(`{"tool_calls":[null,{"id":"a","function":{"name":"f","arguments":{"x":1}}}]}`, `"tool_calls"`),
			calls:  []llm.Call{{ID: "a", Name: "f", Arguments: json.RawMessage(`{"x":1}`)}},
			finish: llm.FinishToolCalls},
		{name: "line breaks of two characters, fields nobody knows, and data behind the end",
			body: "event: message\r\nid: 1\r\n: comment\r\nretry\r\n" + strings.ReplaceAll(chunk(`{"content":"a"}`, "null"), "\n", "\r\n") +
				strings.ReplaceAll(chunk(`{"content":"b"}`, `"stop"`), "\n", "\r\n") + "data: [DONE]\r\n\r\ndata: {nonsense\r\n\r\n",
			text: []string{"a", "b"}, finish: llm.FinishStop},
		{name: "a chunk in several lines, without spaces",
			body: "data:{\"choices\":\ndata:[{\"delta\":{\"content\":\ndata:\"a\"},\"finish_reason\":\"stop\"}]}\n\n",
			text: []string{"a"}, finish: llm.FinishStop},
		{name: "an error before anything else",
			body: `data: {"error":{"code":"server_error","message":"no"}}` + "\n\n",
			err:  &llm.Error{Class: llm.Overloaded, Message: "no"}},
		{name: "an error in the stream",
			body: chunk(`{"content":"a"}`, "null") + `data: {"error":{"code":502,"message":"upstream broke"},"choices":[]}` + "\n\n",
			text: []string{"a"}, err: &llm.Error{Class: llm.Overloaded, Status: 502, Message: "upstream broke", BrokeOff: true}},
		{name: "an end without an end",
			body: chunk(`{"content":"a"}`, "null"),
			text: []string{"a"}, err: &llm.Error{Class: llm.Network, Message: "the answer broke off", BrokeOff: true}},
		{name: "no choices",
			body: `data: {"choices":[]}` + "\n\ndata: [DONE]\n\n",
			err:  &llm.Error{Class: llm.BadResponse, Message: "the answer is empty: it has no choices"}},
		{name: "not JSON",
			body: "data: {nonsense\n\n",
			err:  &llm.Error{Class: llm.BadResponse, Message: "the answer does not have the format of this type of provider: invalid character 'n' looking for beginning of object key string"}},
		{name: "not JSON after a chunk",
			body: chunk(`{"content":"a"}`, "null") + "data: {\"choices\":[}\n\n",
			text: []string{"a"}, err: &llm.Error{Class: llm.BadResponse, Message: "the answer does not have the format of this type of provider: invalid character '}' looking for beginning of value", BrokeOff: true}},
		{name: "no object",
			body: "data: [1]\n\n",
			err:  &llm.Error{Class: llm.BadResponse, Message: "the answer does not have the format of this type of provider; the server says: 1"}},
	}
	for _, tt := range tests {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			size := len(tt.body)
			if strings.HasPrefix(r.URL.Path, "/bytes/") {
				size = 1
			}
			for piece := range slices.Chunk([]byte(tt.body), size) {
				w.Write(piece)
				w.(http.Flusher).Flush()
			}
		}))
		defer server.Close()
		check := func(t *testing.T, path string) {
			p := llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: server.URL + path})
			text, _, calls, last, err := collect(t.Context(), p, question("hi"))
			if d := cmp.Diff(tt.text, text); d != "" {
				t.Error(d)
			}
			if tt.err != nil {
				checkError(t, err, *tt.err)
				return
			}
			if d := cmp.Diff(tt.calls, calls); d != "" || err != nil || last.Finish != tt.finish {
				t.Errorf("err %v, finish %q, calls %s", err, last.Finish, d)
			}
		}
		t.Run(tt.name, func(t *testing.T) { check(t, "") })
		t.Run(tt.name+"/byte by byte", func(t *testing.T) { check(t, "/bytes") })
	}
}

func TestOpenAICancel(t *testing.T) {
	gate := llmtest.NewGate()
	server := llmtest.NewServer(t, llmtest.Turn{Text: []string{"half"}, Hold: gate})
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("stopped")
	go func() { <-gate.Reached(); cancel(stopped) }()
	p := llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: server.URL})
	_, _, _, _, err := collect(ctx, p, question("hi"))
	if err != stopped {
		t.Errorf("err = %v; want the context's cause", err)
	}
}

func TestOpenAIUnreachable(t *testing.T) {
	p := llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: "http://127.0.0.1:1/v1"})
	_, _, _, _, err := collect(t.Context(), p, question("hi"))
	var e *llm.Error
	if !errors.As(err, &e) || e.Class != llm.Network || !e.Temporary() || !strings.Contains(e.Hint, "base URL") {
		t.Errorf("err = %#v", err)
	}
}
