package placing

import (
	"slices"
	"strings"

	"ploke-lsp/edits"
	"ploke-lsp/tools/wording"
)

// In languages with blocks by indentation, a block must not be empty. Whether an edit empties a
// block is only known when all edits of the call are known.

// fillEmptyBlocks puts a pass statement where edits have deleted everything in a block of
// Python. In Scala, which has no such statement, the edits are refused.
func (f *FileEdits) fillEmptyBlocks() error {
	for i := range f.Edits {
		e := &f.Edits[i]
		if e.Deletes == "" || !f.emptiesBlock(i) {
			continue
		}
		if f.Src.Language == "scala" {
			return InEdit(e.Index,
				&wording.Failure{Message: e.Deletes + " is all that its block contains, and the block can't be empty", Code: "part",
					Field: "at",
					Hint:  "delete the symbol with the block, or use at: replace or mode replace"})
		}
		e.New = newPlacer(f.Src).passStatement(e.Edit)
	}
	return nil
}

// emptiesBlock reports whether a deletion, together with those behind it, leaves nothing but
// comments in a block.
func (f *FileEdits) emptiesBlock(i int) bool {
	s, e := f.Src, f.Edits[i]
	head, next := s.skipBack(e.Start), s.skip(e.End)
	for _, d := range f.Edits[i+1:] {
		if d.Deletes != "" && d.Start <= next && next < d.End {
			next = s.skip(d.End)
		}
	}
	indent := s.indentAt(s.skip(e.Start))
	if head < 0 || !newPlacer(s).opensIndented(head, indent) || f.inserts(head, next, indent) {
		return false
	}
	if s.LineStart(head) == s.LineStart(e.Start) {
		return next == len(s.Text) || strings.Contains(string(s.Text[e.End:next]), "\n")
	}
	return next == len(s.Text) || len(s.indentAt(next)) < len(indent)
}

// opensIndented reports whether the code that ends at head opens a block of this indentation
// below it, or in Python behind it.
func (p placer) opensIndented(head int, indent string) bool {
	switch p.Language {
	case "python":
		return p.Text[head] == ':'
	case "scala":
		return len(p.indentAt(head)) < len(indent) && !strings.ContainsRune("{([,", rune(p.Text[head]))
	}
	return false
}

// inserts reports whether an edit puts code of this indentation between two offsets.
func (f *FileEdits) inserts(from, to int, indent string) bool {
	return slices.ContainsFunc(f.Edits, func(e Placed) bool {
		code := strings.TrimLeft(e.New, "\r\n")
		return from < e.Start && e.Start <= to && strings.TrimSpace(code) != "" && strings.HasPrefix(code, indent)
	})
}

// passStatement returns the replacement of a deleted block, with the white space around it.
func (p placer) passStatement(e edits.Edit) string {
	deleted := string(p.Text[e.Start:e.End])
	return indentOf(deleted) + "pass" + deleted[len(strings.TrimRight(deleted, " \t\r\n")):]
}
