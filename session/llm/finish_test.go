package llm_test

import (
	"testing"

	"ploke-lsp/session/llm"
)

// TestAnAnswerIsCutInACall ends answers at the token limit after a call has begun, and before. No call is yielded.
func TestAnAnswerIsCutInACall(t *testing.T) {
	const (
		chatCut      = `data: {"choices":[{"delta":{},"finish_reason":"length"}]}` + "\n\n"
		chatCall     = `data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}}]}}]}` + "\n\n"
		anthropicCut = `{"type":"message_delta","delta":{"stop_reason":"max_tokens"}}`
		responsesCut = `{"type":"response.incomplete","response":{"incomplete_details":{"reason":"max_output_tokens"}}}`
		ollamaCut    = `{"message":{"content":""},"done":true,"done_reason":"length"}` + "\n"
	)
	openAI := func(url string, responses bool) llm.Provider {
		return llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: url, Responses: responses})
	}
	chat := func(url string) llm.Provider { return openAI(url, false) }
	responses := func(url string) llm.Provider { return openAI(url, true) }
	anthropic := func(url string) llm.Provider {
		return llm.Anthropic(llm.AnthropicConfig{Name: "test", BaseURL: url})
	}
	ollama := func(url string) llm.Provider {
		return llm.Ollama(llm.OllamaConfig{Name: "test", BaseURL: url})
	}
	for _, tt := range []struct {
		name, body string
		at         func(url string) llm.Provider
		want       llm.Finish
	}{
		{"chat", chatCall + chatCut, chat, llm.FinishInCall},
		{"chat, no call", chatCut, chat, llm.FinishLength},
		{"anthropic", events(`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"f","input":{}}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"x\""}}`, anthropicCut), anthropic, llm.FinishInCall},
		{"anthropic, a thought", events(`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"hm"}}`, anthropicCut), anthropic, llm.FinishLength},
		{"responses", events(`{"type":"response.output_item.added","item":{"type":"function_call","call_id":"a","name":"f"}}`, responsesCut), responses, llm.FinishInCall},
		{"responses, a call before", events(`{"type":"response.output_item.done","item":{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}}`, responsesCut), responses, llm.FinishInCall},
		{"responses, a thought", events(`{"type":"response.output_item.added","item":{"type":"reasoning"}}`, responsesCut), responses, llm.FinishLength},
		{"ollama", `{"message":{"tool_calls":[{"function":{"name":"f"}}]}}` + "\n" + ollamaCut, ollama, llm.FinishInCall},
		{"ollama, no call", ollamaCut, ollama, llm.FinishLength},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, _, calls, last, err := collect(t.Context(), tt.at(record(t, tt.body).URL), question("hi"))
			if err != nil || last.Finish != tt.want || len(calls) > 0 {
				t.Errorf("%q, %d calls, %v; want %q", last.Finish, len(calls), err, tt.want)
			}
		})
	}
}
