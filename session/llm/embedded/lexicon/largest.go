package lexicon

import (
	"strconv"
	"strings"

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
	return n, FileKinds{sourceFiles.MatchString(message), WithoutTests(message)}
}

// WithoutTests reports whether a message asks for what is not in tests.
func WithoutTests(message string) bool { return withoutTests.MatchString(message) }

// Excluded reports whether a message asks for what is not in a place.
func Excluded(message, place string) bool {
	at := strings.Index(message, place)
	return at >= 0 && excluding.MatchString(message[:at])
}

var excluding = lazyregexp.New(`(?i)(?:\b(?:not|never|aren't|isn't)(?: \w+)? (?:in|inside|within|under|of)|` +
	`\b(?:outside(?: of)?|except|excluding|without|other than))(?: for| in)? (?:the )?` +
	`(?:folder |directory )?["'` + "`" + `]?(?:\./)?$`)

var (
	amountOfFiles = lazyregexp.New(`(?i)\b(\d{1,2}) (?:\w+ )?(?:largest|biggest|longest|files|source|code)\b`)
	sourceFiles   = lazyregexp.New(`(?i)\b(?:source|code|program) ?(?:code )?files?\b`)
	withoutTests  = lazyregexp.New(`(?i)\b(?:without|excluding|except|not counting|ignoring|no|besides|` +
		`(?:apart|aside) from|outside(?: of)?|not (?:in|inside|within)|other than|ohne|au(?:ß|ss)er(?:halb)?)` +
		`(?: the| any| all| die| der| den)? (?:unit )?(?:tests?|specs?)\b`)
)
