package graph

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"ploke-lsp/index/postings"
	"ploke-lsp/index/records"
	"ploke-lsp/index/shards"
	"ploke-lsp/internal/syntax"
)

// Reference is a place that refers to a name.
type Reference struct {
	Path               string // absolute
	Rel                string
	From               string         // canon of the enclosing symbol, "" for the file
	FromLine           int            // where that begins, 0 for the file
	Kind               syntax.RefKind // "" for an occurrence
	Line               int
	StartByte, EndByte int
	FileHash           string
	LineText           string // without surrounding space
}

// Occurrences returns all identifiers that equal name, definitions included, in the order
// of paths and offsets. It ignores comments and strings. It parses every file that
// contains the word, in parallel.
func (o *Overlay) Occurrences(ctx context.Context, name string) ([]Reference, error) {
	var all []Reference
	err := o.resolving(ctx, func(r *resolver) {
		modules := r.having(termsOf(name))
		found := make([]*occurrences, len(modules))
		var g errgroup.Group
		g.SetLimit(runtime.GOMAXPROCS(0))
		for i, m := range modules {
			g.Go(func() (err error) {
				found[i], err = occurrencesIn(ctx, o.x, m, name)
				return err
			})
		}
		r.err = g.Wait()
		all = nil
		for i, places := range found {
			if places != nil && r.err == nil {
				all = append(all, r.describe(modules[i], places, name)...)
			}
		}
	})
	if err != nil {
		return nil, fmt.Errorf("looking for occurrences of %q: %w", name, err)
	}
	slices.SortFunc(all, func(a, b Reference) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.StartByte, b.StartByte))
	})
	return all, nil
}

// occurrences are the places of a name in a text.
type occurrences struct {
	*shards.CurrentText
	spans []syntax.Span
}

// occurrencesIn returns the places of a name in a module's current text, nil if there are
// none.
func occurrencesIn(ctx context.Context, x shards.Reader, m *Module, name string) (*occurrences, error) {
	src := m.source
	if src == nil {
		path := m.Shard.Path(m.Rel)
		f, err := x.Workspace().Read(ctx, path)
		if err != nil {
			return nil, ctx.Err()
		}
		if !bytes.Contains(f.Text, []byte(name)) {
			return nil, nil
		}
		src = x.NewText(path, syntax.Detect(path, f.Text), f)
	}
	if src.Language == "" || !hasWord(src.Text, name) {
		return nil, nil
	}
	spans, err := syntax.Occurrences(src.Language, src.Text, name)
	if err != nil || len(spans) == 0 {
		return nil, nil // a text that can't be parsed has no identifiers
	}
	return &occurrences{src, spans}, nil
}

// hasWord reports whether a text contains a name that is not part of a longer name.
func hasWord(text []byte, name string) bool {
	for len(text) > 0 {
		at := bytes.Index(text, []byte(name))
		if at < 0 {
			return false
		}
		end := at + len(name)
		if (at == 0 || !wordByte(text[at-1])) && (end == len(text) || !wordByte(text[end])) {
			return true
		}
		text = text[end:]
	}
	return false
}

func wordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// describe returns the occurrences in a module as references, with their enclosing
// symbols.
func (l *loader) describe(m *Module, o *occurrences, name string) (refs []Reference) {
	var symbols []syntax.Symbol
	if m.source != nil {
		symbols = m.AllSymbols()
	} else {
		c, err := m.View.Content(m.Doc)
		if err != nil {
			l.err = cmp.Or(l.err, err)
			return nil
		}
		if symbols = c.Symbols; c.Row.Hash != o.Hash {
			symbols = shards.ParseOrNothing(o.Language, o.Text).Symbols
		}
	}
	for _, s := range o.spans {
		ref := referenceIn(o.CurrentText, syntax.Ref{Name: name, Start: s.Start, End: s.End, Line: s.Line})
		if in := innermost(symbols, s.Start); in >= 0 {
			ref.From, ref.FromLine = symbols[in].Canon, symbols[in].StartLine
		}
		refs = append(refs, ref)
	}
	return refs
}

// referencing returns the modules with a reference to name.
func (l *loader) referencing(name string) []*Module {
	modules := l.having(termsOf(name))
	if !l.spendBudget(modules) {
		return nil
	}
	modules = slices.DeleteFunc(modules, func(m *Module) bool { return !m.mentions(name) })
	for _, m := range modules {
		l.load(m)
	}
	return modules
}

// mentions reports whether a module has a name among its references and imports.
func (m *Module) mentions(name string) bool {
	if m.refs == nil && !records.MayHaveName(m.View.References(m.Doc), name) {
		return false
	}
	return m.references().Number(name) > 0
}

// mentioning returns the loaded module of a place if it refers to name, else nil. Most places have no module
// yet, and don't get one.
func (l *loader) mentioning(p modulePlace, name string) *Module {
	if len(l.overlaid) == 0 && p.view.Buffer == nil && !records.MayHaveName(p.view.References(p.doc), name) {
		return nil
	}
	m := l.moduleOf(p)
	if !m.mentions(name) {
		return nil
	}
	l.load(m)
	return m
}

// termsOf returns the terms that every file with a reference to name has.
func termsOf(name string) (terms []string) {
	postings.Words([]byte(name), func(_ int, word []byte) { terms = append(terms, postings.Terms(string(word))...) })
	return terms
}

// having returns the modules that have all of the terms. Most are not loaded yet.
func (l *loader) having(terms []string) (modules []*Module) {
	for _, p := range l.placesHaving(terms) {
		modules = append(modules, l.moduleOf(p))
	}
	return modules
}

// modulePlace is where a module's content is. Resolvers of one call have the same places.
type modulePlace struct {
	view *shards.View // nil for an overlaid module
	doc  int          // its number in the view, or else in loader.overlaid
}

// placesHaving returns the places of the modules that have all of the terms, and of all overlaid ones.
func (l *loader) placesHaving(terms []string) (places []modulePlace) {
	for _, v := range l.views {
		for _, doc := range v.Having(terms) {
			if v.Serves(doc) {
				places = append(places, modulePlace{v, doc})
			}
		}
	}
	return append(places, l.overlaidBeside(places)...)
}

// overlaidBeside returns the places of the overlaid modules whose files are not at any of the places.
func (l *loader) overlaidBeside(places []modulePlace) (others []modulePlace) {
	for i, m := range l.overlaid {
		if !slices.ContainsFunc(places,
			func(p modulePlace) bool { return p.view.Shard == m.Shard && p.view.Rel(p.doc) == m.Rel }) {
			others = append(others, modulePlace{doc: i})
		}
	}
	return others
}

func (l *loader) moduleOf(p modulePlace) *Module {
	if p.view == nil {
		return l.overlaid[p.doc]
	}
	return l.document(p.view, p.doc)
}

// reference describes a reference in the module's current text. A stored one has no line.
func (m *Module) reference(src *shards.CurrentText, lines *records.LineCounter, r syntax.Ref) Reference {
	if r.Line == 0 {
		r.Line = lines.LineOf(r.Start)
	}
	ref := referenceIn(src, r)
	if 0 <= r.From && r.From < m.table().Count() {
		ref.From, ref.FromLine = m.table().Address(r.From), m.table().Line(r.From)
	}
	return ref
}

// referenceIn describes a reference in a text, without the enclosing symbol.
func referenceIn(src *shards.CurrentText, r syntax.Ref) Reference {
	return Reference{
		Path: src.Path, Rel: src.Rel, Kind: r.Kind, Line: r.Line, StartByte: r.Start, EndByte: r.End,
		FileHash: src.Hash, LineText: src.Line(r.Start),
	}
}

// innermost returns the last symbol that contains an offset, or -1.
func innermost(symbols []syntax.Symbol, at int) int {
	in := -1
	for i, s := range symbols {
		if s.Start <= at && at < s.End {
			in = i
		}
	}
	return in
}
