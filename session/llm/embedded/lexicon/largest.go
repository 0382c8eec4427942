package lexicon

import (
	"strconv"

	"ploke-lsp/internal/lazyregexp"
)

// FileKinds are the files that a question for the largest ones is about.
type FileKinds struct {
	Source  bool // in a programming language
	NoTests bool
}

// LargestOf returns how many of the largest files a message asks for, 0 if it does not say, and of which kinds.
func LargestOf(message string) (n int, kinds FileKinds) {
	if m := amountOfFiles.FindStringSubmatch(message); m != nil {
		n, _ = strconv.Atoi(m[1])
	}
	return n, FileKinds{sourceFiles.MatchString(message), withoutTests.MatchString(message)}
}

var (
	amountOfFiles = lazyregexp.New(`(?i)\b(\d{1,2}) (?:\w+ )?(?:largest|biggest|longest|files|source|code)\b`)
	sourceFiles   = lazyregexp.New(`(?i)\b(?:source|code|program) ?(?:code )?files?\b`)
	withoutTests  = lazyregexp.New(`(?i)\b(?:without|excluding|except|not counting|ignoring|no|besides|apart from)` +
		`(?: the| any| all)? (?:unit )?(?:tests?|specs?)\b`)
)
