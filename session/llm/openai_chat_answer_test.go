package llm

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// readChunk describes what is read of a chunk.
func readChunk(t *testing.T, chunk string) string {
	t.Helper()
	c, err := parseJSON([]byte(chunk))
	if err != nil {
		t.Fatal(err)
	}
	var a chatAnswer
	read, err := a.add("", c)
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("chosen %v, text %+q, reasoning %+q, finish %q", a.chosen, read.Text, read.Reasoning, a.finish)
	for _, call := range a.calls.all {
		text += fmt.Sprintf(", call %q %q %q", call.id, call.name, call.args)
	}
	text += fmt.Sprintf(", indices %v", slices.Sorted(maps.Keys(a.calls.latest)))
	if a.usage != nil {
		text += fmt.Sprintf(", usage %+v", *a.usage)
	}
	return text
}

// TestChunks compares what is read of a chunk with what OpenAI's library reads of it, for each field that is read and each
// type of value.
func TestChunks(t *testing.T) {
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
			return "not compared" // the library takes it for an empty object
		}
		return readChunk(t, chunk)
	})
}

const contentChunk = `{"id":"chatcmpl-B9MHDbslfkBeAs8l4bebGdFOJ6PeG","object":"chat.completion.chunk","created":1741570283,` +
	`"model":"m-2025-04-14",` +
	`"service_tier":"default","system_fingerprint":"fp_b705f0c291","choices":[{"index":0,"delta":{"content":" streamed"},"logprobs":null,` +
	`"finish_reason":null}],"usage":null}`

// BenchmarkChunk measures what it takes to read a chunk with a token of text.
func BenchmarkChunk(b *testing.B) {
	data := []byte(contentChunk)
	b.ReportAllocs()
	for b.Loop() {
		c, err := parseJSON(data)
		if err != nil {
			b.Fatal(err)
		}
		var a chatAnswer
		if read, err := a.add("", c); err != nil || read.Text != " streamed" {
			b.Fatal("the text is lost")
		}
	}
}
