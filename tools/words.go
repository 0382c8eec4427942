package tools

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// oneLine folds white space, and cuts text that is too long for a line.
func oneLine(s string) string { return inLine(s, 200) }

// inLine replaces each run of white space by one space, and cuts the text to limit bytes.
func inLine(s string, limit int) string {
	var line strings.Builder
	for word := range strings.FieldsSeq(s) {
		if line.Len() > limit {
			break
		}
		if line.Len() > 0 {
			line.WriteByte(' ')
		}
		line.WriteString(word)
	}
	return cut(line.String(), limit)
}

// cut shortens s to at most limit bytes. It cuts between words, since a part of a secret is
// not recognized.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	const mark = "…"
	end := strings.LastIndexFunc(s[:max(limit-len(mark), 0)+1], unicode.IsSpace)
	return strings.TrimSpace(s[:max(end, 0)]) + mark
}

// plural returns a number with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// nounOf returns a noun in the form that follows a number.
func nounOf(n int, noun string) string {
	return strings.TrimPrefix(plural(n, noun), fmt.Sprint(n, " "))
}

// isDeceptive reports whether r can make a name look like another one, or controls a terminal.
func isDeceptive(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) || r == utf8.RuneError
}
