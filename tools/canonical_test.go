package tools

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"ploke-lsp/edits"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
)

const exceptionsFile = "testdata/canonical_exceptions.txt"

// Every symbol of a sample of each language is replaced by itself, deleted, and put
// beside itself; the first member of every container is put into it as its first and
// its last. What is replaced by itself, however its code is indented, leaves the text
// as it is; nothing else makes the text parse worse or takes another symbol away.
//
// What doesn't hold, or is refused, is listed in testdata/canonical_exceptions.txt
// (go test ./tools -run Canonical -update writes it, a person reads it). Most of it is
// the sample's: a variable that is assigned twice is still one symbol, and what stands
// in broken text can't be told from it.
func TestCanonicalEditsInEachLanguage(t *testing.T) {
	paths, err := filepath.Glob("../internal/syntax/testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no samples", err)
	}
	var got strings.Builder
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		s := &sample{name: strings.TrimSuffix(filepath.Base(path), ".txtar"), source: sourceOf(archive.Files[0].Name, archive.Files[0].Data)}
		for i := range s.syntax().Symbols {
			s.replaceByItself(i)
			s.deleteIt(i)
			s.putBesideItself(i)
			s.putInside(i)
		}
		got.WriteString(s.exceptions.String())
	}
	if f := flag.Lookup("update"); f.Value.String() == "true" {
		if err := os.WriteFile(exceptionsFile, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(exceptionsFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got.String(), "\n")); diff != "" {
		t.Errorf("(-listed +found):\n%s", diff)
	}
}

func sourceOf(name string, text []byte) *source {
	return &source{File: &workspace.File{Path: "/" + name, Text: text, Hash: workspace.Hash(text)}, language: syntax.Detect(name, text)}
}

// sample is a text with symbols, and what does not hold for edits of them.
type sample struct {
	*source
	name       string
	exceptions strings.Builder
}

func (s *sample) except(symbol int, what editPlace, format string, args ...any) {
	sym := s.syntax().Symbols[symbol]
	fmt.Fprintf(&s.exceptions, "%s: %s %s %s: %s\n", s.name, what, sym.Kind, sym.Canon, fmt.Sprintf(format, args...))
}

// edited is the text after a canonical edit of the symbol; nil if it is refused.
func (s *sample) edited(symbol int, at editPlace, code string) *source {
	sym := s.syntax().Symbols[symbol]
	edit, err := placeCanonical(s.source, codeEdit{Canon: sym.Canon, Kind: string(sym.Kind), At: at, Code: code, ExpectedHash: s.hash(sym)})
	if err == nil {
		var text []byte
		if text, err = edits.Apply(s.Text, []edits.Edit{edit}); err == nil {
			return sourceOf(s.Path[1:], text)
		}
	}
	s.except(symbol, at, "%v", err)
	return nil
}

func (s *sample) replaceByItself(i int) {
	sym := s.syntax().Symbols[i]
	starts := []int{sym.Start}
	if start := s.commentStart(sym); start < sym.Start {
		starts = append(starts, start)
	}
	for _, start := range starts {
		base, code := s.indentAt(start), string(s.Text[start:sym.End])
		for _, form := range []struct{ how, code string }{{"as in the file", base + code}, {"without indentation", strings.ReplaceAll(code, "\n"+base, "\n")}} {
			if after := s.edited(i, placeReplace, form.code); after != nil && string(after.Text) != string(s.Text) {
				s.except(i, placeReplace, "%s it is another text", form.how)
			}
		}
	}
}

func (s *sample) deleteIt(i int) {
	if after := s.edited(i, placeDelete, ""); after != nil {
		s.compare(i, placeDelete, after, func(other int) bool { return s.apart(i, other) })
	}
}

func (s *sample) putBesideItself(i int) {
	sym := s.syntax().Symbols[i]
	for _, at := range []editPlace{placeBefore, placeAfter} {
		after := s.edited(i, at, s.alone(sym))
		if after == nil {
			continue
		}
		s.compare(i, at, after, func(other int) bool { return s.apart(i, other) || s.inside(i, other) })
		if after.named(sym) <= s.named(sym) {
			s.except(i, at, "it is not there twice")
		}
	}
}

func (s *sample) putInside(i int) {
	members := s.inBody(i)
	if len(members) == 0 {
		return
	}
	for _, at := range []editPlace{placeFirst, placeLast} {
		after := s.edited(i, at, s.alone(members[0]))
		if after == nil {
			continue
		}
		s.compare(i, at, after, func(other int) bool { return s.apart(i, other) || other != i && s.inside(i, other) })
		if after.named(members[0]) <= s.named(members[0]) {
			s.except(i, at, "%s is not there twice", members[0].Name)
		}
	}
}

// alone is the code of a symbol as one would write it by itself.
func (s *sample) alone(sym syntax.Symbol) string {
	code := strings.ReplaceAll(string(s.Text[sym.Start:sym.End]), "\n"+s.indentAt(sym.Start), "\n")
	if next := s.skip(sym.End); next < len(s.Text) && s.Text[next] == ';' {
		code += ";"
	}
	return code
}

// apart and inside tell where the other symbol lies, seen from symbol.
func (s *sample) apart(symbol, other int) bool {
	a, b := s.syntax().Symbols[symbol], s.syntax().Symbols[other]
	return b.End <= a.Start || a.End <= b.Start
}

func (s *sample) inside(symbol, other int) bool {
	a, b := s.syntax().Symbols[symbol], s.syntax().Symbols[other]
	return a.Start <= b.Start && b.End <= a.End
}

// compare checks that the text after an edit parses no worse, and has all symbols
// that have to be kept, with their text.
func (s *sample) compare(symbol int, what editPlace, after *source, kept func(other int) bool) {
	if before, now := s.syntax().ProblemCount, after.syntax().ProblemCount; now > before {
		s.except(symbol, what, "%d new syntax errors", now-before)
	}
	have := make(map[string]int)
	for _, sym := range after.syntax().Symbols {
		have[after.said(sym)]++
	}
	for i, sym := range s.syntax().Symbols {
		if have[s.said(sym)]--; kept(i) && have[s.said(sym)] < 0 {
			s.except(symbol, what, "%s %s is not there any more", sym.Kind, sym.Canon)
			return
		}
	}
}

func (s *source) said(sym syntax.Symbol) string {
	return fmt.Sprint(sym.Kind, syntax.Plain(sym.Canon), string(s.Text[sym.Start:sym.End]))
}

// named is how many symbols there are of sym's name and kind.
func (s *source) named(sym syntax.Symbol) (count int) {
	for _, other := range s.syntax().Symbols {
		if other.Name == sym.Name && other.Kind == sym.Kind {
			count++
		}
	}
	return count
}
