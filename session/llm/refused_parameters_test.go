package llm_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/session/llm"
)

// picky is a server that refuses a request that has a key, in words, until none of its keys is there.
type picky struct {
	status  int
	answer  string // to a request that it takes
	refuse  [][2]string
	bodies  []map[string]json.RawMessage
	content string
}

func (p *picky) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body map[string]json.RawMessage
	_ = json.NewDecoder(r.Body).Decode(&body)
	p.bodies = append(p.bodies, body)
	for _, refusal := range p.refuse {
		if _, has := body[refusal[0]]; has {
			w.WriteHeader(p.status)
			io.WriteString(w, refusal[1])
			return
		}
	}
	w.Header().Set("Content-Type", p.content)
	io.WriteString(w, p.answer)
}

// keys returns the keys of the n-th request that are not in every one.
func (p *picky) keys(n int) string {
	keys := slices.Sorted(maps.Keys(p.bodies[n]))
	return strings.Join(slices.DeleteFunc(keys, func(k string) bool {
		return slices.Contains([]string{"model", "messages", "input", "tools", "system"}, k)
	}), " ")
}

// demanding uses all parameters.
func demanding() *llm.Request {
	return &llm.Request{Model: "m", MaxTokens: 100, ContextTokens: 8192, SerialTools: true, Reasoning: true,
		Messages: []llm.Message{{Role: llm.System, Text: "rules"}, {Role: llm.User, Text: "hi"}},
		Tools:    []llm.ToolSpec{{Name: "f", Description: "d", Schema: json.RawMessage(`{"type":"object"}`)}}}
}

const chatDone = "data: {\"choices\":[{\"delta\":{\"content\":\"ok\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"

// TestARefusedParameterIsLeftOut has servers refuse a parameter in many ways. The request is repeated without it, once, and
// the next requests to the model don't have it.
func TestARefusedParameterIsLeftOut(t *testing.T) {
	for _, tt := range []struct {
		key    string // that is refused
		status int
		body   string
		want   string // the keys of the next request
	}{
		{"max_tokens", 400, saying("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."),
			"max_completion_tokens parallel_tool_calls stream stream_options"},
		{"max_tokens", 400, `{"error":{"message":"Unsupported value","param":"max_tokens"}}`, "max_completion_tokens parallel_tool_calls stream stream_options"},
		{"max_tokens", 422, `{"detail":[{"type":"extra_forbidden","loc":["body","max_tokens"],"msg":"Extra inputs are not permitted","input":5}]}`,
			"max_completion_tokens parallel_tool_calls stream stream_options"},
		{"max_tokens", 400, saying("max_tokens is too large: 99999. This model supports at most 16384 completion tokens."), "max_completion_tokens parallel_tool_calls stream stream_options"},
		{"parallel_tool_calls", 400, saying(`Invalid JSON payload received. Unknown name "parallel_tool_calls": Cannot find field.`), "max_tokens stream stream_options"},
		{"parallel_tool_calls", 400, `[{"error":{"code":400,"message":"Unknown name \"parallelToolCalls\": Cannot find field."}}]`, "max_tokens stream stream_options"},
		{"parallel_tool_calls", 400, saying("This model doesn't support parallel tool calls."), "max_tokens stream stream_options"},
		{"parallel_tool_calls", 400, saying("Parallel tool calls are not supported"), "max_tokens stream stream_options"},
		{"parallel_tool_calls", 400, saying("This model only supports single tool-calls at once!"), "max_tokens stream stream_options"},
		{"parallel_tool_calls", 400, saying("Unrecognized request argument supplied: parallel_tool_calls"), "max_tokens stream stream_options"},
		{"parallel_tool_calls", 500, `{"detail":"create() got an unexpected keyword argument 'parallel_tool_calls'"}`, "max_tokens stream stream_options"},
		{"parallel_tool_calls", 400, "unknown field `parallel_tool_calls`, expected one of `model`, `messages`, `stream` at line 1 column 20", "max_tokens stream stream_options"},
		{"stream_options", 400, saying("Unknown parameter: 'stream_options.include_usage'."), "max_tokens parallel_tool_calls stream"},
		{"stream_options", 422, `{"detail":[{"loc":["body","stream_options","include_usage"],"msg":"Extra inputs are not permitted"}]}`, "max_tokens parallel_tool_calls stream"},
		{"stream_options", 422, `{"object":"error","message":"[{'type': 'extra_forbidden', 'loc': ('body', 'stream_options'), 'msg': 'Extra inputs are not permitted', 'input': {'include_usage': True}}]"}`,
			"max_tokens parallel_tool_calls stream"},
		{"stream_options", 400, "<html><body><p>property &quot;stream_options&quot; is unsupported</p></body></html>", "max_tokens parallel_tool_calls stream"},
		{"stream_options", 400, saying("Stream options can only be defined when stream=True"), "max_tokens parallel_tool_calls stream"},
		{"stream_options", 400, saying("‘stream_options’ is not allowed"), "max_tokens parallel_tool_calls stream"},
		{"stream", 400, saying("Unsupported value: 'stream' does not support true with this model."), "max_tokens parallel_tool_calls stream_options"},
	} {
		t.Run(fmt.Sprint(tt.status, tt.body), func(t *testing.T) {
			server := &picky{status: tt.status, answer: chatDone, content: "text/event-stream", refuse: [][2]string{{tt.key, tt.body}}}
			p := llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: serve(t, server.ServeHTTP)})
			for range 2 {
				if text, _, _, _, err := collect(t.Context(), p, demanding()); err != nil || strings.Join(text, "") != "ok" {
					t.Fatal(text, err)
				}
			}
			if len(server.bodies) != 3 || server.keys(1) != tt.want || server.keys(2) != tt.want {
				t.Errorf("%d requests, then %s", len(server.bodies), server.keys(len(server.bodies)-1))
			}
			if len(server.bodies[1]["tools"]) == 0 || len(server.bodies[1]["messages"]) == 0 {
				t.Error("it lost more than the parameter")
			}
			other := demanding()
			other.Model = "n"
			collect(t.Context(), p, other)
			if len(server.bodies) != 5 {
				t.Errorf("another model: %d requests", len(server.bodies)-3)
			}
		})
	}
}

// TestParametersOfEachProtocol has servers refuse one parameter after the other.
func TestParametersOfEachProtocol(t *testing.T) {
	unknown := func(keys ...string) (refuse [][2]string) {
		for _, key := range keys {
			refuse = append(refuse, [2]string{key, saying("Unknown parameter: '" + key + "'.")})
		}
		return refuse
	}
	for name, tt := range map[string]struct {
		at      func(base string) llm.Provider
		refuse  [][2]string
		answer  string
		content string
		rest    string
	}{
		"chat": {func(base string) llm.Provider { return llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: base}) },
			unknown("max_tokens", "max_completion_tokens", "stream_options", "parallel_tool_calls"), chatDone, "text/event-stream", "stream"},
		"responses": {func(base string) llm.Provider {
			return llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: base, Responses: true})
		},
			append(unknown("max_output_tokens", "parallel_tool_calls", "store"),
				[2]string{"include", saying("Encrypted content is not supported with this model.")},
				[2]string{"reasoning", `{"error":{"message":"Your organization must be verified to generate summaries","param":"reasoning.summary"}}`}),
			events(`{"type":"response.output_text.delta","delta":"ok"}`, `{"type":"response.completed","response":{}}`), "text/event-stream", "stream"},
		"anthropic": {func(base string) llm.Provider { return llm.Anthropic(llm.AnthropicConfig{Name: "test", BaseURL: base}) },
			[][2]string{{"cache_control", saying("cache_control: Extra inputs are not permitted")},
				{"thinking", saying("adaptive thinking is not supported on this model")}, {"tool_choice", saying("tool_choice: not supported")}},
			events(`{"type":"message_start","message":{}}`, `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"ok"}}`,
				`{"type":"content_block_stop","index":0}`, `{"type":"message_delta","delta":{"stop_reason":"end_turn"}}`, `{"type":"message_stop"}`),
			"text/event-stream", "max_tokens stream"},
		"ollama": {func(base string) llm.Provider { return llm.Ollama(llm.OllamaConfig{Name: "test", BaseURL: base}) },
			[][2]string{{"think", `{"error":"\"m\" does not support thinking"}`}, {"options", `{"error":"unknown option num_ctx"}`}},
			`{"message":{"role":"assistant","content":"ok"},"done":true,"done_reason":"stop"}` + "\n", "application/x-ndjson", "stream"},
	} {
		t.Run(name, func(t *testing.T) {
			server := &picky{status: 400, answer: tt.answer, content: tt.content, refuse: tt.refuse}
			text, _, _, _, err := collect(t.Context(), tt.at(serve(t, server.ServeHTTP)), demanding())
			if err != nil {
				t.Fatal(text, err)
			}
			last := len(server.bodies) - 1
			if last != len(tt.refuse) || server.keys(last) != tt.rest {
				t.Errorf("%d requests, then %s, want %s", last+1, server.keys(last), tt.rest)
			}
			if strings.Contains(string(server.bodies[last]["system"]), "cache_control") {
				t.Errorf("%s", server.bodies[last]["system"])
			}
			if d := cmp.Diff(server.bodies[0]["tools"], server.bodies[last]["tools"]); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestWhatIsNotAParameterIsNotRepeated has errors that no omission repairs: each is shown after one request, and nothing is
// remembered.
func TestWhatIsNotAParameterIsNotRepeated(t *testing.T) {
	for _, tt := range []struct {
		status   int
		body     string
		class    llm.Class
		requests int
	}{
		{400, saying("Unsupported parameter: 'tools' is not supported with this model."), llm.NoTools, 1},
		{400, saying("Unsupported parameter: 'temperature'"), llm.BadResponse, 1},
		{400, saying("the stream of thoughts has no end"), llm.BadResponse, 1},
		{400, saying("'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's maximum context length is 8192 tokens and your request has 57879 input tokens"), llm.ContextTooLong, 1},
		{400, saying("Unsupported parameter: 'max_tokens', 'max_completion_tokens', whatever is there"), llm.BadResponse, 3},
		{401, saying("Unsupported parameter: 'max_tokens'"), llm.Auth, 1},
		{404, saying("Unsupported parameter: 'max_tokens'"), llm.NotFound, 1},
		{429, saying("max_tokens is too large for your rate limit"), llm.RateLimit, 1},
		{500, saying("max_tokens: the runner has stopped"), llm.Overloaded, 1},
	} {
		server := &picky{status: tt.status, refuse: [][2]string{{"messages", tt.body}}}
		p := llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: serve(t, server.ServeHTTP)})
		for n := range 2 {
			_, _, _, _, err := collect(t.Context(), p, demanding())
			if e := errorOf(t, err); e.Class != tt.class || len(server.bodies) != (n+1)*tt.requests {
				t.Errorf("%s: %s after %d requests: %v", tt.body, e.Class, len(server.bodies), e)
			}
		}
		if first, again := server.keys(0), server.keys(tt.requests); first != again {
			t.Errorf("%s: %s, then %s", tt.body, first, again)
		}
	}
}

// TestAnAnswerThatHasBegunIsNotRepeated has an error that names a parameter behind the first word.
func TestAnAnswerThatHasBegunIsNotRepeated(t *testing.T) {
	server := &picky{content: "text/event-stream", answer: "data: {\"choices\":[{\"delta\":{\"content\":\"half\"}}]}\n\n" +
		"data: {\"error\":{\"code\":400,\"message\":\"Unsupported parameter: 'max_tokens'\"}}\n\n"}
	text, _, _, _, err := collect(t.Context(), llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: serve(t, server.ServeHTTP)}), demanding())
	if e := errorOf(t, err); !e.BrokeOff || len(server.bodies) != 1 || strings.Join(text, "") != "half" {
		t.Errorf("%q, %d requests, %v", text, len(server.bodies), e)
	}
}
