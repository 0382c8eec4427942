package tools

import (
	"cmp"
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

// join returns the path of a field in the value at path.
func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// leadingLines returns as many complete lines from the beginning of text as fit in limit bytes,
// and how many bytes are missing.
func leadingLines(text string, limit int) (lines string, missing int) {
	if len(text) <= limit {
		return text, 0
	}
	end := strings.LastIndexByte(text[:limit], '\n') + 1
	return text[:end], len(text) - end
}

// placeID is how results name a range of lines.
func placeID(path string, startLine, endLine int) string {
	return fmt.Sprintf("%s#%d:%d", path, startLine, endLine)
}

// joinNotes adds a note that is not there yet.
func joinNotes(notes, note string) string {
	if notes == "" || strings.Contains(notes, note) {
		return cmp.Or(notes, note)
	}
	return notes + "; " + note
}

// lines splits text into lines. A final newline begins no further line.
func lines(text string) []string {
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// linesInWords returns a range of lines in words.
func linesInWords(first, last int) string {
	if first == last {
		return fmt.Sprintf("line %d", first)
	}
	return fmt.Sprintf("lines %d to %d", first, last)
}
