package placing

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"ploke-lsp/edits"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools/wording"
)

var update = flag.Bool("update", false, "write the list of exceptions")

const exceptionsFile = "testdata/canonical_exceptions.txt"

// For a sample of each language: each symbol is replaced by itself, deleted, and copied next to
// itself under another name, with its comment. A copy of the first member of each container is
// inserted as its first and its last member. Replacing a symbol by itself leaves the text as it
// is, however the code is indented. All other edits must not add syntax errors, remove other
// symbols, or give a symbol the documentation of another one.
//
// Exceptions and refused edits are listed in testdata/canonical_exceptions.txt with their
// reasons (go test ./tools/placing -run Canonical -update writes the list, without the reasons).
func TestCanonicalEditsInEachLanguage(t *testing.T) {
	testbed.Long(t)
	paths, err := filepath.Glob("../../internal/syntax/testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no samples", err)
	}
	var got strings.Builder
	var names []string
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		s := &sample{name: strings.TrimSuffix(filepath.Base(path), ".txtar"),
			placer: newPlacer(sourceOf(archive.Files[0].Name, archive.Files[0].Data))}
		names = append(names, s.name)
		for i := range s.Syntax().Symbols {
			s.replaceByItself(i)
			s.deleteIt(i)
			s.putBesideItself(i)
			s.putInside(i)
		}
		got.WriteString(s.exceptions.String())
	}
	found := strings.FieldsFunc(got.String(), func(r rune) bool { return r == '\n' })
	argued, listed := readExceptions(t)
	if *update {
		writeExceptions(t, argued, listed, found)
		return
	}
	listed = slices.DeleteFunc(listed, func(line string) bool {
		name, _, _ := strings.Cut(line, ":")
		return !slices.Contains(names, name)
	})
	slices.Sort(found)
	slices.Sort(listed)
	if diff := cmp.Diff(listed, found); diff != "" {
		t.Errorf("(-listed +found):\n%s", diff)
	}
	for _, line := range listed {
		if argued[line] == "" {
			t.Errorf("listed without a reason: %s", line)
		}
	}
}

// readExceptions returns the listed exceptions in order, with their reasons: the comment above
// their paragraph.
func readExceptions(t *testing.T) (argued map[string]string, listed []string) {
	text, err := os.ReadFile(exceptionsFile)
	if err != nil {
		t.Fatal(err)
	}
	argued = make(map[string]string)
	for paragraph := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n\n") {
		reason := ""
		for line := range strings.SplitSeq(paragraph, "\n") {
			if comment, ok := strings.CutPrefix(line, "# "); ok {
				reason = comment
				continue
			}
			argued[line] = reason
			listed = append(listed, line)
		}
	}
	return argued, listed
}

// writeExceptions keeps the reasons of exceptions that still exist, and appends new ones
// without a reason.
func writeExceptions(t *testing.T, argued map[string]string, listed, found []string) {
	var text strings.Builder
	reason := ""
	for _, line := range listed {
		if !slices.Contains(found, line) {
			continue
		}
		if argued[line] != reason {
			reason = argued[line]
			fmt.Fprintf(&text, "\n# %s\n", reason)
		}
		text.WriteString(line + "\n")
	}
	text.WriteString("\n")
	for _, line := range found {
		if argued[line] == "" && !slices.Contains(listed, line) {
			text.WriteString(line + "\n")
		}
	}
	if err := os.WriteFile(exceptionsFile, []byte(strings.TrimSpace(text.String())+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

func sourceOf(name string, text []byte) *SourceFile {
	return &SourceFile{File: &workspace.File{Path: "/" + name, Text: text, Hash: workspace.Hash(text)}, Language: syntax.Detect(name, text)}
}

// sample is a text with symbols, and the exceptions for edits of them.
type sample struct {
	placer
	name       string
	exceptions strings.Builder
}

func (s *sample) except(symbol int, what At, format string, args ...any) {
	sym := s.Syntax().Symbols[symbol]
	fmt.Fprintf(&s.exceptions, "%s: %s %s %s: %s\n", s.name, what, sym.Kind, sym.Canon, fmt.Sprintf(format, args...))
}

// edited returns the text after a canonical edit of the symbol, or nil if it is refused.
func (s *sample) edited(symbol int, at At, code string) *SourceFile {
	sym := s.Syntax().Symbols[symbol]
	edit, err := placeCanonical(s.SourceFile, Request{SymbolRequest: SymbolRequest{
		Canon: sym.Canon, Kind: string(sym.Kind), At: at, Code: code, ExpectedHash: s.HashOf(sym)}})
	if err == nil {
		f := FileEdits{Src: s.SourceFile, Edits: []Placed{{Edit: edit}}}
		if at == AtDelete {
			f.Edits[0].Deletes = sym.Canon
		}
		var faults Faults
		operation, _ := f.operation(&faults)
		if err = faults.failure(); err == nil {
			text, _ := edits.Apply(s.Text, operation.Edits)
			return sourceOf(s.Path[1:], text)
		}
	}
	s.except(symbol, at, "%v", err)
	return nil
}

func (s *sample) replaceByItself(i int) {
	sym := s.Syntax().Symbols[i]
	starts := []int{sym.Start}
	if start := s.commentStart(sym); start < sym.Start {
		starts = append(starts, start)
	}
	for _, start := range starts {
		base, code := s.indentAt(start), string(s.Text[start:sym.End])
		for _, form := range []struct{ how, code string }{{"as in the file", base + code}, {"without indentation", strings.ReplaceAll(code, "\n"+base, "\n")}} {
			if after := s.edited(i, AtReplace, form.code); after != nil && string(after.Text) != string(s.Text) {
				s.except(i, AtReplace, "%s it is another text", form.how)
			}
		}
	}
}

// A name that shares its declaration with others is not deleted, since that would delete the
// others, too.
func (s *sample) deleteIt(i int) {
	sym := s.Syntax().Symbols[i]
	if _, shared := s.coDeclared(sym); shared {
		var failure *wording.Failure
		if _, err := s.remove(sym); !errors.As(err, &failure) || failure.Code != "part" {
			s.except(i, AtDelete, "%v", err)
		}
		return
	}
	if after := s.edited(i, AtDelete, ""); after != nil {
		s.compare(i, AtDelete, after, 0, func(other int) bool { return s.apart(i, other) })
	}
}

func (s *sample) putBesideItself(i int) {
	sym := s.Syntax().Symbols[i]
	for _, at := range []At{AtBefore, AtAfter} {
		after := s.edited(i, at, s.copied(sym))
		if after == nil {
			continue
		}
		s.compare(i, at, after, s.problemsIn(sym), func(other int) bool { return s.apart(i, other) || s.inside(i, other) })
		s.expectCopy(i, at, after, sym)
	}
}

func (s *sample) putInside(i int) {
	members := s.inBody(i)
	if len(members) == 0 {
		return
	}
	for _, at := range []At{AtFirst, AtLast} {
		after := s.edited(i, at, s.copied(members[0]))
		if after == nil {
			continue
		}
		s.compare(i, at, after, s.problemsIn(members[0]), func(other int) bool { return s.apart(i, other) || s.inside(i, other) })
		s.expectCopy(i, at, after, members[0])
	}
}

// word matches the names that can be extended.
var word = regexp.MustCompile(`^[\pL\pN_]+$`)

// fixed are keywords that look like names.
var fixed = map[string]bool{
	"this": true, "default": true, "deinit": true, "subscript": true, "style": true, "script": true, "template": true,
}

// copyOf returns the name and the address of a symbol's copy: a new name if possible.
func copyOf(sym syntax.Symbol) (name, canon string) {
	name, canon = sym.Name, syntax.Plain(sym.Canon)
	if word.MatchString(name) && !fixed[name] && sym.Kind != syntax.KindConstructor && sym.Kind != syntax.KindImpl {
		return name + "9", canon + "9"
	}
	return name, canon
}

// copied returns the code of a symbol under the name of its copy, with the comment above it.
func (s *sample) copied(sym syntax.Symbol) string {
	start := s.commentStart(sym)
	code := string(s.Text[start:s.docEnd(sym)])
	if name, _ := copyOf(sym); name != sym.Name {
		code = string(s.Text[start:sym.NameStart]) + name + string(s.Text[sym.NameEnd:s.docEnd(sym)])
	}
	code = strings.ReplaceAll(code, "\n"+s.indentAt(start), "\n")
	if a := s.surroundingsOf(sym); s.docEnd(sym) == sym.End && (a.separator == ";" || s.byteAt(s.skip(sym.End)) == ';') {
		code += ";"
	}
	return code
}

// expectCopy checks that the text after an edit has the copy, with its address and its
// documentation.
func (s *sample) expectCopy(symbol int, at At, after *SourceFile, member syntax.Symbol) {
	_, canon := copyOf(member)
	count := func(src *SourceFile) (n int) {
		for _, sym := range src.Syntax().Symbols {
			if syntax.Plain(sym.Canon) == canon && sym.Kind == member.Kind && sym.Doc(src.Text) == member.Doc(s.Text) {
				n++
			}
		}
		return n
	}
	if count(after) <= count(s.SourceFile) {
		s.except(symbol, at, "%s is not there", canon)
	}
}

// apart and inside compare the place of the other symbol with that of symbol.
func (s *sample) apart(symbol, other int) bool {
	a, b := s.Syntax().Symbols[symbol], s.Syntax().Symbols[other]
	return b.End <= a.Start || a.End <= b.Start
}

func (s *sample) inside(symbol, other int) bool {
	a, b := s.Syntax().Symbols[symbol], s.Syntax().Symbols[other]
	return a.Start <= b.Start && b.End <= a.End && (a.Start < b.Start || b.End < a.End)
}

// problemsIn returns the number of syntax errors in the symbol itself.
func (s *sample) problemsIn(sym syntax.Symbol) (count int) {
	for _, p := range s.Syntax().Problems {
		if sym.Start <= p.Start && p.End <= sym.End {
			count++
		}
	}
	return count
}

// compare checks that the text after an edit has at most that many new syntax errors, and all
// symbols to keep, with their text and documentation.
func (s *sample) compare(symbol int, what At, after *SourceFile, problems int, kept func(other int) bool) {
	if before, now := s.Syntax().ProblemCount+problems, after.Syntax().ProblemCount; now > before {
		s.except(symbol, what, "%d new syntax errors", now-before)
	}
	have := make(map[string][]string)
	for _, sym := range after.Syntax().Symbols {
		have[after.said(sym)] = append(have[after.said(sym)], string(after.Text[sym.Start:sym.End]))
	}
	for i, sym := range s.Syntax().Symbols {
		if !kept(i) {
			continue
		}
		said, old := s.said(sym), strings.TrimPrefix(string(s.Text[sym.Start:sym.End]), "and ")
		at := slices.IndexFunc(have[said], func(text string) bool { return strings.Contains(text, old) })
		if at < 0 {
			s.except(symbol, what, "%s %s is not there any more", sym.Kind, sym.Canon)
			return
		}
		have[said] = slices.Delete(have[said], at, at+1)
	}
}

// said describes a symbol without its text, which may get or change a keyword that it shares
// with others.
func (s *SourceFile) said(sym syntax.Symbol) string {
	return fmt.Sprint(sym.Kind, syntax.Plain(sym.Canon), "\n", sym.Doc(s.Text))
}
