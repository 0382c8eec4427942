package display

import (
	"fmt"
	"unicode/utf8"
)

// Bounded returns at most about limit bytes of a text: all of it, or its beginning and its end,
// each half as long as the limit, with the number of bytes between. whole reports whether that is
// all of it. No character is cut.
func Bounded(text string, limit int) (shown string, whole bool) {
	if len(text) <= limit {
		return text, true
	}
	start, end := limit/2, len(text)-limit/2
	for start > 0 && !utf8.RuneStart(text[start]) {
		start--
	}
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end++
	}
	return fmt.Sprintf("%s … (%d bytes between are not shown) … %s", text[:start], end-start, text[end:]), false
}
