package index

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"ploke-lsp/index/postings"
	"ploke-lsp/internal/syntax"
)

// Reference is a place where a name is mentioned.
type Reference struct {
	Path               string // absolute
	Rel                string
	From               string         // canon of the enclosing symbol, "" for the file
	Kind               syntax.RefKind // "" for an occurrence
	Line               int
	StartByte, EndByte int
	FileHash           string
	LineText           string // without the space around it
}

// References are the recorded calls, type uses, imports and other uses of a name, in
// the order of paths and places.
func (x *Index) References(ctx context.Context, name string) ([]Reference, error) {
	return x.mentions(ctx, name, func(m mentioned) ([]syntax.Ref, error) {
		if m.source.parsed != nil {
			return slices.DeleteFunc(slices.Clone(m.source.parsed.Refs), func(r syntax.Ref) bool { return r.Name != name }), nil
		}
		data, err := m.shard.refsOf(ctx, m.id)
		if err != nil {
			return nil, err
		}
		return slices.Collect(func(yield func(syntax.Ref) bool) {
			for r := range decodeMentions(data).refs() {
				if r.Name == name && !yield(r) {
					return
				}
			}
		}), nil
	})
}

// Occurrences are all identifiers that read exactly name, definitions included, in the
// order of paths and places. Those in comments and strings don't count.
func (x *Index) Occurrences(ctx context.Context, name string) ([]Reference, error) {
	return x.mentions(ctx, name, func(m mentioned) ([]syntax.Ref, error) {
		if m.source.language == "" || !bytes.Contains(m.source.text, []byte(name)) {
			return nil, nil
		}
		spans, err := syntax.Occurrences(m.source.language, m.source.text, name)
		if err != nil {
			return nil, nil // what can't be parsed has no identifiers
		}
		symbols, err := m.symbols(ctx)
		if err != nil {
			return nil, err
		}
		var refs []syntax.Ref
		for _, s := range spans {
			refs = append(refs, syntax.Ref{Name: name, Start: s.Start, End: s.End, Line: s.Line, From: innermost(symbols, s.Start)})
		}
		return refs, nil
	})
}

// mentioned is a file that may mention a name.
type mentioned struct {
	source *source
	shard  *shard
	id     int64 // of its row, where the source has not been parsed
}

// symbols are the file's symbols.
func (m mentioned) symbols(ctx context.Context) ([]syntax.Symbol, error) {
	if m.source.parsed != nil {
		return m.source.parsed.Symbols, nil
	}
	return m.shard.symbolsOf(ctx, m.id, 0, math.MaxInt)
}

// mentions asks in for the places in each file that may mention a name.
func (x *Index) mentions(ctx context.Context, name string, in func(mentioned) ([]syntax.Ref, error)) ([]Reference, error) {
	files, err := x.mentioning(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("looking for mentions of %q: %w", name, err)
	}
	var all []Reference
	for _, m := range files {
		refs, err := in(m)
		if err != nil {
			return nil, fmt.Errorf("looking for mentions of %q in %s: %w", name, m.source.rel, err)
		}
		if len(refs) == 0 {
			continue
		}
		symbols, err := m.symbols(ctx)
		if err != nil {
			return nil, fmt.Errorf("looking for mentions of %q in %s: %w", name, m.source.rel, err)
		}
		for _, r := range refs {
			all = append(all, m.source.reference(r, symbols))
		}
	}
	slices.SortFunc(all, func(a, b Reference) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.StartByte, b.StartByte))
	})
	return all, nil
}

// mentioning are the files that have all terms of a name, with their text of now.
func (x *Index) mentioning(ctx context.Context, name string) (files []mentioned, err error) {
	var terms []string
	postings.Words([]byte(name), func(_ int, word []byte) { terms = append(terms, postings.Terms(string(word))...) })
	src := x.sources()
	err = x.onViews(ctx, func(views []*view) (missed bool, err error) {
		files = nil
		for _, v := range views {
			if v.buffer != nil {
				files = append(files, mentioned{source: &v.buffer.source, shard: v.shard})
				continue
			}
			for _, doc := range v.having(terms) {
				row, ok, err := v.shard.fileByID(ctx, v.Doc(doc).ID)
				if err != nil {
					return false, err
				}
				if !ok {
					missed = true
					continue
				}
				text, err := src.indexed(ctx, v.shard, row)
				if err != nil {
					return false, err
				}
				if text != nil {
					files = append(files, mentioned{source: text, shard: v.shard, id: row.id})
				}
			}
		}
		return missed, nil
	})
	return files, err
}

// having are the visible documents that have all of the terms.
func (v *view) having(terms []string) []int {
	counts := make([]int, v.Docs())
	for _, term := range terms {
		list := v.Find(term)
		for doc, _, ok := list.Next(); ok; doc, _, ok = list.Next() {
			counts[doc]++
		}
	}
	var docs []int
	for doc, n := range counts {
		if n == len(terms) && v.alive[doc] && !v.hidden[v.Rel(doc)] {
			docs = append(docs, doc)
		}
	}
	return docs
}

// reference describes a place in the text.
func (src *source) reference(r syntax.Ref, symbols []syntax.Symbol) Reference {
	ref := Reference{
		Path: src.path, Rel: src.rel, Kind: r.Kind, Line: r.Line, StartByte: r.Start, EndByte: r.End,
		FileHash: src.hash, LineText: src.line(r.Start),
	}
	if r.From >= 0 && r.From < len(symbols) {
		ref.From = symbols[r.From].Canon
	}
	return ref
}

// line is the line at a place, without the space around it.
func (src *source) line(at int) string {
	start := bytes.LastIndexByte(src.text[:at], '\n') + 1
	line, _, _ := bytes.Cut(src.text[start:], []byte{'\n'})
	return strings.ToValidUTF8(string(bytes.TrimSpace(line)), "\uFFFD")
}

// innermost is the last symbol that begins before a place and ends after it, or -1.
func innermost(symbols []syntax.Symbol, at int) int {
	in := -1
	for i, s := range symbols {
		if s.Start <= at && at < s.End {
			in = i
		}
	}
	return in
}
