package graph

import (
	"cmp"
	"context"

	"ploke-lsp/index/shards"
)

// find returns the symbol that a unit describes.
func (l *loader) find(u shards.Unit) (symbol, bool) {
	m := l.moduleAt(u.Path)
	if m == nil || !l.refresh(m) {
		return symbol{}, false
	}
	for i := range m.table().Count() {
		if m.table().At(i).Kind == u.Kind && m.table().Address(i) == u.Canon {
			return symbol{m, i}, true
		}
	}
	return symbol{}, false
}

// ModuleAt returns the module of a path as the workspace serves it now, nil if the index has none.
func ModuleAt(ctx context.Context, sources *shards.CurrentTexts, views []*shards.View, path string) (*Module, error) {
	r := newResolver(ctx, sources.Reader, views)
	r.CurrentTexts = sources
	m, src := r.at(path)
	if src == nil {
		m = nil
	}
	return m, r.err
}

// at returns the module of a path and its text, nil if the index has none.
func (l *loader) at(path string) (*Module, *shards.CurrentText) {
	m := l.moduleAt(path)
	if m == nil {
		return nil, nil
	}
	return m, l.text(m)
}

// moduleAt returns the module of a path, nil if the index has none.
func (l *loader) moduleAt(path string) *Module {
	m := l.unloadedAt(path)
	if m != nil {
		l.load(m)
	}
	return m
}

// unloadedAt is moduleAt, but the module may not be loaded yet.
func (l *loader) unloadedAt(path string) *Module {
	m, v, doc := l.located(path)
	if v != nil {
		return l.document(v, doc)
	}
	return m
}

// located returns where the text of a path is: in a module, if it is not the indexed text, or else in
// a document of a view. It returns neither if the index has none. Most paths are those of indexed files, and resolving
// links takes a system call for each folder.
func (l *loader) located(path string) (m *Module, v *shards.View, doc int) {
	if m, v, doc = l.locatedCanonical(path); m != nil || v != nil {
		return m, v, doc
	}
	return l.locatedCanonical(l.Canonical(path))
}

// locatedCanonical is located for a canonical path.
func (l *loader) locatedCanonical(path string) (m *Module, v *shards.View, doc int) {
	s := l.ShardOf(path)
	if s == nil {
		return nil, nil, 0
	}
	rel := s.Rel(path)
	if m := l.texts[file{s, rel}]; m != nil {
		return m, nil, 0
	}
	if b := l.UnsavedBuffers()[path]; b != nil {
		return l.unsaved(s, rel, &b.Source), nil, 0
	}
	v, doc, _ = shards.DocumentAt(l.views, s, rel)
	return nil, v, doc
}

// refresh makes a module reflect the current text. It reports whether the file still
// exists.
func (l *loader) refresh(m *Module) bool {
	if m.source != nil {
		return true
	}
	text, err := m.Shard.OpenText(l.ctx, l.Workspace(), &m.row)
	if err != nil {
		l.err = cmp.Or(l.err, l.ctx.Err())
		return false
	}
	defer text.Close()
	unchanged, err := m.Shard.Unchanged(l.ctx, &m.row, text)
	l.err = cmp.Or(l.err, err)
	return unchanged || l.text(m) != nil
}

// text returns the module's current text, nil if it no longer exists. If that is not the
// indexed text, the module is updated to it.
func (l *loader) text(m *Module) *shards.CurrentText {
	if m.source != nil || l.err != nil {
		return m.source
	}
	src, err := l.current(m)
	switch {
	case err != nil || src == nil:
		l.err = err
	case src.Parsed != nil:
		m.read(src)
		l.changed()
	}
	return src
}

// current returns the current text of an indexed module. It does not hash the text if the
// file's size and time are those of its row.
func (l *loader) current(m *Module) (*shards.CurrentText, error) {
	path := m.Shard.Path(m.Rel)
	if src, ok := l.Open[path]; ok {
		return src, nil
	}
	text, err := m.Shard.OpenText(l.ctx, l.Workspace(), &m.row)
	if err != nil {
		return nil, l.ctx.Err()
	}
	defer text.Close()
	unchanged, err := m.Shard.Unchanged(l.ctx, &m.row, text)
	if err != nil {
		return nil, err
	}
	if !unchanged {
		return l.Indexed(l.ctx, m.Shard, m.row)
	}
	src := &shards.CurrentText{Path: path, Rel: l.Workspace().Rel(path), Language: m.row.Language, Hash: m.row.Hash}
	if src.Text, err = text.Part(0, text.Len()); err != nil {
		return l.Indexed(l.ctx, m.Shard, m.row)
	}
	l.Open[path] = src
	return src, nil
}
