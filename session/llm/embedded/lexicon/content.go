package lexicon

import "ploke-lsp/internal/lazyregexp"

// IsContent reports whether a text is what a file shall hold rather than a description of it: of a program, if it has
// the marks of code, and of a file for people, if it does not begin as descriptions do.
func IsContent(file, text string) bool {
	if forPeople.MatchString(file) {
		return !describing.MatchString(text)
	}
	return codeMarks.MatchString(text)
}

// codeMarks are in most lines of a program, and in hardly any description of one.
var codeMarks = lazyregexp.New(`[=(){};<>#]|^//|^(?:package|import|use|module|class|def|fn|func|export) `)

var (
	forPeople  = lazyregexp.New(`(?i)\.(?:txt|md|rst|adoc)$`)
	describing = lazyregexp.New(`(?i)^(?:an?|the|some|all|any|every|each|my|our|your|its|it|nothing|instructions` +
		`|information|` +
		`documentation|docs|details|notes|examples?|code|text|contents?|headings?|sections?|tests?|functions?)\b`)
)
