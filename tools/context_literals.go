package tools

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"ploke-lsp/index"
	"ploke-lsp/internal/secretscan"
	"ploke-lsp/tools/wording"
)

// A message may name what no symbol is: a text that stands in the code, such as a message or a dunder name, whose
// lines are looked for, and what is yet to be written, beside which the symbols of the same verb say where and how.

const (
	literalCount   = 2   // that are looked for
	literalBytes   = 4   // of a quoted text, at least
	literalLines   = 4   // of each that are shown
	literalMatches = 500 // that are compared
	literalFiles   = 40  // that are searched
	alikeSymbols   = 6
)

// literal is a text of a message with different lines that have it, the rarest first.
type literal struct {
	Text  string
	Lines []literalLine
	More  int // different lines that are not shown
}

// literalLine is a line, trimmed, and the first place that has it.
type literalLine struct {
	File  string
	Line  int
	Text  string
	Count int // of its places
}

// likeNamed are the symbols of a file whose names have the verb of a name that no symbol has.
type likeNamed struct {
	Name    string
	File    string
	Symbols []symbolPlace
}

// addUnknown looks for the names that no symbol has, and for quoted texts, and in the best files for symbols that are
// alike.
func (p *packer) addUnknown(ctx context.Context, srcs *sources, q contextQuery, unknown, best []string) error {
	for _, name := range unknown {
		if err := p.findAlike(ctx, srcs, name, best); err != nil {
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
		if len(p.result.Literals) == literalCount {
			break
		}
		if err := p.result.addLiteral(ctx, srcs, q.sent, text); err != nil {
			return err
		}
	}
	return nil
}

// addLiteral adds the lines with a text, unless the model has read them.
func (r *contextResult) addLiteral(ctx context.Context, srcs *sources, sent []string, text string) error {
	having, err := srcs.deps.Index.Search(ctx, index.Query{Text: text, Limit: contextHits})
	if err != nil {
		return err
	}
	touched, err := srcs.deps.touched(ctx, srcs.call)
	if err != nil {
		return err
	}
	s, err := srcs.deps.searcher(automatic{srcs.call}, searchTextArgs{Pattern: regexp.QuoteMeta(text)}, touched)
	if err != nil {
		return err
	}
	all, err := s.files(ctx, filesOf(having.Hits, literalFiles), literalMatches)
	if err != nil {
		return err
	}
	found := literal{Text: text}
	for _, h := range all {
		for _, m := range h.matches {
			found.add(m)
		}
	}
	slices.SortStableFunc(found.Lines, func(a, b literalLine) int { return cmp.Compare(a.Count, b.Count) })
	shown := min(len(found.Lines), literalLines)
	found.Lines, found.More = found.Lines[:shown], len(found.Lines)-shown
	if shown > 0 && !found.isIn(srcs.deps.Workspace, sent) {
		r.Literals = append(r.Literals, found)
	}
	return nil
}

func (l *literal) add(m textMatch) {
	text := strings.TrimSpace(m.Text)
	at := slices.IndexFunc(l.Lines, func(line literalLine) bool { return line.Text == text })
	if at < 0 {
		at = len(l.Lines)
		l.Lines = append(l.Lines, literalLine{m.File, m.Line, text, 0})
	}
	l.Lines[at].Count++
}

// isIn reports whether one of the texts that the model has read shows the lines.
func (l literal) isIn(paths wording.Paths, sent []string) bool {
	w := &wording.Writer{Paths: paths}
	l.write(w)
	return slices.ContainsFunc(sent, func(text string) bool { return strings.Contains(text, w.Out.String()) })
}

// findAlike finds the symbols of files whose names have the first word of a name, those with the fewest words first.
func (p *packer) findAlike(ctx context.Context, srcs *sources, name string, files []string) error {
	words := index.NameWords(name)
	if len(words) < 2 || len(p.alike) > 0 {
		return nil
	}
	for _, path := range files {
		src, err := srcs.at(ctx, path)
		switch {
		case err == nil:
			p.alike = append(p.alike, src.alike(name, words[0])...)
		case !unavailable(err):
			return err
		}
	}
	return nil
}

// alike returns the symbols of the file that have a word in their names, for a name; none if it is only one.
func (s *source) alike(name, word string) []likeNamed {
	found := likeNamed{Name: name, File: s.Path}
	for _, sym := range s.Syntax().Symbols {
		if runs(sym.Kind) && slices.Contains(index.NameWords(sym.Name), word) {
			found.Symbols = append(found.Symbols, symbolPlace{wording.PlaceID(s.Path, sym.StartLine, sym.EndLine), sym.Canon})
		}
	}
	if len(found.Symbols) < 2 {
		return nil
	}
	slices.SortStableFunc(found.Symbols, func(a, b symbolPlace) int {
		return cmp.Compare(len(index.NameWords(a.Canon)), len(index.NameWords(b.Canon)))
	})
	found.Symbols = found.Symbols[:min(len(found.Symbols), alikeSymbols)]
	return []likeNamed{found}
}

// addAlike adds what was found, as far as there is room, and deducts its tokens from limit.
func (p *packer) addAlike(limit *int) {
	for _, a := range p.alike {
		if tokens := p.tokensOf(a.write); tokens <= *limit {
			p.result.Alike = append(p.result.Alike, a)
			*limit -= tokens
		}
	}
}

func (l literal) write(w *wording.Writer) {
	w.Linef("with %s:", wording.JSON(l.Text))
	for _, line := range l.Lines {
		text := fmt.Sprintf("%s:%d: %s", w.Path(line.File), line.Line, line.Text)
		if line.Count > 1 {
			text += fmt.Sprintf(" (%d places)", line.Count)
		}
		w.Line(text)
	}
	if l.More > 0 {
		w.Linef("%d more lines", l.More)
	}
}

func (a likeNamed) write(w *wording.Writer) {
	var all []string
	for _, s := range a.Symbols {
		_, lines, _ := cutPlace(s.ID)
		all = append(all, lines+" "+s.Canon)
	}
	w.Linef("like %s in %s: %s", a.Name, w.Path(a.File), strings.Join(all, ", "))
}
