package tools

import (
	"slices"
	"strings"

	"ploke-lsp/edits"
)

// A block that shows by its indentation what it holds has to hold something. Whether
// anything is left of one is seen when all edits of the call are known.

// fillEmptied puts a pass where edits have deleted all that a block of Python held. In
// Scala, which has no such statement, they are refused.
func (f *fileEdits) fillEmptyBlocks() error {
	for i := range f.edits {
		e := &f.edits[i]
		if e.deletes == "" || !f.emptiesBlock(i) {
			continue
		}
		if f.src.language == "scala" {
			return inEdit(e.index, &Failure{Message: e.deletes + " is all that its block holds, which can't be empty", Code: "part", Field: "at",
				Hint: "delete what the block belongs to, or use at: replace or mode replace"})
		}
		e.New = f.src.passStatement(e.Edit)
	}
	return nil
}

// emptied reports whether a deletion, with those behind it, leaves nothing of a block but
// comments.
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

// opensIndented reports whether the code that ends at head has a block below it, with
// this indentation, or in Python behind it.
func (s *source) opensIndented(head int, indent string) bool {
	switch s.language {
	case "python":
		return s.Text[head] == ':'
	case "scala":
		return len(s.indentAt(head)) < len(indent) && !strings.ContainsRune("{([,", rune(s.Text[head]))
	}
	return false
}

// inserts reports whether an edit puts code of this indentation between two places.
func (f *fileEdits) inserts(from, to int, indent string) bool {
	return slices.ContainsFunc(f.edits, func(e placed) bool {
		code := strings.TrimLeft(e.New, "\r\n")
		return from < e.Start && e.Start <= to && strings.TrimSpace(code) != "" && strings.HasPrefix(code, indent)
	})
}

// pass is what stands instead of what an edit deletes, with the white space around it.
func (s *source) passStatement(e edits.Edit) string {
	deleted := string(s.Text[e.Start:e.End])
	return indentOf(deleted) + "pass" + deleted[len(strings.TrimRight(deleted, " \t\r\n")):]
}
