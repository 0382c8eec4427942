package llm_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/session/llm"
)

var anthropicStream = events(
	`{"type":"message_start","message":{"usage":{"input_tokens":10,"cache_creation_input_tokens":20,"cache_read_input_tokens":30,`+
		`"output_tokens":1}}}`,
	`{"type":"ping"}`,
	`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}`,
	`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm, "}}`,
	`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"well"}}`,
	`{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2ln"}}`,
	`{"type":"content_block_stop","index":0}`,
	`{"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"c2VjcmV0"}}`,
	`{"type":"content_block_stop","index":1}`,
	`{"type":"content_block_start","index":2,"content_block":{"type":"text","text":""}}`,
	`{"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":"Hé"}}`,
	`{"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":"llo"}}`,
	`{"type":"content_block_stop","index":2}`,
	`{"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"a","name":"read","input":{}}}`,
	`{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"{\"z\":"}}`,
	`{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"1}"}}`,
	`{"type":"content_block_stop","index":3}`,
	`{"type":"content_block_start","index":4,"content_block":{"type":"tool_use","id":"b","name":"list","input":{}}}`,
	`{"type":"content_block_stop","index":4}`,
	`{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":50}}`,
	`{"type":"message_stop"}`)

// instead is a transport that sends requests for any host to a server of the test.
type instead string

func (base instead) RoundTrip(r *http.Request) (*http.Response, error) {
	to, err := url.Parse(string(base))
	if err != nil {
		return nil, err
	}
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host = to.Scheme, to.Host
	return http.DefaultTransport.RoundTrip(r)
}

// TestAnthropic sends what Anthropic's own endpoint gets.
func TestAnthropic(t *testing.T) {
	server := record(t, anthropicStream, anthropicStream)
	p := llm.Anthropic(llm.AnthropicConfig{Name: "test", APIKey: "secret", HTTPClient: &http.Client{Transport: instead(server.URL)}})
	calls := []llm.Call{{ID: "a", Name: "read", Arguments: json.RawMessage(`{"z":1}`)}, {ID: "b", Name: "list", Arguments: json.RawMessage(`{}`)}}
	last := llm.Chunk{Usage: &llm.Usage{In: 60, Out: 50, Cached: 30, Written: 20}, Finish: llm.FinishToolCalls}
	opaque := checkStream(t, p, conversation(nil), "Hé|llo", "hm, |well", calls, last)

	req := conversation(opaque)
	req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Text: "done"}, llm.Message{Role: llm.User, Text: "thanks"})
	checkStream(t, p, req, "Hé|llo", "hm, |well", calls, last)

	want := `{"max_tokens":99,"messages":[{"content":[{"text":"hi","type":"text"}],"role":"user"},` +
		`{"content":[{"text":"I look","type":"text"},{"id":"auddg0l90","input":{"z":1,"a":2},"name":"read","type":"tool_use"},` +
		`{"id":"no4la6bml","input":{"invalid_arguments":"{\"z\":"},"name":"read","type":"tool_use"}],"role":"assistant"},` +
		`{"content":[{"tool_use_id":"auddg0l90","is_error":false,"content":[{"text":"{\"ok\":true}","type":"text"}],"type":"tool_result"},` +
		`{"tool_use_id":"no4la6bml","is_error":false,"content":[{"text":"{\"ok\":false}","type":"text"}],"type":"tool_result"},` +
		`{"text":"\u003csystem-notice\u003e\nnotice\n\u003c/system-notice\u003e","type":"text"},{"text":"and now?","type":"text"}],` +
		`"role":"user"}],` +
		`"model":"m","cache_control":{"type":"ephemeral"},"system":[{"text":"rules","cache_control":{"type":"ephemeral"},"type":"text"}],` +
		`"thinking":{"display":"summarized","type":"adaptive"},"tool_choice":{"disable_parallel_tool_use":true,"type":"auto"},` +
		`"tools":[{"input_schema":{"type":"object","properties":{"z":{"type":"number"},"a":{"type":"number"}}},"name":"read",` +
		`"description":"reads"}],"stream":true}`
	if d := cmp.Diff(want, server.bodies[0]); d != "" {
		t.Error(d)
	}
	thoughts := `"content":[{"signature":"c2ln","thinking":"hm, well","type":"thinking"},{"data":"c2VjcmV0","type":"redacted_thinking"},` +
		`{"text":"I look"`
	if !strings.Contains(server.bodies[1], thoughts) {
		t.Errorf("the thoughts are not sent back as they were:\n%s", server.bodies[1])
	}
	if server.paths[0] != "/v1/messages" || server.headers[0].Get("X-Api-Key") != "secret" {
		t.Errorf("%s %v", server.paths[0], server.headers[0])
	}
}

// TestAnthropicCompatible sends what other endpoints get: a message of the user is a text, and nothing stands behind results.
// Without marks for the cache, the system's message is a text, too.
func TestAnthropicCompatible(t *testing.T) {
	refusal := "{\n" + `"type":"error","error":{"type":"invalid_request_error","message":"cache_control: Extra inputs are not permitted"}}`
	server := record(t, anthropicStream, refusal, anthropicStream)
	p := llm.Anthropic(llm.AnthropicConfig{Name: "test", BaseURL: server.URL + "/v1"})
	req := conversation(nil)
	req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Text: "done"}, llm.Message{Role: llm.User, Text: "thanks"})
	for range 2 { // the second one is sent twice
		if _, _, _, _, err := collect(t.Context(), p, req); err != nil {
			t.Fatal(err)
		}
	}
	messages := `"messages":[{"content":"hi","role":"user"},` +
		`{"content":[{"text":"I look","type":"text"},{"id":"auddg0l90","input":{"z":1,"a":2},"name":"read","type":"tool_use"},` +
		`{"id":"no4la6bml","input":{"invalid_arguments":"{\"z\":"},"name":"read","type":"tool_use"}],"role":"assistant"},` +
		`{"content":[{"tool_use_id":"auddg0l90","is_error":false,"content":[{"text":"{\"ok\":true}","type":"text"}],"type":"tool_result"},` +
		`{"tool_use_id":"no4la6bml","is_error":false,"content":[{"text":"{\"ok\":false}\n\n` +
		`\u003csystem-notice\u003e\nnotice\n\u003c/system-notice\u003e\n\n` +
		`\u003cuser-message\u003e\nand now?\n\u003c/user-message\u003e","type":"text"}],"type":"tool_result"}],"role":"user"},` +
		`{"content":[{"text":"done","type":"text"}],"role":"assistant"},{"content":"thanks","role":"user"}],`
	for i, system := range map[int]string{0: `"cache_control":{"type":"ephemeral"},"system":[{"text":"rules","cache_control":{"type":"ephemeral"},"type":"text"}],`, 2: `"system":"rules",`} {
		if body := server.bodies[i]; !strings.Contains(body, messages+`"model":"m",`+system) {
			t.Errorf("request %d is\n%s\nwant\n%s", i, body, messages+`"model":"m",`+system)
		}
	}
}

func TestAnthropicContinues(t *testing.T) {
	server := record(t, anthropicStream, anthropicStream)
	p := llm.Anthropic(llm.AnthropicConfig{Name: "test", BaseURL: server.URL})
	req := conversation(nil)
	for range 2 {
		if _, _, _, _, err := collect(t.Context(), p, req); err != nil {
			t.Fatal(err)
		}
		req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Text: "done"}, llm.Message{Role: llm.User, Text: "thanks"})
	}
	checkContinues(t, server.bodies[0], server.bodies[1], `"messages":[`, `],"model"`)
}

func TestAnthropicTakesNothingFromTheEnvironment(t *testing.T) {
	for _, name := range []string{"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_PROFILE"} {
		t.Setenv(name, "leak")
	}
	t.Setenv("ANTHROPIC_CUSTOM_HEADERS", "X-Leak: leak")
	t.Setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1/leak")
	server := record(t, anthropicStream)
	p := llm.Anthropic(llm.AnthropicConfig{Name: "test", BaseURL: server.URL})
	if _, _, _, _, err := collect(t.Context(), p, question("hi")); err != nil {
		t.Fatal(err)
	}
	if h := fmt.Sprint(server.headers[0]); strings.Contains(h, "leak") {
		t.Error(h)
	}
}

func TestAnthropicStreamedErrors(t *testing.T) {
	const start = `{"type":"message_start","message":{"usage":{"input_tokens":1}}}`
	tests := []struct {
		name, kind string
		want       llm.Class
	}{
		{"overloaded", "overloaded_error", llm.Overloaded},
		{"rate", "rate_limit_error", llm.RateLimit},
		{"internal", "api_error", llm.Overloaded},
		{"key", "authentication_error", llm.Auth},
		{"credit", "billing_error", llm.Quota},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			server := record(t, events(start, `{"type":"error","error":{"type":"`+tt.kind+`","message":"words"}}`))
			p := llm.Anthropic(llm.AnthropicConfig{Name: "test", BaseURL: server.URL})
			_, _, _, _, err := collect(t.Context(), p, question("hi"))
			checkError(t, err, llm.Error{Class: tt.want, Message: "words", BrokeOff: true})
		})
	}
}

func TestAnthropicFinish(t *testing.T) {
	for reason, want := range map[string]llm.Finish{"end_turn": llm.FinishStop, "max_tokens": llm.FinishLength,
		"model_context_window_exceeded": llm.FinishLength, "refusal": llm.FinishContentFilter, "something_new": llm.FinishStop} {
		server := record(t, events(`{"type":"message_delta","delta":{"stop_reason":"`+reason+`"},"usage":{"output_tokens":1}}`,
			`{"type":"message_stop"}`))
		p := llm.Anthropic(llm.AnthropicConfig{Name: "test", BaseURL: server.URL})
		if _, _, _, last, err := collect(t.Context(), p, question("hi")); err != nil || last.Finish != want {
			t.Errorf("%s: %q, %v; want %q", reason, last.Finish, err, want)
		}
	}
}

func TestAnthropicModels(t *testing.T) {
	server := record(t, `{"data":[{"id":"a","type":"model","max_input_tokens":200000,"max_tokens":64000,`+
		`"capabilities":{"thinking":{"supported":true,"types":{"adaptive":{"supported":true}}},`+
		`"effort":{"supported":true,"low":{"supported":true},"high":{"supported":true},"max":{"supported":false},"xhigh":null}}},`+
		`{"id":"b","type":"model"}],"has_more":false,"first_id":"a","last_id":"b"}`)
	p := llm.Anthropic(llm.AnthropicConfig{Name: "test", BaseURL: server.URL})
	want := []llm.ModelInfo{{ID: "a", ContextTokens: 200000, AnswerTokens: 64000, Tools: true, Reasoning: true,
		Efforts: []string{"low", "high"}}, {ID: "b", Tools: true}}
	if d := cmp.Diff(want, modelsOf(t, p)); d != "" {
		t.Error(d)
	}
}
