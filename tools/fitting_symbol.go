package tools

import (
	"slices"

	"ploke-lsp/internal/syntax"
)

// Symbols of different kinds may share an address, such as a field and a method, or a type and its
// impl block in Rust. The code of an edit then tells which of them is meant.

// maxFitting bounds how many symbols the code is tried at.
const maxFitting = 8

// fitting returns those of the symbols at which the edit's code can be placed without a new syntax
// error. If there are several, it returns those of the kind that the code has there.
func (s *sourceText) fitting(found []int, e editRequest) []int {
	if len(found) < 2 || len(found) > maxFitting || e.Code == "" || e.Mode != canonical {
		return nil
	}
	before := s.syntax().ProblemCount
	var fit, sameKind []int
	for _, at := range found {
		edit, err := s.placeAt(at, e)
		if err != nil {
			continue
		}
		after := s.parseAs(slices.Concat(s.Text[:edit.Start], []byte(edit.New), s.Text[edit.End:])).syntax()
		if after.ProblemCount > before {
			continue
		}
		kind, declares := kindIn(after, span{edit.Start, edit.Start + len(edit.New)})
		switch same := kind == s.syntax().Symbols[at].Kind; {
		case declares && same:
			sameKind = append(sameKind, at)
		case e.At == placeReplace:
			continue // the code would replace something else
		}
		fit = append(fit, at)
	}
	if len(fit) > 1 && len(sameKind) > 0 {
		return sameKind
	}
	return fit
}

// kindIn returns the kind of the first symbol that begins in a place.
func kindIn(file *syntax.File, at span) (kind syntax.Kind, ok bool) {
	for _, sym := range file.Symbols {
		if at.start <= sym.Start && sym.Start < at.end {
			return sym.Kind, true
		}
	}
	return "", false
}
