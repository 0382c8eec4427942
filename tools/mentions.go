package tools

import (
	"cmp"
	"context"
	"slices"

	"ploke-lsp/index"
	"ploke-lsp/internal/syntax"
)

// mentions finds the places of the workspace that mention a name, in the text
// that the turn sees.
type mentions struct {
	deps Deps
	env  Env
	srcs *sources
	name string
	want direction
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
