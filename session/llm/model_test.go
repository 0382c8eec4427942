package llm_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/session/llm"
)

func TestModelRequest(t *testing.T) {
	messages := []llm.Message{{Role: llm.User, Text: "hi"}}
	tools := []llm.ToolSpec{{Name: "read"}}
	tests := []struct {
		name  string
		model llm.Model
		want  llm.Request
	}{
		{"nothing is known", llm.Model{ID: "m"}, llm.Request{Model: "m", Messages: messages, Tools: tools, ContextTokens: 1000}},
		{"short answers", llm.Model{ID: "m", AnswerTokens: 99}, llm.Request{Model: "m", Messages: messages, Tools: tools, ContextTokens: 1000, MaxTokens: 99}},
		{"answers as long as the window", llm.Model{ID: "m", AnswerTokens: 1000}, llm.Request{Model: "m", Messages: messages, Tools: tools, ContextTokens: 1000, MaxTokens: 500}},
		{"no tools", llm.Model{ID: "m", Capabilities: &llm.Capabilities{ParallelTools: true, Reasoning: true}},
			llm.Request{Model: "m", Messages: messages, ContextTokens: 1000, Reasoning: true}},
		{"an effort", llm.Model{ID: "m", Effort: "high", Efforts: []string{"low", "high"}},
			llm.Request{Model: "m", Effort: "high", Messages: messages, Tools: tools, ContextTokens: 1000}},
		{"one tool at a time", llm.Model{ID: "m", Capabilities: &llm.Capabilities{Tools: true}},
			llm.Request{Model: "m", Messages: messages, Tools: tools, ContextTokens: 1000, SerialTools: true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, *tt.model.Request(messages, tools, 1000)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestPriceCost(t *testing.T) {
	used := llm.Usage{In: 1_000_000, Cached: 400_000, Written: 100_000, Out: 200_000}
	for _, tt := range []struct {
		price      llm.Price
		cost, most float64
	}{
		{llm.Price{In: 3, Out: 15}, 3 + 3, 6},
		{llm.Price{In: 3, Out: 15, CachedIn: 0.5}, 1.8 + 0.2 + 3, 6},
		{llm.Price{In: 3, Out: 15, CachedIn: 0.5, CacheWrite: 4}, 1.5 + 0.2 + 0.4 + 3, 7},
	} {
		if got := tt.price.Cost(used); math.Abs(got-tt.cost) > 1e-9 {
			t.Errorf("%+v: %v; want %v", tt.price, got, tt.cost)
		}
		if got := tt.price.MaxCost(used.In, used.Out); math.Abs(got-tt.most) > 1e-9 {
			t.Errorf("%+v: at most %v; want %v", tt.price, got, tt.most)
		}
	}
}
