package llm

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/respjson"
)

// readChunk describes what is read of a chunk.
func readChunk(t *testing.T, chunk string) string {
	t.Helper()
	var c chatChunk
	if err := json.Unmarshal([]byte(chunk), &c); err != nil {
		t.Fatal(err)
	}
	var a chatAnswer
	read := a.add(c)
	text := fmt.Sprintf("chosen %v, text %+q, reasoning %+q, finish %q", a.chosen, read.Text, read.Reasoning, a.finish)
	for _, call := range a.calls {
		text += fmt.Sprintf(", call %q %q %q", call.id, call.name, call.args)
	}
	text += fmt.Sprintf(", indices %v", slices.Sorted(maps.Keys(a.latest)))
	if a.usage != nil {
		text += fmt.Sprintf(", usage %+v", *a.usage)
	}
	return text
}

// readBySDK describes a chunk as the SDK reads it.
func readBySDK(t *testing.T, chunk string) string {
	t.Helper()
	var c openai.ChatCompletionChunk
	if err := json.Unmarshal([]byte(chunk), &c); err != nil {
		t.Fatal(err)
	}
	var choice openai.ChatCompletionChunkChoice
	if len(c.Choices) > 0 {
		choice = c.Choices[0]
	}
	extra := func(field respjson.Field, to any) { _ = json.Unmarshal([]byte(field.Raw()), to) } // other types are ignored
	d := choice.Delta
	var content, reasoning string
	extra(d.JSON.ExtraFields["reasoning_content"], &content)
	extra(d.JSON.ExtraFields["reasoning"], &reasoning)
	var finish Finish
	if choice.FinishReason != "" {
		finish = finishOf(choice.FinishReason)
	}
	text := fmt.Sprintf("chosen %v, text %+q, reasoning %+q, finish %q", len(c.Choices) > 0, d.Content+d.Refusal, cmp.Or(content, reasoning), finish)
	var indices []int64
	for _, call := range d.ToolCalls {
		text += fmt.Sprintf(", call %q %q %q", call.ID, call.Function.Name, call.Function.Arguments)
		indices = append(indices, call.Index)
	}
	slices.Sort(indices)
	text += fmt.Sprintf(", indices %v", indices)
	if c.JSON.Usage.Valid() {
		usage := Usage{In: int(c.Usage.PromptTokens), Out: int(c.Usage.CompletionTokens), Cached: int(c.Usage.PromptTokensDetails.CachedTokens)}
		extra(c.Usage.JSON.ExtraFields["cost"], &usage.Cost)
		text += fmt.Sprintf(", usage %+v", usage)
	}
	return text
}

// TestChunksAreReadAsBySDK compares what is read of a chunk with what the SDK reads of it, for each field that is read and
// each type of value.
func TestChunksAreReadAsBySDK(t *testing.T) {
	forms := []string{
		`{"id":%s}`, `{"choices":%s}`, `{"choices":[%s]}`, `{"choices":[{"delta":%s}]}`, `{"usage":%s}`, ` { "choices" : [ { "delta" : { "content" : %s } } ] } `,
		`{"choices":[{"delta":{"content":"a"},"finish_reason":%s},{"delta":{"content":"b"}}]}`,
		`{"choices":[{"delta":{"content":%s,"refusal":"b"}}]}`,
		`{"choices":[{"delta":{"refusal":%s}}]}`,
		`{"choices":[{"delta":{"reasoning":%s,"content":"a"}}]}`,
		`{"choices":[{"delta":{"reasoning_content":%s,"reasoning":"b"}}]}`,
		`{"choices":[{"delta":{"tool_calls":[%s]}}]}`,
		`{"choices":[{"delta":{"tool_calls":[{"index":%s,"id":"a"},{"index":2,"id":"b"}]}}]}`,
		`{"choices":[{"delta":{"tool_calls":[{"index":1,"id":%s}]}}]}`,
		`{"choices":[{"delta":{"tool_calls":[{"index":1,"function":%s}]}}]}`,
		`{"choices":[{"delta":{"tool_calls":[{"index":1,"function":{"name":%s,"arguments":"b"}}]}}]}`,
		`{"choices":[{"delta":{"tool_calls":[{"index":1,"function":{"arguments":%s,"name":"b"}}]}}]}`,
		`{"choices":null,"usage":{"prompt_tokens":%s,"completion_tokens":3}}`,
		`{"choices":[],"usage":{"completion_tokens":%s,"prompt_tokens":3}}`,
		`{"choices":[],"usage":{"prompt_tokens_details":%s,"completion_tokens":3}}`,
		`{"choices":[],"usage":{"prompt_tokens_details":{"cached_tokens":%s},"completion_tokens":3}}`,
		`{"choices":[],"usage":{"cost":%s,"completion_tokens":3}}`,
	}
	CompareReadings(t, "chat", forms, Values, func(form, value string) string {
		chunk := strings.ReplaceAll(form, "%s", value)
		if strings.Contains(chunk, "[null]") {
			return "not compared" // the SDK takes it for an empty object
		}
		if want, got := readBySDK(t, chunk), readChunk(t, chunk); got != want {
			t.Errorf("%s is read as\n%s\nand by the SDK as\n%s", chunk, got, want)
		}
		return readBySDK(t, chunk)
	})
}

const contentChunk = `{"id":"chatcmpl-B9MHDbslfkBeAs8l4bebGdFOJ6PeG","object":"chat.completion.chunk","created":1741570283,"model":"m-2025-04-14",` +
	`"service_tier":"default","system_fingerprint":"fp_b705f0c291","choices":[{"index":0,"delta":{"content":" streamed"},"logprobs":null,"finish_reason":null}],"usage":null}`

// BenchmarkChunk measures what it takes to read a chunk with a token of text.
func BenchmarkChunk(b *testing.B) {
	data := []byte(contentChunk)
	b.ReportAllocs()
	for b.Loop() {
		var c chatChunk
		if err := json.Unmarshal(data, &c); err != nil {
			b.Fatal(err)
		}
		var a chatAnswer
		if a.add(c).Text != " streamed" {
			b.Fatal("the text is lost")
		}
	}
}

// BenchmarkChunkOfSDK measures the same for the SDK's type.
func BenchmarkChunkOfSDK(b *testing.B) {
	data := []byte(contentChunk)
	b.ReportAllocs()
	for b.Loop() {
		var c openai.ChatCompletionChunk
		if err := json.Unmarshal(data, &c); err != nil {
			b.Fatal(err)
		}
		if c.Choices[0].Delta.Content != " streamed" {
			b.Fatal("the text is lost")
		}
	}
}
