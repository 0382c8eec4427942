package shards

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"

	"ploke-lsp/index/postings"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
)

// Buffer is an unsaved text, indexed in memory.
type Buffer struct {
	shard  *Shard
	Rel    string // in the shard
	hidden bool   // the text is unknown or too large: the buffer only hides the file on disk
	Source Source // its parsed is always set
	posts  *postings.Segment

	Passages func() []passage // cut on the first call
}

// SyncBuffer indexes what the workspace has as the unsaved content of path, an absolute
// path. A document whose text the workspace does not serve hides the file on disk. One that
// is closed makes the file count again.
func (x *Set) SyncBuffer(ctx context.Context, path string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	x.incremental.mu.Lock()
	defer x.incremental.mu.Unlock()
	return x.syncBuffer(x.canonical(path))
}

// syncBuffer is SyncBuffer with incremental.mu held.
func (x *Set) syncBuffer(path string) error {
	var b *Buffer
	var err error
	if f, known := x.ws.Buffer(path); known {
		b, err = x.newBuffer(path, f.Text)
	} else {
		x.incremental.release(path)
		b, err = x.hidingBuffer(path)
	}
	if err != nil {
		return err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	open, known := x.ws.IsOpen(path) // now, for it may have become unknown, or closed, meanwhile
	switch {
	case b == nil || !open:
		delete(x.buffers, path)
	case known != b.hidden:
		x.buffers[path] = b
	}
	return nil
}

// HideBuffer hides the file on disk and what was indexed of its unsaved text, at once: it
// does not wait for a text that is being indexed. SyncBuffer brings the file back.
func (x *Set) HideBuffer(path string) error {
	path = x.canonical(path)
	b, err := x.hidingBuffer(path)
	if b == nil {
		return err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.buffers[path] = b
	return nil
}

// SetBuffer indexes text as the unsaved content of path, an absolute path, until
// DropBuffer. Meanwhile the rows of the file on disk don't count. SetBuffer keeps text,
// which must not be modified. It ignores a path that the workspace skips.
func (x *Set) SetBuffer(ctx context.Context, path string, text []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	x.incremental.mu.Lock()
	defer x.incremental.mu.Unlock()
	path = x.canonical(path)
	b, err := x.newBuffer(path, text)
	if err != nil {
		return err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if b == nil {
		delete(x.buffers, path)
	} else {
		x.buffers[path] = b
	}
	return nil
}

// incrementalAnalyzer makes it cheap to index a text again after each keystroke: it keeps
// the syntax tree of the last text.
type incrementalAnalyzer struct {
	mu       sync.Mutex // held while an unsaved text is indexed
	path     string
	document syntax.Document
	posts    postings.Builder
}

// analyze is the package's analyze for an unsaved text.
func (t *incrementalAnalyzer) analyze(path, rel string, text []byte) *syntax.File {
	if t.path != path {
		t.document.Close()
		t.path = path
	}
	return analyze(&t.posts, t.document.Parse, 0, rel, text)
}

// release forgets the syntax tree of a path.
func (t *incrementalAnalyzer) release(path string) {
	if t.path == path {
		t.document.Close()
		t.path = ""
	}
}

// newBuffer indexes an unsaved text; nil if the workspace skips the path. incremental.mu
// is held.
func (x *Set) newBuffer(path string, text []byte) (*Buffer, error) {
	s := x.shardOf(path)
	if s == nil || x.ws.Skipped(path) != "" {
		x.incremental.release(path)
		return nil, nil
	}
	f := &syntax.File{}
	if workspace.Classify(text) == "" {
		f = x.incremental.analyze(path, s.Rel(path), text)
	} else {
		x.incremental.release(path)
	}
	src := x.newSource(path, f.Language, &workspace.File{Text: text, Hash: workspace.Hash(text)})
	return assembleBuffer(src, s, f, &x.incremental.posts)
}

// hidingBuffer returns a buffer without a text; nil if the workspace skips the path.
func (x *Set) hidingBuffer(path string) (*Buffer, error) {
	s := x.shardOf(path)
	if s == nil || x.ws.Skipped(path) != "" {
		return nil, nil
	}
	b, err := assembleBuffer(x.newSource(path, "", &workspace.File{}), s, &syntax.File{}, new(postings.Builder))
	b.hidden = true
	return b, err
}

// assembleBuffer returns the buffer of a text with what was found in it. If posts has no document, it
// only hides the file on disk.
func assembleBuffer(src *Source, s *Shard, f *syntax.File, posts *postings.Builder) (*Buffer, error) {
	b := &Buffer{shard: s, Rel: s.Rel(src.Path), Source: *src}
	b.Source.Parsed = f
	b.Passages = sync.OnceValue(func() []passage { return cutPassages(b.Rel, src.Text, f.Symbols) })
	var out bytes.Buffer
	if err := posts.Write(&out); err != nil {
		return b, fmt.Errorf("indexing the unsaved text of %s: %w", src.Path, err)
	}
	var err error
	b.posts, err = postings.OpenBytes(out.Bytes())
	return b, err
}

// refilterBuffers checks the unsaved texts again after the ignore rules, or the limit of
// size, may have changed.
func (x *Set) refilterBuffers() error {
	x.incremental.mu.Lock()
	defer x.incremental.mu.Unlock()
	indexed := x.unsavedBuffers()
	for path := range indexed {
		if x.ws.Skipped(path) != "" || x.canonical(path) != path { // renamed in case alone
			x.drop(path)
		}
	}
	for _, path := range x.ws.OpenFiles() {
		_, known := x.ws.IsOpen(path)
		if b := indexed[path]; b != nil && b.hidden == !known {
			continue
		}
		if err := x.syncBuffer(path); err != nil {
			return err
		}
	}
	return nil
}

// DropBuffer makes the file on disk count again, at once: it does not wait for a text that
// is being indexed. The next Refresh or Update reads what was saved meanwhile.
func (x *Set) DropBuffer(path string) {
	x.drop(x.canonical(path))
}

func (x *Set) drop(canonical string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.buffers, canonical)
}

// UnsavedBuffers returns a copy of the unsaved texts, by absolute path.
func (x *Set) unsavedBuffers() map[string]*Buffer {
	x.mu.RLock()
	defer x.mu.RUnlock()
	m := make(map[string]*Buffer, len(x.buffers))
	for path, b := range x.buffers {
		m[path] = b
	}
	return m
}

// symbol returns the symbol with that ordinal; ok is false if there is none.
func (b *Buffer) symbol(ordinal int) (syntax.Symbol, bool) {
	if ordinal < 0 || ordinal >= len(b.Source.Parsed.Symbols) {
		return syntax.Symbol{}, false
	}
	return b.Source.Parsed.Symbols[ordinal], true
}

// Unit describes the symbol with that ordinal, or the text itself.
func (b *Buffer) Unit(ordinal int) Unit {
	if ordinal == FileUnit {
		return b.Source.fileUnit()
	}
	if s, ok := b.symbol(ordinal); ok {
		return b.Source.Unit(s)
	}
	return Unit{}
}

// Named describes the symbols of an unsaved text with that name, ignoring case.
func (b *Buffer) Named(name string) (units []Unit) {
	for _, s := range b.Source.Parsed.Symbols {
		if strings.EqualFold(s.Name, name) {
			units = append(units, b.Source.Unit(s))
		}
	}
	return units
}
