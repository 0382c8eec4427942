package placing

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/tools/wording"
)

// A model may have seen only the beginning of a symbol, in a view that was cut, and send this
// beginning as the whole symbol. The code itself shows that: it has the symbol's first lines, and
// ends where nothing of the last ones has come. Or it has a comment for what is left out. The hash
// of the whole symbol, which no cut view shows, proves that the model has seen everything.

const (
	fewestKept     = 5    // lines of the symbol that code has
	keptShare      = 0.5  // of the symbol's lines up to the last of them
	fewestMissing  = 8    // lines behind it
	missingShare   = 0.25 // of the symbol's lines
	mostBehind     = 3    // lines that code has behind it, such as closing braces
	missingLines   = 40   // that a failure shows
	missingBytes   = 3000
	telltaleLength = 8 // bytes of a line that is not there by chance
)

// elision matches a comment that stands for code that a model has left out.
var elision = lazyregexp.New(`(?i)^(?://|#|--|;|/\*|<!--|\(\*)+\s*(?:(?:\.\.\.|…).*\b(?:existing|rest|unchanged|remain\w*|same|omitted|previous)\b|(?:existing|rest|remaining|unchanged|same|omitted)\b.*(?:\.\.\.|…))`)

// checkComplete refuses code that replaces a whole symbol by its beginning, unless the edit has the
// symbol's hash.
func checkComplete(src *SourceFile, sym syntax.Symbol, e Request) error {
	if e.ExpectedHash != "" {
		return nil
	}
	old := foldedText(wording.SplitLines(string(src.Text[sym.Start:sym.End])))
	code := foldedText(wording.SplitLines(e.Code))
	for i, line := range code {
		if elision.MatchString(line) && !slices.Contains(old, line) {
			return &wording.Failure{Message: fmt.Sprintf("line %d of code stands for code that is left out: %s", i+1,
				wording.InLine(line, 100)), Code: "incomplete", Field: "code",
				Hint: "send the complete symbol, or change a part of it with old and new"}
		}
	}
	first, cut := missingEnd(old, code)
	if !cut {
		return nil
	}
	from := sym.StartLine + first
	end, _ := wording.LeadingLines(string(src.Lines(from, min(sym.EndLine, from+missingLines-1))), missingBytes)
	shown := struct {
		Snippet string `json:"snippet"`
		Hash    string `json:"hash"`
	}{wording.Snippet(src.Path, from, end), src.HashOf(sym)}
	return &wording.Failure{Message: fmt.Sprintf("code begins like %s, but has nothing of its last %s, %d to %d",
		sym.Canon, wording.Plural(sym.EndLine-from+1, "line"), from, sym.EndLine),
		Code: "incomplete", Field: "code",
		Hint: "send the complete symbol, or change a part of it with old and new; " +
			"if these lines shall go, send expected_hash " + wording.ShortHash(shown.Hash),
		Candidates: []any{shown}}
}

// missingEnd returns the number of the line from which on code has nothing of old. cut is false if
// code does not look like the beginning of old.
func missingEnd(old, code []string) (first int, cut bool) {
	telltale, has := telltales(old), make(map[string]bool)
	last := 0 // line of code that old has
	for i, line := range code {
		if has[line] = true; telltale[line] {
			last = i
		}
	}
	for i, line := range old {
		if telltale[line] && has[line] {
			first = i + 1
		}
	}
	before, kept, missing := 0, 0, 0
	for i, line := range old {
		switch {
		case !telltale[line]:
		case i >= first:
			missing++
		default:
			before++
			if has[line] {
				kept++
			}
		}
	}
	cut = kept >= fewestKept && float64(kept) >= keptShare*float64(before) &&
		missing >= fewestMissing && float64(missing) >= missingShare*float64(before+missing) &&
		len(code)-last-1 <= mostBehind
	return first, cut
}

// telltales returns the lines that are not in another text by chance.
func telltales(text []string) map[string]bool {
	count := make(map[string]int)
	for _, line := range text {
		count[line]++
	}
	found := make(map[string]bool)
	for line, n := range count {
		found[line] = n == 1 && len(line) >= telltaleLength && strings.ContainsFunc(line, unicode.IsLetter)
	}
	return found
}
