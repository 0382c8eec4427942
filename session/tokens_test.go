package session

import (
	"strings"
	"testing"
	"time"

	"ploke-lsp/session/llm"
)

// The numbers are those of OpenAI's own tokenizer for o200k_base.
func TestKnownVocabulary(t *testing.T) {
	c := newCounter(llm.Model{ID: "gpt-5-mini"}, 0)
	for text, want := range map[string]int{"": 0, "hello world": 2, "antidisestablishmentarianism": 6, "2 + 2 = 4": 7, "お誕生日おめでとう": 8} {
		if got := c.text(text); got != want {
			t.Errorf("%q has %d tokens, want %d", text, got, want)
		}
	}
}

// TestPieces counts text that was cut: as much as uncut, or a little more.
func TestPieces(t *testing.T) {
	for name, text := range map[string]string{
		"code":   strings.Repeat("func (s *Server) run(ctx context.Context) error {\n\treturn s.listen(ctx)  // for ever\n}\n\n", 100),
		"json":   strings.Repeat(`{"ok":true,"text":"package main\n\nfunc main() {}\n"},`, 200),
		"kanji":  strings.Repeat("漢字仮名交じり文", 1000),
		"spaces": strings.Repeat(" ", 10_000),
	} {
		whole, err := o200k.load().Count(text)
		if err != nil {
			t.Fatal(err)
		}
		got, pieces := o200k.countAnew(text), len(text)/(pieceBytes-10)+1
		if got < whole || got > whole+3*pieces {
			t.Errorf("%s: %d tokens in pieces, %d uncut", name, got, whole)
		}
	}
}

// TestCountingIsQuick counts what takes the library more than a minute uncut.
func TestCountingIsQuick(t *testing.T) {
	began := time.Now()
	o200k.count(strings.Repeat("\n ", 128<<10))
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestModelsWithAKnownVocabulary(t *testing.T) {
	for id, want := range map[string]bool{"gpt-4o-mini": true, "gpt-4.1": true, "gpt-5.2-codex": true, "openai/gpt-oss-20b": true, "o3": true,
		"o4-mini": true, "codex-mini-latest": true, "gpt-4-turbo": false, "gpt-3.5-turbo": false, "olmo-2": false, "claude-opus-4": false, "llama3": false} {
		if got := newCounter(llm.Model{ID: id}, 0).vocabulary != nil; got != want {
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
		if got := scaleOf(tt.reported, tt.counted); got != tt.want {
			t.Errorf("%d of %d: %v, want %v", tt.reported, tt.counted, got, tt.want)
		}
	}
	messages := []llm.Message{{Text: strings.Repeat("x", 400)}}
	if n := newCounter(llm.Model{ID: "llama3"}, 0).request(messages, nil); n != 130 {
		t.Errorf("an estimate with its margin: %d", n)
	}
	if n := newCounter(llm.Model{ID: "llama3"}, 2).request(messages, nil); n != 208 {
		t.Errorf("a calibrated estimate: %d", n)
	}
}
