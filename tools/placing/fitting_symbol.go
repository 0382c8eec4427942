package placing

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
func (s *SourceFile) fitting(found []int, e Request) []int {
	if len(found) < 2 || len(found) > maxFitting || e.Code == "" || e.Mode != ModeCanonical {
		return nil
	}
	before := s.Syntax().ProblemCount
	var fit, sameKind []int
	for _, at := range found {
		edit, err := newPlacer(s).placeAt(at, e)
		if err != nil {
			continue
		}
		after := s.parseAs(slices.Concat(s.Text[:edit.Start], []byte(edit.New), s.Text[edit.End:])).Syntax()
		if after.ProblemCount > before {
			continue
		}
		kind, declares := kindIn(after, Span{edit.Start, edit.Start + len(edit.New)})
		switch same := kind == s.Syntax().Symbols[at].Kind; {
		case declares && same:
			sameKind = append(sameKind, at)
		case e.At == AtReplace:
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
func kindIn(file *syntax.File, at Span) (kind syntax.Kind, ok bool) {
	for _, sym := range file.Symbols {
		if at.Start <= sym.Start && sym.Start < at.End {
			return sym.Kind, true
		}
	}
	return "", false
}
