package index

import (
	"bytes"
	"context"
	"fmt"
	"sync"

	"ploke-lsp/index/postings"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
)

// buffer is an unsaved text, indexed in memory.
type buffer struct {
	shard  *shard
	rel    string // in the shard
	source source // its parsed is always set
	posts  *postings.Segment

	passages func() []passage // cut on the first call
}

// SetBuffer indexes text as the unsaved content of path, an absolute path, until
// DropBuffer. Meanwhile the rows of the file on disk don't count. SetBuffer keeps text,
// which must not be modified. It ignores a path that the workspace skips.
func (x *Index) SetBuffer(ctx context.Context, path string, text []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	x.incremental.mu.Lock()
	defer x.incremental.mu.Unlock()
	return x.setBuffer(x.canonical(path), text)
}

// setBuffer is SetBuffer with incremental.mu held.
func (x *Index) setBuffer(path string, text []byte) error {
	s := x.shardOf(path)
	if s == nil || x.ws.Skipped(path) != "" {
		x.dropBuffer(path)
		return nil
	}
	b, err := x.newBuffer(s, path, text)
	if err != nil {
		return fmt.Errorf("indexing the unsaved text of %s: %w", path, err)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.buffers[path] = b
	return nil
}

// incrementalAnalyzer makes it cheap to index a text again after each keystroke: it keeps
// the syntax tree of the last text.
type incrementalAnalyzer struct {
	mu       sync.Mutex // held while the unsaved texts change
	path     string
	document syntax.Document
	analyzer postings.Analyzer
}

// analyze is the package's analyze for an unsaved text.
func (t *incrementalAnalyzer) analyze(path, rel string, text []byte) (*syntax.File, *postings.Document) {
	if t.path != path {
		t.document.Close()
		t.path = path
	}
	return analyze(&t.analyzer, t.document.Parse, rel, text)
}

func (x *Index) newBuffer(s *shard, path string, text []byte) (*buffer, error) {
	b := &buffer{shard: s, rel: s.rel(path)}
	f := &syntax.File{}
	var posts postings.Builder
	if workspace.Classify(text) == "" { // otherwise the buffer only hides the file on disk
		var doc *postings.Document
		f, doc = x.incremental.analyze(path, b.rel, text)
		posts.Add(doc)
	}
	b.source = *x.newSource(path, f.Language, &workspace.File{Text: text, Hash: workspace.Hash(text)})
	b.source.parsed = f
	b.passages = sync.OnceValue(func() []passage { return cutPassages(b.rel, text, f.Symbols) })
	var out bytes.Buffer
	if err := posts.Write(&out); err != nil {
		return nil, err
	}
	var err error
	b.posts, err = postings.OpenBytes(out.Bytes())
	return b, err
}

// refilterBuffers checks the unsaved texts again after the ignore rules may have changed.
func (x *Index) refilterBuffers() error {
	x.incremental.mu.Lock()
	defer x.incremental.mu.Unlock()
	indexed := x.unsavedBuffers()
	for path := range indexed {
		if x.ws.Skipped(path) != "" {
			x.dropBuffer(path)
		}
	}
	for _, path := range x.ws.Buffers() {
		f, open := x.ws.Buffer(path)
		if !open || indexed[path] != nil {
			continue
		}
		if err := x.setBuffer(path, f.Text); err != nil {
			return err
		}
		if _, open := x.ws.Buffer(path); !open { // it was closed meanwhile
			x.dropBuffer(path)
		}
	}
	return nil
}

// DropBuffer makes the file on disk count again. The next Refresh or Update reads what was
// saved meanwhile.
func (x *Index) DropBuffer(path string) {
	x.incremental.mu.Lock()
	defer x.incremental.mu.Unlock()
	x.dropBuffer(x.canonical(path))
}

// dropBuffer is DropBuffer with incremental.mu held.
func (x *Index) dropBuffer(path string) {
	if x.incremental.path == path {
		x.incremental.document.Close()
		x.incremental.path = ""
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.buffers, path)
}

// unsavedBuffers returns a copy of the unsaved texts, by absolute path.
func (x *Index) unsavedBuffers() map[string]*buffer {
	x.mu.RLock()
	defer x.mu.RUnlock()
	m := make(map[string]*buffer, len(x.buffers))
	for path, b := range x.buffers {
		m[path] = b
	}
	return m
}

// symbol returns the symbol with that ordinal; ok is false if there is none.
func (b *buffer) symbol(ordinal int) (syntax.Symbol, bool) {
	if ordinal < 0 || ordinal >= len(b.source.parsed.Symbols) {
		return syntax.Symbol{}, false
	}
	return b.source.parsed.Symbols[ordinal], true
}
