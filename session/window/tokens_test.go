package window

import (
	"strings"
	"testing"

	"ploke-lsp/session/llm"
)

// The numbers are those of OpenAI's own tokenizer for o200k_base.
func TestKnownVocabulary(t *testing.T) {
	c := NewCounter(llm.Model{ID: "gpt-5-mini"}, 0)
	for text, want := range map[string]int{"": 0, "hello world": 2, "antidisestablishmentarianism": 6, "2 + 2 = 4": 7, "お誕生日おめでとう": 8} {
		if got := c.Text(text); got != want {
			t.Errorf("%q has %d tokens, want %d", text, got, want)
		}
	}
}

func TestModelsWithAKnownVocabulary(t *testing.T) {
	for id, want := range map[string]bool{"gpt-4o-mini": true, "gpt-4.1": true, "gpt-5.2-codex": true, "openai/gpt-oss-20b": true, "o3": true,
		"o4-mini": true, "codex-mini-latest": true, "gpt-4-turbo": false, "gpt-3.5-turbo": false, "olmo-2": false, "claude-opus-4": false,
		"llama3": false} {
		if got := NewCounter(llm.Model{ID: id}, 0).Known; got != want {
			t.Errorf("%s: %v", id, got)
		}
	}
}

func TestScale(t *testing.T) {
	for _, tt := range []struct {
		reported, counted int
		want              float64
	}{
		{0, 100, 0}, // not reported
		{110, 100, 1.1},
		{10, 1000, 0.75}, // what was not in the cache
		{1000, 10, 4},
	} {
		if got := ScaleOf(tt.reported, tt.counted); got != tt.want {
			t.Errorf("%d of %d: %v, want %v", tt.reported, tt.counted, got, tt.want)
		}
	}
	messages := []llm.Message{{Text: strings.Repeat("x", 400)}}
	if n := NewCounter(llm.Model{ID: "llama3"}, 0).request(messages, nil); n != 130 {
		t.Errorf("an estimate with its margin: %d", n)
	}
	if n := NewCounter(llm.Model{ID: "llama3"}, 2).request(messages, nil); n != 208 {
		t.Errorf("a calibrated estimate: %d", n)
	}
}

// TestEstimate compares the estimate with what vocabularies have: a token for each digit, and few for words.
func TestEstimate(t *testing.T) {
	for text, want := range map[string]int{"": 0, "word": 1, "words and words": 4, "2026": 4, " 12  {\n": 5, "();": 3, "日本": 2} {
		if got := estimate(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// request returns the number of tokens of a request with these messages and tools.
func (c Counter) request(messages []llm.Message, specs []llm.ToolSpec) int {
	n := c.Tools(specs)
	for i := range messages {
		n += c.Message(&messages[i], messages[i].Text)
	}
	return c.Scaled(n)
}
