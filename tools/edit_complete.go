package tools

import (
	"fmt"
	"strings"
	"unicode"

	"ploke-lsp/internal/syntax"
)

// A model may have seen only the beginning of a symbol, in a view that was cut, and send this
// beginning as the whole symbol. The code itself shows that: it has the symbol's first lines, and
// nothing of its last ones. The hash of the whole symbol, which no cut view shows, proves that the
// model has seen everything.

const (
	fewestMissing  = 5   // lines at the end of a symbol
	missingShare   = 0.2 // of the symbol's lines
	keptShare      = 0.5 // of the lines before them
	missingLines   = 40  // that a failure shows
	missingBytes   = 3000
	telltaleLength = 8 // bytes of a line that is not there by chance
)

// checkComplete refuses code that replaces a whole symbol by its beginning, unless the edit has the
// symbol's hash.
func checkComplete(src *source, sym syntax.Symbol, e codeEdit) error {
	if e.ExpectedHash != "" {
		return nil
	}
	old := folded(lines(string(src.Text[sym.Start:sym.End])))
	first, cut := missingEnd(old, folded(lines(e.Code)))
	if !cut {
		return nil
	}
	from := sym.StartLine + first
	code, _ := leadingLines(string(src.lines(from, min(sym.EndLine, from+missingLines-1))), missingBytes)
	shown := struct {
		Snippet string `json:"snippet"`
		Hash    string `json:"hash"`
	}{Snippet(src.Path, from, code), src.hash(sym)}
	return &Failure{Message: fmt.Sprintf("code begins like %s, but has nothing of its last %s, %d to %d", sym.Canon, plural(sym.EndLine-from+1, "line"), from, sym.EndLine),
		Code: "incomplete", Field: "code",
		Hint:       "send the complete symbol, or change a part of it with old and new; if these lines shall go, send expected_hash " + shortHash(shown.Hash),
		Candidates: []any{shown}}
}

// missingEnd returns the number of the line from which on code has nothing of old. cut is false if
// that is not enough of old's lines to tell, or if code has not the lines before them.
func missingEnd(old, code []string) (first int, cut bool) {
	has := make(map[string]bool)
	for _, line := range code {
		has[line] = true
	}
	often := make(map[string]int)
	for _, line := range old {
		often[line]++
	}
	telltale := func(line string) bool {
		return len(line) >= telltaleLength && often[line] == 1 && strings.ContainsFunc(line, unicode.IsLetter)
	}
	for i, line := range old {
		if telltale(line) && has[line] {
			first = i + 1
		}
	}
	kept, before, missing := 0, 0, 0
	for i, line := range old {
		switch {
		case !telltale(line):
		case i >= first:
			missing++
		default:
			before++
			if has[line] {
				kept++
			}
		}
	}
	cut = first > 0 && missing >= fewestMissing && float64(missing) >= missingShare*float64(missing+before) &&
		float64(kept) >= keptShare*float64(before)
	return first, cut
}
