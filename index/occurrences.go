package index

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"ploke-lsp/index/postings"
	"ploke-lsp/index/records"
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
				found[i], err = o.x.occurrences(ctx, m, name)
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
	*source
	spans []syntax.Span
}

// occurrences returns the places of a name in a module's current text, nil if there are
// none.
func (x *Index) occurrences(ctx context.Context, m *module, name string) (*occurrences, error) {
	src := m.source
	if src == nil {
		path := m.shard.path(m.rel)
		f, err := x.ws.Read(ctx, path)
		if err != nil {
			return nil, ctx.Err()
		}
		if !bytes.Contains(f.Text, []byte(name)) {
			return nil, nil
		}
		src = x.newSource(path, syntax.Detect(path, f.Text), f)
	}
	if src.language == "" || !hasWord(src.text, name) {
		return nil, nil
	}
	spans, err := syntax.Occurrences(src.language, src.text, name)
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
func (r *resolver) describe(m *module, o *occurrences, name string) (refs []Reference) {
	var symbols []syntax.Symbol
	if m.source != nil {
		symbols = m.allSymbols()
	} else {
		c, err := m.view.content(m.doc)
		if err != nil {
			r.err = cmp.Or(r.err, err)
			return nil
		}
		if symbols = c.symbols; c.row.hash != o.hash {
			symbols = parseOrNothing(o.language, o.text).Symbols
		}
	}
	for _, s := range o.spans {
		ref := o.reference(syntax.Ref{Name: name, Start: s.Start, End: s.End, Line: s.Line})
		if in := innermost(symbols, s.Start); in >= 0 {
			ref.From, ref.FromLine = symbols[in].Canon, symbols[in].StartLine
		}
		refs = append(refs, ref)
	}
	return refs
}

// referencing returns the modules with a reference to name.
func (r *resolver) referencing(name string) []*module {
	modules := r.having(termsOf(name))
	if !r.spendBudget(modules) {
		return nil
	}
	modules = slices.DeleteFunc(modules, func(m *module) bool { return !m.mentions(name) })
	for _, m := range modules {
		r.load(m)
	}
	return modules
}

// mentions reports whether a module has a name among its references and imports.
func (m *module) mentions(name string) bool {
	if m.refs == nil && !records.MayHaveName(m.view.References(m.doc), name) {
		return false
	}
	return m.references().Number(name) > 0
}

// mentioning returns the loaded module of a place if it refers to name, else nil. Most places have no module
// yet, and don't get one.
func (r *resolver) mentioning(p modulePlace, name string) *module {
	if len(r.overlaid) == 0 && p.view.buffer == nil && !records.MayHaveName(p.view.References(p.doc), name) {
		return nil
	}
	m := r.moduleOf(p)
	if !m.mentions(name) {
		return nil
	}
	r.load(m)
	return m
}

// termsOf returns the terms that every file with a reference to name has.
func termsOf(name string) (terms []string) {
	postings.Words([]byte(name), func(_ int, word []byte) { terms = append(terms, postings.Terms(string(word))...) })
	return terms
}

// having returns the modules that have all of the terms. Most are not loaded yet.
func (r *resolver) having(terms []string) (modules []*module) {
	for _, p := range r.placesHaving(terms) {
		modules = append(modules, r.moduleOf(p))
	}
	return modules
}

// modulePlace is where a module's content is. Resolvers of one call have the same places.
type modulePlace struct {
	view *view // nil for an overlaid module
	doc  int   // its number in the view, or else in resolver.overlaid
}

// placesHaving returns the places of the modules that have all of the terms, and of all overlaid ones.
func (r *resolver) placesHaving(terms []string) (places []modulePlace) {
	for _, v := range r.views {
		for _, doc := range v.having(terms) {
			if v.serves(doc) {
				places = append(places, modulePlace{v, doc})
			}
		}
	}
	return append(places, r.overlaidBeside(places)...)
}

// overlaidBeside returns the places of the overlaid modules whose files are not at any of the places.
func (r *resolver) overlaidBeside(places []modulePlace) (others []modulePlace) {
	for i, m := range r.overlaid {
		if !slices.ContainsFunc(places, func(p modulePlace) bool { return p.view.shard == m.shard && p.view.Rel(p.doc) == m.rel }) {
			others = append(others, modulePlace{doc: i})
		}
	}
	return others
}

// moduleOf returns the module of a place.
func (r *resolver) moduleOf(p modulePlace) *module {
	if p.view == nil {
		return r.overlaid[p.doc]
	}
	return r.document(p.view, p.doc)
}

// having returns the documents that have all of the terms, in ascending order. Without
// terms it returns all documents.
func (v *view) having(terms []string) (docs []int) {
	if len(terms) == 0 {
		for doc := range v.Docs() {
			docs = append(docs, doc)
		}
		return docs
	}
	lists := make([]postings.List, len(terms))
	for i, term := range terms {
		lists[i] = v.Find(term)
	}
	slices.SortFunc(lists, func(a, b postings.List) int { return cmp.Compare(a.Docs, b.Docs) })
next:
	for doc, _, ok := lists[0].Next(); ok; doc, _, ok = lists[0].Next() {
		for i := range lists[1:] {
			if _, ok := lists[1+i].To(doc); !ok {
				continue next
			}
		}
		docs = append(docs, doc)
	}
	return docs
}

// reference describes a reference in the module's current text. A stored one has no line.
func (m *module) reference(src *source, lines *records.LineCounter, r syntax.Ref) Reference {
	if r.Line == 0 {
		r.Line = lines.LineOf(r.Start)
	}
	ref := src.reference(r)
	if 0 <= r.From && r.From < m.table().Count() {
		ref.From, ref.FromLine = m.table().Address(r.From), m.table().Line(r.From)
	}
	return ref
}

// reference describes a reference in the text, without the enclosing symbol.
func (src *source) reference(r syntax.Ref) Reference {
	return Reference{
		Path: src.path, Rel: src.rel, Kind: r.Kind, Line: r.Line, StartByte: r.Start, EndByte: r.End,
		FileHash: src.hash, LineText: src.line(r.Start),
	}
}

// line returns the line at an offset, without surrounding space.
func (src *source) line(at int) string {
	start := bytes.LastIndexByte(src.text[:at], '\n') + 1
	line, _, _ := bytes.Cut(src.text[start:], []byte{'\n'})
	return strings.ToValidUTF8(string(bytes.TrimSpace(line)), "\uFFFD")
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
