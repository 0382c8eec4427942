package placing

import (
	"bytes"
	"fmt"
	"strings"

	"ploke-lsp/internal/secretscan"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
)

// SourceFile is the text of a file with its symbols. It is not safe for concurrent use.
type SourceFile struct {
	*workspace.File
	Rel      string       // the path in the form that models read
	Language string       // "" if it is unknown
	parsed   *syntax.File // see syntax
}

// Syntax returns the file's declarations and references. It is empty if the language is unknown
// or the file cannot be parsed.
func (s *SourceFile) Syntax() *syntax.File {
	if s.parsed == nil {
		s.parsed = &syntax.File{Language: s.Language}
		if s.Language != "" {
			if parsed, err := syntax.Parse(s.Language, s.Text); err == nil {
				s.parsed = parsed
			}
		}
	}
	return s.parsed
}

// LineCount returns the number of lines. The last one needs no newline.
func (s *SourceFile) LineCount() int {
	n := bytes.Count(s.Text, []byte("\n"))
	if len(s.Text) > 0 && s.Text[len(s.Text)-1] != '\n' {
		n++
	}
	return n
}

// LineOf returns the 1-based line of a byte offset.
func (s *SourceFile) LineOf(offset int) int {
	return 1 + bytes.Count(s.Text[:offset], []byte("\n"))
}

// LineStart returns the offset at which the line of offset begins.
func (s *SourceFile) LineStart(offset int) int {
	return 1 + bytes.LastIndexByte(s.Text[:offset], '\n')
}

// LineEnd returns the offset of the newline behind offset, or the end of the text.
func (s *SourceFile) LineEnd(offset int) int {
	if n := bytes.IndexByte(s.Text[offset:], '\n'); n >= 0 {
		return offset + n
	}
	return len(s.Text)
}

// Lines returns the lines first to last, which must exist.
func (s *SourceFile) Lines(first, last int) []byte {
	start := 0
	for line := 1; line < first; line++ {
		start = s.LineEnd(start) + 1
	}
	end := start
	for line := first; line <= last; line++ {
		end = min(s.LineEnd(end)+1, len(s.Text))
	}
	return s.Text[start:end]
}

// LineText returns the line of offset without its end. A long line is cut around offset, but
// not within a secret, and a mark is where a part is missing.
func (s *SourceFile) LineText(offset int) string {
	const limit, before = 200, 60
	start, end := s.LineStart(offset), s.LineEnd(offset)
	text := string(bytes.TrimRight(s.Text[start:end], "\r"))
	if len(text) > limit {
		from := max(offset-start-before, 0)
		from, to := secretscan.Narrow(text, from, min(from+limit, len(text)), secretscan.OfText(s.Hash, s.Text))
		text = elided(text[:from]) + strings.ToValidUTF8(text[from:to], "") + elided(text[to:])
	}
	return text
}

// ShortLines returns lines of the file, those that are longer than limit bytes cut, but not within a secret. A mark
// says how much is missing.
func (s *SourceFile) ShortLines(text string, limit int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if bare := strings.TrimRight(line, "\r\n"); len(bare) > limit {
			_, to := secretscan.Narrow(bare, 0, limit, secretscan.OfText(s.Hash, s.Text))
			shown := strings.ToValidUTF8(bare[:to], "")
			line = fmt.Sprintf("%s …[%d more bytes]%s", shown, len(bare)-len(shown), line[len(bare):])
		}
		b.WriteString(line)
	}
	return b.String()
}

// elided returns the mark of a part that is left out, if there is one.
func elided(part string) string {
	if part == "" {
		return ""
	}
	return "…"
}

// Enclosing returns the index of the innermost symbol around offset, or -1.
func (s *SourceFile) Enclosing(offset int) int {
	innermost := -1
	for i, sym := range s.Syntax().Symbols {
		if sym.Start <= offset && offset < sym.End && (innermost < 0 || sym.Start >= s.Syntax().Symbols[innermost].Start) {
			innermost = i
		}
	}
	return innermost
}

// CanonOf returns the address of a symbol by its index; "" for -1.
func (s *SourceFile) CanonOf(symbol int) string {
	if symbol < 0 {
		return ""
	}
	return s.Syntax().Symbols[symbol].Canon
}

// WithoutBlankLines returns the place without line ends around it, and without indentation
// before it.
func (s *SourceFile) WithoutBlankLines(at Span) Span {
	text := s.Text[at.Start:at.End]
	inner := bytes.TrimLeft(text, " \t\r\n")
	if len(inner) == 0 {
		return at
	}
	at.Start += len(text) - len(inner)
	at.End = at.Start + len(bytes.TrimRight(inner, " \t\r\n"))
	return at
}

// OnlySymbolIn returns the symbol that a place has, with all that is in it.
func (s *SourceFile) OnlySymbolIn(at Span) (only syntax.Symbol, ok bool) {
	for _, sym := range s.Syntax().Symbols {
		switch inside := at.Start <= sym.Start && sym.End <= at.End && sym.Start < sym.End; {
		case inside && !ok:
			only, ok = sym, true
		case inside && sym.Start >= only.End:
			return only, false
		}
	}
	return only, ok
}

// HasNamesake reports whether an edit of the symbol needs its hash.
func (s *SourceFile) HasNamesake(sym syntax.Symbol) bool {
	base := syntax.Plain(sym.Canon)
	return len(s.Where(func(other syntax.Symbol) bool {
		return other.Kind == sym.Kind &&
			syntax.Plain(other.Canon) == base
	})) > 1
}

// SymbolAround returns the innermost symbol that contains a place. A member that is one value of its
// container, such as a field, does not count.
func (s *SourceFile) SymbolAround(at Span) (innermost syntax.Symbol, ok bool) {
	for _, sym := range s.Syntax().Symbols {
		inside := sym.Start <= at.Start && at.End <= sym.End && at.Start < sym.End
		value := sym.Parent >= 0 && gap(sym.Kind) == ""
		if inside && !value && (!ok || sym.Start >= innermost.Start) {
			innermost, ok = sym, true
		}
	}
	return innermost, ok
}
