package lexicon

import (
	"regexp"
	"slices"

	"ploke-lsp/internal/lazyregexp"
)

// WordsIn counts a text in a line where no letter, digit or underscore joins it. Such a text may begin or end with
// another character itself.
func WordsIn(line, text string) int {
	return len(regexp.MustCompile(WordPattern(text)).FindAllStringIndex(line, -1))
}

// WordPattern returns the pattern of a text where it is a word.
func WordPattern(text string) string {
	pattern := regexp.QuoteMeta(text)
	if startsWord.MatchString(text) {
		pattern = `\b` + pattern
	}
	if endsWord.MatchString(text) {
		pattern += `\b`
	}
	return pattern
}

var (
	startsWord = lazyregexp.New(`^\w`)
	endsWord   = lazyregexp.New(`\w$`)
)

// WordAround returns the first word of a line that is longer than a text and has it.
func WordAround(line, text string) string {
	for _, word := range regexp.MustCompile(`\w*`+regexp.QuoteMeta(text)+`\w*`).FindAllString(line, -1) {
		if word != text {
			return word
		}
	}
	return ""
}

// OnlyWeak reports whether a message has words about code, but only weak ones.
func OnlyWeak(message string) bool {
	asked := Asked(message)
	return len(asked) > 0 && !slices.ContainsFunc(asked, func(w string) bool { return !Weak[w] })
}
