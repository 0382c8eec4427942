package placing

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// EndsWithName reports whether a text ends with a name, and not with a longer one.
func EndsWithName(text, name string) bool {
	rest, ok := strings.CutSuffix(text, name)
	last, _ := utf8.DecodeLastRuneInString(rest)
	return ok && last != '_' && !unicode.IsLetter(last) && !unicode.IsDigit(last)
}
