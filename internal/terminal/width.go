package terminal

import (
	"unicode"

	"golang.org/x/text/width"

	"ploke-lsp/internal/display"
)

// Width returns how many columns a text takes, as it is shown: escaped. It has no tabs and no line ends.
func Width(text string) (columns int) {
	for _, r := range display.Escape(text) {
		columns += RuneWidth(r)
	}
	return columns
}

// RuneWidth returns the columns of a character: 2 for the wide ones of East Asia and emoji, 0 for marks on the one
// before.
func RuneWidth(r rune) int {
	if r < 0x300 {
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me) {
		return 0
	}
	if isWide(r) {
		return 2
	}
	return 1
}

func isWide(r rune) bool {
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return true
	}
	return false
}

// Clip returns the beginning of a text that takes more columns, with an ellipsis at its end.
func Clip(text string, columns int) string {
	if Width(text) <= columns {
		return text
	}
	at := 0
	for i, r := range text {
		if at += Width(string(r)); at >= columns {
			return text[:i] + "…"
		}
	}
	return text
}
