package tools

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
func (f *fileEdits) fillEmptyBlocks() error {
	for i := range f.edits {
		e := &f.edits[i]
		if e.deletes == "" || !f.emptiesBlock(i) {
			continue
		}
		if f.src.language == "scala" {
			return inEdit(e.index, &wording.Failure{Message: e.deletes + " is all that its block contains, and the block can't be empty", Code: "part", Field: "at",
				Hint: "delete the symbol with the block, or use at: replace or mode replace"})
		}
		e.New = f.src.passStatement(e.Edit)
	}
	return nil
}

// emptiesBlock reports whether a deletion, together with those behind it, leaves nothing but
// comments in a block.
func (f *fileEdits) emptiesBlock(i int) bool {
	s, e := f.src, f.edits[i]
	head, next := s.skipBack(e.Start), s.skip(e.End)
	for _, d := range f.edits[i+1:] {
		if d.deletes != "" && d.Start <= next && next < d.End {
			next = s.skip(d.End)
		}
	}
	indent := s.indentAt(s.skip(e.Start))
	if head < 0 || !s.opensIndented(head, indent) || f.inserts(head, next, indent) {
		return false
	}
	if s.lineStart(head) == s.lineStart(e.Start) {
		return next == len(s.Text) || strings.Contains(string(s.Text[e.End:next]), "\n")
	}
	return next == len(s.Text) || len(s.indentAt(next)) < len(indent)
}

// opensIndented reports whether the code that ends at head opens a block of this indentation
// below it, or in Python behind it.
func (s *sourceText) opensIndented(head int, indent string) bool {
	switch s.language {
	case "python":
		return s.Text[head] == ':'
	case "scala":
		return len(s.indentAt(head)) < len(indent) && !strings.ContainsRune("{([,", rune(s.Text[head]))
	}
	return false
}

// inserts reports whether an edit puts code of this indentation between two offsets.
func (f *fileEdits) inserts(from, to int, indent string) bool {
	return slices.ContainsFunc(f.edits, func(e placed) bool {
		code := strings.TrimLeft(e.New, "\r\n")
		return from < e.Start && e.Start <= to && strings.TrimSpace(code) != "" && strings.HasPrefix(code, indent)
	})
}

// passStatement returns the replacement of a deleted block, with the white space around it.
func (s *sourceText) passStatement(e edits.Edit) string {
	deleted := string(s.Text[e.Start:e.End])
	return indentOf(deleted) + "pass" + deleted[len(strings.TrimRight(deleted, " \t\r\n")):]
}
