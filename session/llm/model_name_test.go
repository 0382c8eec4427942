package llm_test

import (
	"testing"

	"ploke-lsp/session/llm"
)

func TestSplitModel(t *testing.T) {
	for _, tt := range []struct{ name, provider, id, effort string }{
		{"embedded", "embedded", "", ""},
		{"openai/gpt-5", "openai", "gpt-5", ""},
		{"openai/gpt-5#high", "openai", "gpt-5", "high"},
		{"router/openai/gpt-5:free#xhigh", "router", "openai/gpt-5:free", "xhigh"},
		{"home/model#2", "home", "model#2", ""},
		{"home/a#low#high", "home", "a#low", "high"},
		{"home/#high", "home", "#high", ""},
		{"home/model#High", "home", "model#High", ""},
		{"home#high", "home#high", "", ""},
		{"", "", "", ""},
	} {
		if provider, id, effort := llm.SplitModel(tt.name); provider != tt.provider || id != tt.id || effort != tt.effort {
			t.Errorf("%q is %q, %q, %q", tt.name, provider, id, effort)
		}
		if model, effort := llm.CutEffort(tt.name); llm.WithEffort(model, effort) != tt.name {
			t.Errorf("%q is %q with %q", tt.name, model, effort)
		}
	}
}
