package tools

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"

	"ploke-lsp/index"
	"ploke-lsp/internal/secretscan"
	"ploke-lsp/tools/current"
	"ploke-lsp/tools/packing"
	"ploke-lsp/tools/textsearch"
	"ploke-lsp/tools/wording"
)

// A message may name what no symbol is: a text that stands in the code, such as a message or a dunder name, whose
// lines are looked for, and what is yet to be written, where the symbols of the same verb say where and how.

const (
	literalCount   = 2   // that are looked for
	literalBytes   = 4   // of a quoted text, at least
	literalLines   = 4   // of each that are shown
	literalMatches = 500 // that are compared
	literalFiles   = 40  // that are searched
	alikeSymbols   = 6
)

// addUnknown looks for the names that no symbol has, and for quoted texts, and in the best files for symbols that are
// alike.
func addUnknown(ctx context.Context, p *packing.Packer, srcs *current.Files, q contextQuery,
	unknown, best []string) error {
	for _, name := range unknown {
		if err := findAlike(ctx, p, srcs, name, best); err != nil {
			return err
		}
	}
	quoted := slices.DeleteFunc(index.Quoted(q.text), func(text string) bool {
		return len(text) < literalBytes || q.names.Has(text)
	})
	secrets := secretscan.Secrets(q.text)
	texts := slices.DeleteFunc(append(slices.Clone(unknown), quoted...), func(text string) bool {
		return len(secretscan.In(text, secrets)) > 0 // where it stands is not asked
	})
	for _, text := range texts {
		if len(p.Result.Literals) == literalCount {
			break
		}
		if err := addLiteral(ctx, &p.Result, srcs, q.sent, text); err != nil {
			return err
		}
	}
	return nil
}

// addLiteral adds the lines with a text, unless the model has read them.
func addLiteral(ctx context.Context, r *packing.Result, srcs *current.Files, sent []string, text string) error {
	having, err := srcs.Index.Search(ctx, index.Query{Text: text, Limit: contextHits})
	if err != nil {
		return err
	}
	touched, err := srcs.Touched(ctx)
	if err != nil {
		return err
	}
	s, err := textsearch.New(srcs, regexp.QuoteMeta(text), touched)
	if err != nil {
		return err
	}
	all, err := s.Search(ctx, packing.FilesOf(having.Hits, literalFiles), literalMatches)
	if err != nil {
		return err
	}
	found := packing.Literal{Text: text}
	for _, h := range all {
		for _, m := range h.Matches {
			addMatch(&found, m)
		}
	}
	slices.SortStableFunc(found.Lines, func(a, b packing.LiteralLine) int { return cmp.Compare(a.Count, b.Count) })
	shown := min(len(found.Lines), literalLines)
	found.Lines, found.More = found.Lines[:shown], len(found.Lines)-shown
	if shown > 0 && !found.IsIn(srcs.Workspace, sent) {
		r.Literals = append(r.Literals, found)
	}
	return nil
}

func addMatch(l *packing.Literal, m textsearch.Match) {
	text := strings.TrimSpace(m.Text)
	at := slices.IndexFunc(l.Lines, func(line packing.LiteralLine) bool { return line.Text == text })
	if at < 0 {
		at = len(l.Lines)
		l.Lines = append(l.Lines, packing.LiteralLine{File: m.File, Line: m.Line, Text: text, Count: 0})
	}
	l.Lines[at].Count++
}

// findAlike finds the symbols of files whose names have the first word of a name, those with the fewest words first.
func findAlike(ctx context.Context, p *packing.Packer, srcs *current.Files, name string, files []string) error {
	words := index.NameWords(name)
	if len(words) < 2 || len(p.Alike) > 0 {
		return nil
	}
	for _, path := range files {
		src, err := srcs.At(ctx, path)
		switch {
		case err == nil:
			p.Alike = append(p.Alike, alikeIn(src, name, words[0])...)
		case !current.Unavailable(err):
			return err
		}
	}
	return nil
}

// alikeIn returns the symbols of a file that have a word in their names, for a name; none if it is only one.
func alikeIn(s *current.File, name, word string) []packing.LikeNamed {
	found := packing.LikeNamed{Name: name, File: s.Path}
	for _, sym := range s.Syntax().Symbols {
		if packing.Runs(sym.Kind) && slices.Contains(index.NameWords(sym.Name), word) {
			found.Symbols = append(found.Symbols, packing.SymbolPlace{
				ID: wording.PlaceID(s.Path, sym.StartLine, sym.EndLine), Canon: sym.Canon})
		}
	}
	if len(found.Symbols) < 2 {
		return nil
	}
	slices.SortStableFunc(found.Symbols, func(a, b packing.SymbolPlace) int {
		return cmp.Compare(len(index.NameWords(a.Canon)), len(index.NameWords(b.Canon)))
	})
	found.Symbols = found.Symbols[:min(len(found.Symbols), alikeSymbols)]
	return []packing.LikeNamed{found}
}
