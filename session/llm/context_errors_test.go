package llm_test

import (
	"encoding/json"
	"errors"
	"testing"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/llmtest"
)

// TestServersNameTheirWindows has a server refuse a request in the words of many kinds of
// servers. The sizes are those of the window and of the request, 0 if not named.
func TestServersNameTheirWindows(t *testing.T) {
	said := func(message string) string {
		b, _ := json.Marshal(map[string]any{"error": map[string]any{"message": message, "type": "invalid_request_error"}})
		return string(b)
	}
	for _, tt := range []struct {
		server          string
		status          int
		body            string
		window, request int
	}{
		{"OpenAI", 400, `{"error":{"message":"This model's maximum context length is 8192 tokens. However, your messages resulted in 8545 tokens. Please reduce the length of the messages.","code":"context_length_exceeded"}}`, 8192, 8545},
		{"OpenAI, old", 400, said("This model's maximum context length is 8191 tokens, however you requested 10346 tokens (10341 in your prompt; 5 for the completion). Please reduce your prompt; or completion length."), 8191, 10341},
		{"OpenAI, limit", 400, said("Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300001 tokens."), 272000, 300001},
		{"OpenAI, responses", 400, said("Your input exceeds the context window of this model. Please adjust your input and try again."), 0, 0},
		{"Anthropic", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 213462 tokens > 200000 maximum"}}`, 200000, 213462},
		{"Anthropic, with the answer", 400, said("input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again"), 200000, 188240},
		{"vLLM", 400, `{"object":"error","message":"This model's maximum context length is 131072 tokens. However, you requested 156632 tokens (152536 in the messages, 4096 in the completion).","type":"BadRequestError","code":400}`, 131072, 152536},
		{"vLLM, answer", 400, said("'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's maximum context length is 65536 tokens and your request has 57879 input tokens (8192 > 65536 - 57879)."), 65536, 57879},
		{"vLLM, new", 400, said("You passed 8193 input tokens and requested 0 output tokens. However, the model's context length is only 8192 tokens, resulting in a maximum input length of 8192 tokens."), 8192, 8193},
		{"vLLM, engine", 400, said("The decoder prompt (length 9000) is longer than the maximum model length of 8192."), 8192, 9000},
		{"SGLang", 400, said("The input (5000 tokens) is longer than the model's context length (4096 tokens)."), 4096, 5000},
		{"SGLang, with the answer", 400, said("Requested token count exceeds the model's maximum context length of 131,072 tokens. You requested a total of 140000 tokens: 132500 tokens from the input messages and 7500 tokens for the completion."), 131072, 132500},
		{"llama.cpp", 400, `{"error":{"code":400,"message":"request (9412 tokens) exceeds the available context size (8192 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":9412,"n_ctx":8192}}`, 8192, 9412},
		{"llama.cpp, text only", 400, said("request (9412 tokens) exceeds the available context size (8192 tokens), try increasing it"), 8192, 9412},
		{"llama.cpp, old", 500, said("the request exceeds the available context size. try increasing the context size or enable context shift"), 0, 0},
		{"LM Studio", 400, `{"error":"The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 9000>= n_ctx: 4096). Try to load the model with a larger context length"}`, 4096, 9000},
		{"LM Studio, new", 400, `{"error":"Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough."}`, 4096, 0},
		{"Ollama", 400, `{"error":"prompt too long; exceeded max context length by 123 tokens"}`, 0, 0},
		{"Gemini", 400, `[{"error":{"code":400,"message":"The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).","status":"INVALID_ARGUMENT"}}]`, 1048575, 1196265},
		{"Gemini, old", 400, `[{"error":{"code":400,"message":"The input token count exceeds the maximum number of tokens allowed 1048576.","status":"INVALID_ARGUMENT"}}]`, 1048576, 0},
		{"OpenRouter", 400, said("This endpoint's maximum context length is 64000 tokens. However, you requested about 80000 tokens (79000 of text input, 1000 in the output)."), 64000, 79000},
		{"xAI", 400, said("This model's maximum prompt length is 131072 but the request contains 537812 tokens."), 131072, 537812},
		{"Mistral", 400, said("Prompt contains 140000 tokens and 0 draft tokens, too large for model with 131072 maximum context length"), 131072, 140000},
		{"Copilot", 400, said("prompt token count of 130000 exceeds the limit of 128000"), 128000, 130000},
		{"Kimi", 400, said("Invalid request: Your request exceeded model token limit: 131072 (requested: 200000)"), 131072, 200000},
		{"LiteLLM", 400, said("litellm.ContextWindowExceededError: Input length (265330) exceeds model's maximum context length (262144)."), 262144, 265330},
		{"Poolside", 400, said("Input length 265330 exceeds the maximum allowed input length of 262144 tokens."), 262144, 265330},
		{"Alibaba", 400, said("Range of input length should be [1, 98304]"), 98304, 0},
		{"Groq", 400, said("Please reduce the length of the messages or completion."), 0, 0},
		{"z.ai", 400, `{"error":{"code":"1261","message":"Prompt exceeds max length"}}`, 0, 0},
		{"Bedrock", 400, said("Input is too long for requested model."), 0, 0},
		{"FastAPI", 422, `{"detail":"maximum context length is 8192 tokens"}`, 8192, 0},
		{"SiliconFlow", 400, `{"code":20015,"message":"length of prompt_tokens (57535) must be less than max_seq_len (32768).","data":null}`, 32768, 57535},
		{"TGI", 422, `{"error":"Input validation error: ` + "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 100 `max_new_tokens`" + `","error_type":"validation"}`, 4096, 5000},
		{"TGI, inputs", 422, said("Input validation error: `inputs` must have less than 2048 tokens. Given: 3000"), 2048, 3000},
		{"Together", 400, said("`inputs` tokens + `max_new_tokens` must be <= 32769. Given: 40000 `inputs` tokens and 512 `max_new_tokens`"), 32769, 40000},
		{"TensorRT-LLM", 500, said("Prompt length (9000) exceeds maximum input length (8192). Set log level to info and check TRTGptModel logs"), 8192, 9000},
		{"TensorRT-LLM, sum", 400, said("The sum of prompt length (9000.0), query length (0) should not exceed max_num_tokens (8192)"), 8192, 9000},
		{"MLC", 400, said("Request prompt has 5000 tokens in total, larger than the model input length limit 4096"), 4096, 5000},
		{"Cohere", 400, `{"message":"too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000. Try using a shorter prompt."}`, 4081, 5000},
		{"Fireworks", 400, said("The prompt is too long: 35000, model maximum context length: 32768"), 32768, 35000},
		{"Cerebras", 400, said("Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192"), 8192, 9000},
		{"MiniMax", 400, said("invalid params, context window exceeds limit (2013)"), 0, 0},
		{"llama-cpp-python", 400, said("Requested tokens (5000) exceed context window of 4096"), 4096, 5000},
		{"TabbyAPI", 422, said("Prompt length 5000 is greater than max_seq_len 4096"), 4096, 5000},
		{"mistral.rs", 422, said("prompt length 5000 exceeds max_seq_len 4096"), 4096, 5000},
		{"Vertex", 400, said("Unable to submit request because the input token count is 40000 but model only supports up to 32768."), 32768, 40000},
		{"Vertex, short", 400, said("Prompt is too long"), 0, 0},
		{"GitHub Models", 413, `{"error":{"code":"tokens_limit_reached","message":"Request body too large for gpt-4o model. Max size: 8000 tokens."}}`, 8000, 0},
		{"Bedrock, schema", 400, said("Malformed input request: expected maxLength: 51200, actual: 60000, please reformat your input and try again."), 51200, 60000},
		{"Bedrock, tokens", 400, said("Input Tokens Exceeded: Number of input tokens exceeds maximum length. Please update the input to try again."), 0, 0},
		{"Databricks", 400, said("prompt length exceeds maximum input length"), 0, 0},
		{"OpenAI, messages", 400, said("Invalid 'messages': array too long. Expected an array with maximum length 2048, but got an array with length 2049 instead."), 0, 0},
		{"llama.cpp, slot", 500, said("the prompt does not fit into the context of the slot"), 0, 0},
		{"full", 400, said("context window full"), 0, 0},
		{"fit", 400, said("the prompt has 9000 tokens but only 8192 fit"), 0, 9000},
		{"more than", 400, said("total tokens 9000 > max 8192 context"), 0, 0},
		{"room", 500, said("not enough context space for prompt"), 0, 0},
		{"names alone", 400, said("input_tokens + max_tokens > context_length"), 0, 0},
		{"plain text", 400, "Input length 9000 exceeds the maximum length 8192", 8192, 9000},
		{"a proxy", 413, `<html>too large</html>`, 0, 0},
		{"a liar", 400, said("This model's maximum context length is 3 tokens, and 99999999999999999999 tokens > 99999999999999999999 maximum"), 0, 0},
	} {
		t.Run(tt.server, func(t *testing.T) {
			e := refusalOf(t, tt.status, tt.body)
			if e.Class != llm.ContextTooLong || e.ContextTokens != tt.window || e.RequestTokens != tt.request {
				t.Errorf("%s: window %d, request %d; want %d and %d (%s)", e.Class, e.ContextTokens, e.RequestTokens, tt.window, tt.request, e.Message)
			}
		})
	}
}

// TestOtherErrorsAreNotTooLong has errors that also speak of tokens.
func TestOtherErrorsAreNotTooLong(t *testing.T) {
	for _, tt := range []struct {
		status int
		body   string
		class  llm.Class
	}{
		{429, `{"error":{"message":"Too many tokens, please wait before trying again."}}`, llm.RateLimit},
		{429, `{"error":{"message":"Rate limit reached on tokens per min (TPM): Limit 30000, Requested 40000."}}`, llm.RateLimit},
		{400, `{"error":{"message":"max_tokens is too large: 99999. This model supports at most 16384 completion tokens."}}`, llm.BadResponse},
		{401, `{"error":{"message":"the token limit of this key"}}`, llm.Auth},
		{400, `{"error":{"message":"max_completion_tokens must be less than or equal to 8192"}}`, llm.BadResponse},
		{400, `{"error":{"message":"max_tokens: 128000 > 64000, which is the maximum allowed number of output tokens"}}`, llm.BadResponse},
		{400, `{"error":{"message":"max_tokens must be greater than thinking.budget_tokens"}}`, llm.BadResponse},
		{422, `{"detail":[{"loc":["body","temperature"],"msg":"Input should be less than or equal to 2"}]}`, llm.BadResponse},
		{400, `{"error":{"message":"Invalid 'input[3].call_id': string too long. Expected a string with maximum length 64"}}`, llm.BadResponse},
		{400, `{"error":{"message":"Invalid 'tools': array too long. Expected an array with maximum length 128"}}`, llm.BadResponse},
		{400, `{"error":{"message":"invalid message: content is missing"}}`, llm.BadResponse},
		{503, `{"error":{"message":"too many requests with long prompts"}}`, llm.Overloaded},
	} {
		if e := refusalOf(t, tt.status, tt.body); e.Class != tt.class || e.ContextTokens != 0 || e.RequestTokens != 0 {
			t.Errorf("%s: %+v", tt.body, e)
		}
	}
}

func refusalOf(t *testing.T, status int, body string) *llm.Error {
	t.Helper()
	server := llmtest.NewServer(t, llmtest.Turn{Status: status, Body: body})
	_, _, _, _, err := collect(t.Context(), llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: server.URL}), question("hi"))
	var e *llm.Error
	if !errors.As(err, &e) {
		t.Fatalf("err = %v", err)
	}
	return e
}
