package llm_test

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"ploke-lsp/session/llm"
)

// responsesForms are events of the responses API with a value in each field that is read, and in some that are not.
var responsesForms = []string{
	`{"type":%s}`,
	`{"type":"response.output_text.delta","sequence_number":%s,"delta":"a"}`,
	`{"type":"response.output_text.delta","delta":%s}`,
	`{"type":"response.refusal.delta","delta":%s}`,
	`{"type":"response.reasoning_summary_text.delta","delta":%s}`,
	`{"type":"response.reasoning_text.delta","delta":%s}`,
	`{"type":"response.output_item.done","item":%s}`,
	`{"type":"response.output_item.done","item":{"type":%s,"call_id":"a","name":"f","arguments":"b"}}`,
	`{"type":"response.output_item.done","item":{"type":"function_call","call_id":%s,"name":"f","arguments":"b","status":{}}}`,
	`{"type":"response.output_item.done","item":{"type":"function_call","call_id":"a","name":%s,"arguments":"b"}}`,
	`{"type":"response.output_item.done","item":{"type":"function_call","call_id":"a","name":"f","arguments":%s}}`,
	`{"type":"response.output_item.done","item":{"type":"reasoning","summary":%s,"encrypted_content":"c"}}`,
	`{"type":"response.output_item.done","item":{"type":"reasoning","encrypted_content":%s}}`,
	`{"type":"response.completed","response":%s}`,
	`{"type":"response.completed","response":{"output":%s,"usage":{"input_tokens":5}}}`,
	`{"type":"response.completed","response":{"usage":%s}}`,
	`{"type":"response.completed","response":{"usage":{"input_tokens":%s,"output_tokens":3}}}`,
	`{"type":"response.completed","response":{"usage":{"output_tokens":%s,"input_tokens":3}}}`,
	`{"type":"response.completed","response":{"usage":{"input_tokens_details":%s,"input_tokens":3}}}`,
	`{"type":"response.completed","response":{"usage":{"input_tokens_details":{"cached_tokens":%s}}}}`,
	`{"type":"response.incomplete","response":{"incomplete_details":%s}}`,
	`{"type":"response.incomplete","response":{"incomplete_details":{"reason":%s}}}`,
	`{"type":"response.failed","response":{"error":%s}}`,
	`{"type":"response.failed","response":{"error":{"code":%s,"message":"m"}}}`,
	`{"type":"response.failed","response":{"error":{"code":"server_error","message":%s}}}`,
	`{"type":"error","code":%s,"message":"m"}`,
	`{"type":"error","code":"rate_limit_exceeded","message":%s}`,
	`{"type":"x","error":%s}`,
	`{"type":"error","error":{"code":%s,"type":"t","message":"m"}}`,
	`{"type":"error","error":{"code":"c","message":%s}}`,
}

// anthropicForms are the same of the messages API.
var anthropicForms = []string{
	`{"type":%s}`,
	`{"type":"message_start","message":%s}`,
	`{"type":"message_start","message":{"id":%s,"content":%s,"stop_reason":%s,"usage":{"input_tokens":3}}}`,
	`{"type":"message_start","message":{"usage":%s}}`,
	`{"type":"message_start","message":{"usage":{"input_tokens":%s,"output_tokens":3}}}`,
	`{"type":"message_start","message":{"usage":{"cache_creation_input_tokens":%s,"output_tokens":3}}}`,
	`{"type":"message_start","message":{"usage":{"cache_read_input_tokens":%s,"output_tokens":3}}}`,
	`{"type":"message_start","message":{"usage":{"output_tokens":%s,"input_tokens":3}}}`,
	`{"type":"content_block_start","index":0,"content_block":%s}`,
	`{"type":"content_block_start","index":0,"content_block":{"type":%s,"id":"a","name":"f","text":"t","thinking":"h","signature":"s"}}`,
	`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":%s}}`,
	`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":%s,"signature":"s"}}`,
	`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"h","signature":%s}}`,
	`{"type":"content_block_start","index":0,"content_block":{"type":"redacted_thinking","data":%s}}`,
	`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":%s,"name":"f","input":{"z":1}}}`,
	`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":%s,"input":{"z":1}}}`,
	`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"f","input":%s}}`,
	`{"type":"content_block_delta","index":%s,"delta":{"type":"input_json_delta","partial_json":"p"}}`,
	`{"type":"content_block_delta","index":7,"delta":%s}`,
	`{"type":"content_block_delta","index":7,"delta":{"type":%s,"text":"a"}}`,
	`{"type":"content_block_delta","index":7,"delta":{"type":"text_delta","text":%s}}`,
	`{"type":"content_block_delta","index":7,"delta":{"type":"thinking_delta","thinking":%s}}`,
	`{"type":"content_block_delta","index":7,"delta":{"type":"input_json_delta","partial_json":%s}}`,
	`{"type":"message_delta","delta":%s,"usage":{"output_tokens":5}}`,
	`{"type":"message_delta","delta":{"stop_reason":%s},"usage":{"output_tokens":5}}`,
	`{"type":"message_delta","delta":{"stop_reason":"refusal","stop_details":%s},"usage":%s}`,
	`{"type":"message_delta","usage":{"input_tokens":%s,"output_tokens":%s}}`,
	`{"type":"error","error":%s}`,
	`{"type":"error","error":{"type":%s,"message":"m"}}`,
	`{"type":"error","error":{"type":"api_error","message":%s}}`,
}

// anthropicModelForms are lists of models, in the same way.
var anthropicModelForms = []string{
	`%s`,
	`{"data":%s}`,
	`{"data":[%s,{"id":"b"}]}`,
	`{"data":[{"id":%s}]}`,
	`{"data":[{"id":"a","type":%s,"display_name":%s,"created_at":%s}]}`,
	`{"data":[{"id":"a","max_input_tokens":%s}]}`,
	`{"data":[{"id":"a","max_tokens":%s}]}`,
	`{"data":[{"id":"a","capabilities":%s}]}`,
	`{"data":[{"id":"a","capabilities":{"thinking":%s}}]}`,
	`{"data":[{"id":"a","capabilities":{"thinking":{"supported":%s,"types":{"adaptive":{"supported":%s}}}}}]}`,
	`{"data":[{"id":"a"}],"has_more":%s}`,
	`{"data":[{"id":"a"}],"has_more":false,"last_id":%s,"first_id":%s}`,
}

// vectorForms are answers with vectors, in the same way.
var vectorForms = []string{
	`%s`,
	`{"data":%s}`,
	`{"data":[%s]}`,
	`{"object":%s,"model":%s,"data":[{"object":%s,"index":0,"embedding":[1,2]}]}`,
	`{"data":[{"index":%s,"embedding":[1,2]}]}`,
	`{"data":[{"index":0,"embedding":%s}]}`,
	`{"data":[{"index":0,"embedding":[1,%s]}]}`,
	`{"data":[{"index":0,"embedding":[1,2]}],"usage":%s}`,
	`{"data":[{"index":0,"embedding":[1,2]}],"usage":{"prompt_tokens":%s,"total_tokens":%s}}`,
}

// answering returns the address of a server that answers with *body, which has the type of content.
func answering(t *testing.T, content string, body *string) (base string) {
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", content)
		io.WriteString(w, *body)
	})
}

func TestValuesOfEachTypeInStreams(t *testing.T) {
	var body string
	base := answering(t, "text/event-stream", &body)
	for name, tt := range map[string]struct {
		p             llm.Provider
		forms         []string
		before, after string // events
	}{
		"responses": {llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: base, Responses: true}), responsesForms,
			"", events(`{"type":"response.completed","response":{}}`)},
		"anthropic": {llm.Anthropic(llm.AnthropicConfig{Name: "test", BaseURL: base}), anthropicForms,
			events(`{"type":"content_block_start","index":7,"content_block":{"type":"tool_use","id":"b","name":"g","input":{}}}`),
			events(`{"type":"message_delta","delta":{"stop_reason":"tool_use"}}`)},
	} {
		t.Run(name, func(t *testing.T) {
			llm.CompareReadings(t, name, tt.forms, llm.Values, func(form, value string) string {
				event := strings.ReplaceAll(form, "%s", value)
				kind, _, _ := strings.Cut(strings.TrimPrefix(event, `{"type":"`), `"`)
				body = tt.before + "event: " + kind + "\ndata: " + event + "\n\n" + tt.after
				return strings.ReplaceAll(outcome(t, tt.p), strings.Trim(strconv.Quote(event), `"`), "EVENT")
			})
		})
	}
}

func TestValuesOfEachTypeInBodies(t *testing.T) {
	var body string
	base := answering(t, "application/json", &body)
	models := llm.Anthropic(llm.AnthropicConfig{Name: "test", BaseURL: base}).(llm.Lister)
	llm.CompareReadings(t, "anthropic_models", anthropicModelForms, llm.Values, func(form, value string) string {
		body = strings.ReplaceAll(form, "%s", value)
		infos, err := models.Models(t.Context())
		if err != nil {
			return errorOutcome(t, err)
		}
		text := ""
		for _, m := range infos {
			text += fmt.Sprintf("%+q %d/%d tokens, tools %v, reasoning %v; ", m.ID, m.ContextTokens, m.AnswerTokens, m.Tools, m.Reasoning)
		}
		return text
	})
	vectors := llm.OpenAIEmbeddings(llm.OpenAIConfig{Name: "test", BaseURL: base}, "m", 0)
	llm.CompareReadings(t, "embeddings", vectorForms, llm.Values, func(form, value string) string {
		body = strings.ReplaceAll(form, "%s", value)
		vectors, usage, err := vectors.Embed(t.Context(), []string{"x"})
		if err != nil {
			return errorOutcome(t, err)
		}
		return fmt.Sprint(vectors, usage.In)
	})
}
