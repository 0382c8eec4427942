package chat

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// ShortTitle returns the beginning of a question's first line.
func ShortTitle(question string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(question), "\n")
	title := []rune(line)
	if len(title) <= maxTitle {
		return line
	}
	return string(title[:maxTitle-1]) + "…"
}

// maxTitle is the length of a turn's title in characters.
const maxTitle = 60

// FirstUpper returns a title with a capital letter.
func FirstUpper(title string) string {
	r, size := utf8.DecodeRuneInString(title)
	return string(unicode.ToUpper(r)) + title[size:]
}
