package tools

import (
	"bytes"
	"fmt"
	"strings"

	"ploke-lsp/internal/secretscan"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
)

// sourceText is the text of a file with its symbols. It is not safe for concurrent use.
type sourceText struct {
	*workspace.File
	rel      string       // the path in the form that models read
	language string       // "" if it is unknown
	parsed   *syntax.File // see syntax
}

// syntax returns the file's declarations and references. It is empty if the language is unknown
// or the file cannot be parsed.
func (s *sourceText) syntax() *syntax.File {
	if s.parsed == nil {
		s.parsed = &syntax.File{Language: s.language}
		if s.language != "" {
			if parsed, err := syntax.Parse(s.language, s.Text); err == nil {
				s.parsed = parsed
			}
		}
	}
	return s.parsed
}

// lineCount returns the number of lines. The last one needs no newline.
func (s *sourceText) lineCount() int {
	n := bytes.Count(s.Text, []byte("\n"))
	if len(s.Text) > 0 && s.Text[len(s.Text)-1] != '\n' {
		n++
	}
	return n
}

// lineOf returns the 1-based line of a byte offset.
func (s *sourceText) lineOf(offset int) int {
	return 1 + bytes.Count(s.Text[:offset], []byte("\n"))
}

// lineStart returns the offset at which the line of offset begins. lineEnd returns the offset
// of its newline, or the end of the text.
func (s *sourceText) lineStart(offset int) int {
	return 1 + bytes.LastIndexByte(s.Text[:offset], '\n')
}

func (s *sourceText) lineEnd(offset int) int {
	if n := bytes.IndexByte(s.Text[offset:], '\n'); n >= 0 {
		return offset + n
	}
	return len(s.Text)
}

// lines returns the lines first to last, which must exist.
func (s *sourceText) lines(first, last int) []byte {
	start := 0
	for line := 1; line < first; line++ {
		start = s.lineEnd(start) + 1
	}
	end := start
	for line := first; line <= last; line++ {
		end = min(s.lineEnd(end)+1, len(s.Text))
	}
	return s.Text[start:end]
}

// lineText returns the line of offset without its end. A long line is cut around offset, but
// not within a secret, and a mark is where a part is missing.
func (s *sourceText) lineText(offset int) string {
	const limit, before = 200, 60
	start, end := s.lineStart(offset), s.lineEnd(offset)
	text := string(bytes.TrimRight(s.Text[start:end], "\r"))
	if len(text) > limit {
		from := max(offset-start-before, 0)
		from, to := secretscan.Narrow(text, from, min(from+limit, len(text)), secretscan.OfText(s.Hash, s.Text))
		text = elided(text[:from]) + strings.ToValidUTF8(text[from:to], "") + elided(text[to:])
	}
	return text
}

// shortLines returns lines of the file, those that are longer than limit bytes cut, but not within a secret. A mark
// says how much is missing.
func (s *sourceText) shortLines(text string, limit int) string {
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

// enclosing returns the index of the innermost symbol around offset, or -1.
func (s *sourceText) enclosing(offset int) int {
	innermost := -1
	for i, sym := range s.syntax().Symbols {
		if sym.Start <= offset && offset < sym.End && (innermost < 0 || sym.Start >= s.syntax().Symbols[innermost].Start) {
			innermost = i
		}
	}
	return innermost
}

// canonOf returns the address of a symbol by its index; "" for -1.
func (s *sourceText) canonOf(symbol int) string {
	if symbol < 0 {
		return ""
	}
	return s.syntax().Symbols[symbol].Canon
}

// withoutBlankLines returns the place without line ends around it, and without indentation
// before it.
func (s *sourceText) withoutBlankLines(at span) span {
	text := s.Text[at.start:at.end]
	inner := bytes.TrimLeft(text, " \t\r\n")
	if len(inner) == 0 {
		return at
	}
	at.start += len(text) - len(inner)
	at.end = at.start + len(bytes.TrimRight(inner, " \t\r\n"))
	return at
}

// onlySymbolIn returns the symbol that a place has, with all that is in it.
func (s *sourceText) onlySymbolIn(at span) (only syntax.Symbol, ok bool) {
	for _, sym := range s.syntax().Symbols {
		switch inside := at.start <= sym.Start && sym.End <= at.end && sym.Start < sym.End; {
		case inside && !ok:
			only, ok = sym, true
		case inside && sym.Start >= only.End:
			return only, false
		}
	}
	return only, ok
}

// hasNamesake reports whether an edit of the symbol needs its hash.
func (s *sourceText) hasNamesake(sym syntax.Symbol) bool {
	base := syntax.Plain(sym.Canon)
	return len(s.where(func(other syntax.Symbol) bool { return other.Kind == sym.Kind && syntax.Plain(other.Canon) == base })) > 1
}

// symbolAround returns the innermost symbol that contains a place. A member that is one value of its
// container, such as a field, does not count.
func (s *sourceText) symbolAround(at span) (innermost syntax.Symbol, ok bool) {
	for _, sym := range s.syntax().Symbols {
		inside := sym.Start <= at.start && at.end <= sym.End && at.start < sym.End
		value := sym.Parent >= 0 && gap(sym.Kind) == ""
		if inside && !value && (!ok || sym.Start >= innermost.Start) {
			innermost, ok = sym, true
		}
	}
	return innermost, ok
}
