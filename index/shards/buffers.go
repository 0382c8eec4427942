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
	Rel    string      // in the shard
	hidden bool        // the text is unknown or too large: the buffer only hides the file on disk
	Source CurrentText // its parsed is always set
	posts  *postings.Segment

	Passages func() []passage // cut on the first call
}

// unsavedTexts indexes the unsaved texts of a catalog, one at a time.
type unsavedTexts struct {
	*catalog
	incremental incrementalAnalyzer
}

// SyncBuffer indexes what the workspace has as the unsaved content of path, an absolute
// path. A document whose text the workspace does not serve hides the file on disk. One that
// is closed makes the file count again.
func (u *unsavedTexts) SyncBuffer(ctx context.Context, path string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	u.incremental.mu.Lock()
	defer u.incremental.mu.Unlock()
	return u.syncBuffer(u.canonical(path))
}

// syncBuffer is SyncBuffer with incremental.mu held.
func (u *unsavedTexts) syncBuffer(path string) error {
	var b *Buffer
	var err error
	if f, known := u.ws.Buffer(path); known {
		b, err = u.newBuffer(path, f.Text)
	} else {
		u.incremental.release(path)
		b, err = u.hidingBuffer(path)
	}
	if err != nil {
		return err
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	open, known := u.ws.IsOpen(path) // now, for it may have become unknown, or closed, meanwhile
	switch {
	case b == nil || !open:
		delete(u.buffers, path)
	case known != b.hidden:
		u.buffers[path] = b
	}
	return nil
}

// HideBuffer hides the file on disk and what was indexed of its unsaved text, at once: it
// does not wait for a text that is being indexed. SyncBuffer brings the file back.
func (u *unsavedTexts) HideBuffer(path string) error {
	path = u.canonical(path)
	b, err := u.hidingBuffer(path)
	if b == nil {
		return err
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.buffers[path] = b
	return nil
}

// SetBuffer indexes text as the unsaved content of path, an absolute path, until
// DropBuffer. Meanwhile the rows of the file on disk don't count. SetBuffer keeps text,
// which must not be modified. It ignores a path that the workspace skips.
func (u *unsavedTexts) SetBuffer(ctx context.Context, path string, text []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	u.incremental.mu.Lock()
	defer u.incremental.mu.Unlock()
	path = u.canonical(path)
	b, err := u.newBuffer(path, text)
	if err != nil {
		return err
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if b == nil {
		delete(u.buffers, path)
	} else {
		u.buffers[path] = b
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
func (u *unsavedTexts) newBuffer(path string, text []byte) (*Buffer, error) {
	s := u.shardOf(path)
	if s == nil || u.ws.Skipped(path) != "" {
		u.incremental.release(path)
		return nil, nil
	}
	f := &syntax.File{}
	if workspace.Classify(text) == "" {
		f = u.incremental.analyze(path, s.Rel(path), text)
	} else {
		u.incremental.release(path)
	}
	src := u.newText(path, f.Language, &workspace.File{Text: text, Hash: workspace.Hash(text)})
	return assembleBuffer(src, s, f, &u.incremental.posts)
}

// hidingBuffer returns a buffer without a text; nil if the workspace skips the path.
func (u *unsavedTexts) hidingBuffer(path string) (*Buffer, error) {
	s := u.shardOf(path)
	if s == nil || u.ws.Skipped(path) != "" {
		return nil, nil
	}
	b, err := assembleBuffer(u.newText(path, "", &workspace.File{}), s, &syntax.File{}, new(postings.Builder))
	b.hidden = true
	return b, err
}

// assembleBuffer returns the buffer of a text with what was found in it. If posts has no document, it
// only hides the file on disk.
func assembleBuffer(src *CurrentText, s *Shard, f *syntax.File, posts *postings.Builder) (*Buffer, error) {
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
func (u *unsavedTexts) refilterBuffers() error {
	u.incremental.mu.Lock()
	defer u.incremental.mu.Unlock()
	indexed := u.unsavedBuffers()
	for path := range indexed {
		if u.ws.Skipped(path) != "" || u.canonical(path) != path { // renamed in case alone
			u.drop(path)
		}
	}
	for _, path := range u.ws.OpenFiles() {
		_, known := u.ws.IsOpen(path)
		if b := indexed[path]; b != nil && b.hidden == !known {
			continue
		}
		if err := u.syncBuffer(path); err != nil {
			return err
		}
	}
	return nil
}

// DropBuffer makes the file on disk count again, at once: it does not wait for a text that
// is being indexed. The next Refresh or Update reads what was saved meanwhile.
func (u *unsavedTexts) DropBuffer(path string) {
	u.drop(u.canonical(path))
}

func (c *catalog) drop(canonical string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.buffers, canonical)
}

// UnsavedBuffers returns a copy of the unsaved texts, by absolute path.
func (c *catalog) unsavedBuffers() map[string]*Buffer {
	c.mu.RLock()
	defer c.mu.RUnlock()
	m := make(map[string]*Buffer, len(c.buffers))
	for path, b := range c.buffers {
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
