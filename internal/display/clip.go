package display

import "strings"

// Clip returns the beginning of a text that has more than so many characters, with an ellipsis at its end.
func Clip(text string, characters int) string {
	runes := []rune(text)
	if len(runes) <= characters {
		return text
	}
	return strings.TrimSpace(string(runes[:characters-1])) + "…"
}
