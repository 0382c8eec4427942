package llm_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/session/llm"
)

const ollamaStream = `{"message":{"role":"assistant","content":"","thinking":"hm"},"done":false}
{"message":{"role":"assistant","content":"Hé"},"done":false}
{"message":{"role":"assistant","content":"llo"},"done":false}
{"message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"read","arguments":{"z":1}}},{"function":{"name":"list"}}]},"done":false}
{"message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":10,"eval_count":5}
`

func TestOllama(t *testing.T) {
	server := record(t, ollamaStream, ollamaStream)
	p := llm.Ollama(llm.OllamaConfig{Name: "test", BaseURL: server.URL + "/v1", APIKey: "secret"})
	req := conversation(nil)
	req.ContextTokens = 32768
	calls := []llm.Call{{Name: "read", Arguments: json.RawMessage(`{"z":1}`)}, {Name: "list", Arguments: json.RawMessage(`{}`)}}
	last := llm.Chunk{Usage: &llm.Usage{In: 10, Out: 5}, Finish: llm.FinishToolCalls}
	for range 2 {
		checkStream(t, p, req, "Hé|llo", "hm", calls, last)
		req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Text: "done"})
	}
	want := `{"model":"m","messages":[{"role":"system","content":"rules"},{"role":"user","content":"hi"},` +
		`{"role":"assistant","content":"I look","tool_calls":[{"id":"auddg0l90","function":{"name":"read","arguments":{"z":1,"a":2}}},` +
		`{"id":"no4la6bml","function":{"name":"read","arguments":{"invalid_arguments":"{\"z\":"}}}]},` +
		`{"role":"tool","content":"{\"ok\":true}","tool_name":"read","tool_call_id":"auddg0l90"},` +
		`{"role":"tool","content":"{\"ok\":false}\n\n\u003csystem-notice\u003e\nnotice\n\u003c/system-notice\u003e\n\n` +
		`\u003cuser-message\u003e\nand now?\n\u003c/user-message\u003e","tool_name":"read","tool_call_id":"no4la6bml"}],` +
		`"tools":[{"type":"function","function":{"name":"read","description":"reads","parameters":{"type":"object",` +
		`"properties":{"z":{"type":"number"},"a":{"type":"number"}}}}}],` +
		`"stream":true,"think":true,"options":{"num_ctx":32768,"num_predict":99}}`
	if d := cmp.Diff(want, server.bodies[0]); d != "" {
		t.Error(d)
	}
	if server.paths[0] != "/api/chat" || server.headers[0].Get("Authorization") != "Bearer secret" {
		t.Errorf("%s %v", server.paths[0], server.headers[0])
	}
	checkContinues(t, server.bodies[0], server.bodies[1], `"messages":[`, `],"tools":[{"type"`)
}

func TestOllamaStreamedErrors(t *testing.T) {
	server := record(t, `{"message":{"content":"a"}}`+"\n"+`{"error":"model runner has unexpectedly stopped"}`+"\n",
		`{"error":"the prompt exceeds the available context size"}`+"\n")
	p := llm.Ollama(llm.OllamaConfig{Name: "test", BaseURL: server.URL})
	_, _, _, _, err := collect(t.Context(), p, question("hi"))
	checkError(t, err, llm.Error{Class: llm.Overloaded, Message: "model runner has unexpectedly stopped", BrokeOff: true})
	_, _, _, _, err = collect(t.Context(), p, question("hi"))
	checkError(t, err, llm.Error{Class: llm.ContextTooLong, Message: "the prompt exceeds the available context size"})
}

func TestOllamaModels(t *testing.T) {
	server := record(t, `{"models":[{"name":"qwen3:8b"},{"name":"tiny"},{"name":"gpt-oss"}]}`,
		`{"capabilities":["completion","tools","thinking"],"model_info":{"general.architecture":"qwen3","qwen3.context_length":40960}}`,
		`{}`, `{"capabilities":["completion","thinking"],"model_info":{"general.architecture":"gptoss"}}`)
	p := llm.Ollama(llm.OllamaConfig{Name: "test", BaseURL: server.URL})
	want := []llm.ModelInfo{{ID: "qwen3:8b", ContextTokens: 40960, Tools: true, Reasoning: true}, {ID: "tiny"},
		{ID: "gpt-oss", Reasoning: true, Efforts: []string{"low", "medium", "high"}}}
	if d := cmp.Diff(want, modelsOf(t, p)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"/api/tags", "/api/show", "/api/show", "/api/show"}, server.paths); d != "" {
		t.Error(d)
	}
}
