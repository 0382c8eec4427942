package tools

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"unicode"
	"unicode/utf8"

	"ploke-lsp/index"
	"ploke-lsp/internal/syntax"
)

// mentions finds the places of the workspace that mention a name, in the text
// that the turn sees.
type mentions struct {
	deps  Deps
	env   Env
	srcs  *sources
	items []*item // whose mentions these are
	name  string  // that they have
	want  direction
}

// edges returns the first limit places, by path and offset, and how many more
// there are. The index says which files to look at; in a file that reads
// otherwise than the index knows it, the places are found again.
func (m mentions) edges(ctx context.Context, limit int) (found []edge, omitted int, err error) {
	indexed, err := m.indexed(ctx)
	if err != nil {
		return nil, 0, err
	}
	byFile := make(map[string][]index.Reference)
	touched, err := m.deps.touched(ctx, m.env.Call().RequestID)
	if err != nil {
		return nil, 0, err
	}
	paths := touched
	for _, ref := range indexed {
		if byFile[ref.Path] == nil {
			paths = append(paths, ref.Path)
		}
		byFile[ref.Path] = append(byFile[ref.Path], ref)
	}
	slices.Sort(paths)
	for _, path := range slices.Compact(paths) {
		if len(found) >= limit {
			omitted += len(byFile[path])
			continue
		}
		src, err := m.srcs.at(ctx, path)
		switch {
		case err == nil:
			found = append(found, m.inFile(src, byFile[path])...)
		case !gone(err):
			return nil, 0, err
		}
	}
	return found, omitted, nil
}

func (m mentions) indexed(ctx context.Context) ([]index.Reference, error) {
	if m.want == occurrences {
		return m.deps.Index.Occurrences(ctx, m.name)
	}
	all, err := m.deps.Index.References(ctx, m.name)
	if m.want == callers {
		all = slices.DeleteFunc(all, func(r index.Reference) bool { return r.Kind != syntax.RefCall })
	}
	return all, err
}

// inFile are the mentions in one file; indexed are those that the index knows.
func (m mentions) inFile(src *source, indexed []index.Reference) []edge {
	var found []edge
	switch {
	case len(indexed) > 0 && indexed[0].FileHash == src.Hash:
		for _, r := range indexed {
			found = append(found, src.edge(string(r.Kind), r.From, r.StartByte, r.EndByte))
		}
	case m.want == occurrences:
		found = src.occurrences(m.name)
	default:
		for _, r := range src.syntax().Refs {
			if r.Name == m.name && (m.want == references || r.Kind == syntax.RefCall) {
				found = append(found, src.edge(string(r.Kind), src.canonOf(r.From), r.Start, r.End))
			}
		}
	}
	for i := range found {
		if m.want == occurrences {
			found[i].Kind = "occurrence"
		}
	}
	for _, it := range m.items {
		if m.want == occurrences && it.src == src {
			found = append(found, it.namedInDoc()...)
		}
	}
	slices.SortStableFunc(found, func(a, b edge) int { return cmp.Compare(a.StartByte, b.StartByte) })
	return found
}

// occurrences are the identifiers of the file that read name; none if the file
// is beyond parsing.
func (s *source) occurrences(name string) []edge {
	spans, err := syntax.Occurrences(s.language, s.Text, name)
	if err != nil {
		return nil
	}
	var found []edge
	for _, at := range spans {
		found = append(found, s.edge("", s.canonOf(s.enclosing(at.Start)), at.Start, at.End))
	}
	return found
}

// namedInDoc are the words of the item's doc comment that read its name.
func (it *item) namedInDoc() []edge {
	var found []edge
	for _, sym := range it.src.syntax().Symbols {
		if sym.Start != it.startByte || sym.Canon != it.canon || sym.Kind != it.kind {
			continue
		}
		for _, at := range words(it.src.Text[sym.DocStart:sym.DocEnd], it.name) {
			start := sym.DocStart + at
			found = append(found, it.src.edge("doc", it.src.canonOf(it.src.enclosing(start)), start, start+len(it.name)))
		}
	}
	return found
}

// words are the offsets at which text reads word, and not as part of a longer one.
func words(text []byte, word string) []int {
	var found []int
	for at := 0; ; at += len(word) {
		i := bytes.Index(text[at:], []byte(word))
		if i < 0 {
			return found
		}
		at += i
		before, _ := utf8.DecodeLastRune(text[:at])
		after, _ := utf8.DecodeRune(text[at+len(word):])
		if !inWord(before) && !inWord(after) {
			found = append(found, at)
		}
	}
}

func inWord(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// edge is a place of the file.
func (s *source) edge(kind, from string, start, end int) edge {
	return edge{Kind: kind, File: s.Path, Line: s.lineOf(start), StartByte: start, EndByte: end,
		From: from, FileHash: s.Hash, Text: s.lineText(start)}
}

// enclosing is the index of the innermost symbol around offset, or -1.
func (s *source) enclosing(offset int) int {
	innermost := -1
	for i, sym := range s.syntax().Symbols {
		if sym.Start <= offset && offset < sym.End && (innermost < 0 || sym.Start >= s.syntax().Symbols[innermost].Start) {
			innermost = i
		}
	}
	return innermost
}

// canonOf is the address of a symbol by its index; "" for the file.
func (s *source) canonOf(symbol int) string {
	if symbol < 0 {
		return ""
	}
	return s.syntax().Symbols[symbol].Canon
}
