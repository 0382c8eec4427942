package llm_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/llmtest"
)

const thoughtItem = `{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"c2VjcmV0"}`

var responsesStream = events(
	`{"type":"response.created","response":{"id":"r","status":"in_progress","error":null}}`,
	`{"type":"response.reasoning_summary_text.delta","delta":"hm"}`,
	`{"type":"response.output_item.done","output_index":0,"item":`+thoughtItem+`}`,
	`{"type":"response.output_text.delta","delta":"Hé"}`,
	`{"type":"response.output_text.delta","delta":"llo"}`,
	`{"type":"response.function_call_arguments.delta","delta":"{"}`,
	`{"type":"response.output_item.done","output_index":2,"item":{"id":"fc_1","type":"function_call","call_id":"a","name":"read",`+
		`"arguments":"{\"z\":1}"}}`,
	`{"type":"response.output_item.done","output_index":3,"item":{"id":"fc_2","type":"function_call","call_id":"b","name":"list",`+
		`"arguments":""}}`,
	`{"type":"response.completed","response":{"id":"r","status":"completed","error":null,"incomplete_details":null,`+
		`"usage":{"input_tokens":10,"input_tokens_details":{"cached_tokens":4},"output_tokens":5,"total_tokens":15}}}`)

func TestOpenAIResponses(t *testing.T) {
	server := record(t, responsesStream, responsesStream)
	p := llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: server.URL + "/v1", APIKey: "secret", Responses: true})
	calls := []llm.Call{{ID: "a", Name: "read", Arguments: json.RawMessage(`{"z":1}`)}, {ID: "b", Name: "list", Arguments: json.RawMessage(`{}`)}}
	last := llm.Chunk{Usage: &llm.Usage{In: 10, Out: 5, Cached: 4}, Finish: llm.FinishToolCalls}
	opaque := checkStream(t, p, conversation(nil), "Hé|llo", "hm", calls, last)
	checkStream(t, p, conversation(opaque), "Hé|llo", "hm", calls, last)

	want := `{"max_output_tokens":99,"parallel_tool_calls":false,"store":false,"include":["reasoning.encrypted_content"],` +
		`"input":[{"content":"rules","role":"system"},{"content":"hi","role":"user"},{"content":"I look","role":"assistant"},` +
		`{"arguments":"{\"z\":1,\"a\":2}","call_id":"auddg0l90","name":"read","type":"function_call"},` +
		`{"arguments":"{\"invalid_arguments\":\"{\\\"z\\\":\"}","call_id":"no4la6bml","name":"read","type":"function_call"},` +
		`{"output":"{\"ok\":true}","call_id":"auddg0l90","type":"function_call_output"},` +
		`{"output":"{\"ok\":false}\n\n<system-notice>\nnotice\n</system-notice>\n\n<user-message>\nand now?\n</user-message>",` +
		`"call_id":"no4la6bml","type":"function_call_output"}],` +
		`"model":"m","reasoning":{"summary":"auto"},` +
		`"tools":[{"type":"function","name":"read","description":"reads","parameters":{"type":"object","properties":{"z":{"type":"number"},` +
		`"a":{"type":"number"}}},"strict":false}],"stream":true}`
	if d := cmp.Diff(want, server.bodies[0]); d != "" {
		t.Error(d)
	}
	if !strings.Contains(server.bodies[1], thoughtItem+`,{"content":"I look"`) {
		t.Errorf("the thoughts are not sent back as they were:\n%s", server.bodies[1])
	}
	if server.paths[0] != "/v1/responses" || server.headers[0].Get("Authorization") != "Bearer secret" {
		t.Errorf("%s %v", server.paths[0], server.headers[0])
	}
}

func TestOpenAIResponsesEnds(t *testing.T) {
	tests := []struct {
		name, event string
		finish      llm.Finish
		err         *llm.Error
	}{
		{"length", `{"type":"response.incomplete","response":{"incomplete_details":{"reason":"max_output_tokens"}}}`, llm.FinishLength, nil},
		{"filter", `{"type":"response.incomplete","response":{"incomplete_details":{"reason":"content_filter"}}}`, llm.FinishContentFilter, nil},
		{"failed", `{"type":"response.failed","response":{"error":{"code":"server_error","message":"words"}}}`, "",
			&llm.Error{Class: llm.Overloaded, Message: "words", BrokeOff: true}},
		{"error", `{"type":"error","code":"rate_limit_exceeded","message":"words"}`, "", &llm.Error{Class: llm.RateLimit, Message: "words", BrokeOff: true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			server := record(t, events(tt.event))
			p := llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: server.URL, Responses: true})
			_, _, _, last, err := collect(t.Context(), p, question("hi"))
			if tt.err != nil {
				checkError(t, err, *tt.err)
			} else if err != nil || last.Finish != tt.finish {
				t.Errorf("%v, %q", err, last.Finish)
			}
		})
	}
}

func TestOpenAIModels(t *testing.T) {
	server, _ := llmtest.NewEndpoint(t,
		map[string]string{"GET /v1/models": `{"object":"list","data":[{"id":"plain","object":"model"},{"id":"vllm","max_model_len":8192},` +
			`{"id":"router","context_length":200000,"pricing":{"prompt":"0.000003","completion":"0.000015","input_cache_read":"0.0000003",` +
			`"input_cache_write":"0.00000375"},` +
			`"supported_parameters":["tools","reasoning"],"top_provider":{"max_completion_tokens":64000}},` +
			`{"id":"auto","context_length":1,"pricing":{"prompt":"-1","completion":"-1"},"top_provider":{"max_completion_tokens":null}}]}`})
	p := llm.OpenRouter(llm.OpenAIConfig{Name: "test", BaseURL: server + "/v1"})
	want := []llm.ModelInfo{
		{ID: "plain"},
		{ID: "vllm", ContextTokens: 8192},
		{ID: "router", ContextTokens: 200000, AnswerTokens: 64000, Tools: true, Reasoning: true, Efforts: []string{"low", "medium", "high"},
			Price: &llm.Price{In: 3, Out: 15, CachedIn: 0.3, CacheWrite: 3.75}},
		{ID: "auto"}, // nobody can use so small a window
	}
	near := cmp.Comparer(func(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 })
	if d := cmp.Diff(want, modelsOf(t, p), near); d != "" {
		t.Error(d)
	}
}

func TestListingFails(t *testing.T) {
	server := record(t, `<html>`, `<html>`)
	for _, p := range []llm.Provider{
		llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: server.URL}),
		llm.Ollama(llm.OllamaConfig{Name: "test", BaseURL: server.URL}),
	} {
		_, err := p.(llm.Lister).Models(t.Context())
		if err == nil || !strings.HasPrefix(err.Error(), "test: ") {
			t.Errorf("err = %v", err)
		}
	}
}
