package window

import (
	"bytes"
	"slices"
	"sync"

	"ploke-lsp/session/records"
	"ploke-lsp/session/redact"
)

// maxRendered bounds the memory of [RenderedResults], in bytes.
const maxRendered = 4 << 20

// renderedOverhead is what a result takes besides its content and its text, in bytes: its id, and
// its places in the map and in the list. In a server that had run 37,000 turns with small results,
// each had taken 300 bytes, and its texts 100.
const renderedOverhead = 200

// RenderedResults holds the last results of calls as models read them: a turn renders a result once, and the next turn
// takes it from here when it prepares the call. It is safe for concurrent use.
type RenderedResults struct {
	mu    sync.Mutex
	roots []string // the folders that the paths in the texts are relative to
	ByID  map[string]renderedResult
	ids   []string // of the calls, oldest first
	size  int      // bytes
}

type renderedResult struct {
	content []byte
	text    string
	secrets []string // that are found in content
}

// size returns the bytes that a result takes.
func (r *renderedResult) size() int { return renderedOverhead + len(r.content) + len(r.text) }

// rendered returns the text of a call's result, and the secrets in its content.
func (r Rendering) rendered(c records.ToolCall) (text string, secrets []string) {
	var roots []string
	if r.Paths != nil {
		roots = r.Paths.Roots()
	}
	if known, ok := r.Results.get(c, roots); ok {
		return known.text, known.secrets
	}
	result := renderedResult{c.Content, r.Tools.Text(r.Tools.Ran(c.Tool, c.Arguments), c.Content),
		redact.FindInJSON(string(c.Content))}
	r.Results.put(c.ID, roots, result)
	return result.text, result.secrets
}

func (r *RenderedResults) get(c records.ToolCall, roots []string) (renderedResult, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	known, ok := r.ByID[c.ID]
	return known, ok && slices.Equal(r.roots, roots) && bytes.Equal(known.content, c.Content)
}

func (r *RenderedResults) put(id string, roots []string, result renderedResult) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ByID == nil || !slices.Equal(r.roots, roots) {
		r.roots, r.ByID, r.ids, r.size = roots, map[string]renderedResult{}, nil, 0
	}
	if before, ok := r.ByID[id]; ok {
		r.size -= before.size()
	} else {
		r.ids = append(r.ids, id)
	}
	r.ByID[id] = result
	r.size += result.size()
	for r.size > maxRendered {
		oldest := r.ByID[r.ids[0]]
		delete(r.ByID, r.ids[0])
		r.ids, r.size = r.ids[1:], r.size-oldest.size()
	}
}
