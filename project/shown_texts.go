package project

import (
	"context"
	"sync"

	"ploke-lsp/edits"
)

const (
	shownTextsBytes = 4 << 20
	shownTextBytes  = 1 << 20 // longer texts are not compared
)

// shownTexts are the texts that models were shown last, by their hashes, so that a later turn can say in which
// lines a file has changed. The oldest go first. It is safe for concurrent use.
type shownTexts struct {
	mu    sync.Mutex
	texts map[string][]byte // not modified
	order []string          // the oldest first
	size  int
}

func (t *shownTexts) put(hash string, text []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, known := t.texts[hash]; known || len(text) > shownTextBytes {
		return
	}
	if t.texts == nil {
		t.texts = map[string][]byte{}
	}
	t.texts[hash] = text
	t.order = append(t.order, hash)
	for t.size += len(text); t.size > shownTextsBytes; t.order = t.order[1:] {
		t.size -= len(t.texts[t.order[0]])
		delete(t.texts, t.order[0])
	}
}

func (t *shownTexts) get(hash string) (text []byte, known bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	text, known = t.texts[hash]
	return text, known
}

// Preview returns what a person is shown of a proposal: a unified diff, or the new code if the
// settings say so.
func (p *Project) Preview(ctx context.Context, proposal *edits.Proposal) (string, error) {
	if p.settings.Now().Edits.Preview == "code" {
		return p.Edits.Preview.NewCode(ctx, proposal)
	}
	return p.Edits.Preview.Diff(ctx, proposal)
}
