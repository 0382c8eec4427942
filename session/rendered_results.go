package session

import (
	"bytes"
	"slices"
	"sync"

	"ploke-lsp/session/records"
	"ploke-lsp/session/redact"
)

// maxRendered bounds the memory of renderedResults, in bytes.
const maxRendered = 4 << 20

// renderedOverhead is what a result takes beside its content and its text, in bytes: its id, and its places in the map
// and in the list. In a server that had run 37,000 turns with small results, each had taken 300 bytes, and its texts 100.
const renderedOverhead = 200

// renderedResults holds the last results of calls as models read them: a turn renders a result once, and the next turn
// takes it from here when it prepares the call. It is safe for concurrent use.
type renderedResults struct {
	mu    sync.Mutex
	roots []string // the folders that the paths in the texts are relative to
	byID  map[string]renderedResult
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
func (r rendering) rendered(c records.ToolCall) (text string, secrets []string) {
	var roots []string
	if r.paths != nil {
		roots = r.paths.Roots()
	}
	if known, ok := r.results.get(c, roots); ok {
		return known.text, known.secrets
	}
	result := renderedResult{c.Content, r.tools.Text(r.tools.Ran(c.Tool, c.Arguments), c.Content), redact.FindInJSON(string(c.Content))}
	r.results.put(c.ID, roots, result)
	return result.text, result.secrets
}

func (r *renderedResults) get(c records.ToolCall, roots []string) (renderedResult, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	known, ok := r.byID[c.ID]
	return known, ok && slices.Equal(r.roots, roots) && bytes.Equal(known.content, c.Content)
}

func (r *renderedResults) put(id string, roots []string, result renderedResult) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.byID == nil || !slices.Equal(r.roots, roots) {
		r.roots, r.byID, r.ids, r.size = roots, map[string]renderedResult{}, nil, 0
	}
	if before, ok := r.byID[id]; ok {
		r.size -= before.size()
	} else {
		r.ids = append(r.ids, id)
	}
	r.byID[id] = result
	r.size += result.size()
	for r.size > maxRendered {
		oldest := r.byID[r.ids[0]]
		delete(r.byID, r.ids[0])
		r.ids, r.size = r.ids[1:], r.size-oldest.size()
	}
}
