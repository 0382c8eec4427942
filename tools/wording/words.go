package wording

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// OneLine folds white space, and cuts text that is too long for a line.
func OneLine(s string) string { return InLine(s, 200) }

// InLine replaces each run of white space by one space, and cuts the text to limit bytes.
func InLine(s string, limit int) string {
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
	return Cut(line.String(), limit)
}

// Cut shortens s to at most limit bytes. It cuts between words, since a part of a secret is
// not recognized.
func Cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	const mark = "…"
	end := strings.LastIndexFunc(s[:max(limit-len(mark), 0)+1], unicode.IsSpace)
	return strings.TrimSpace(s[:max(end, 0)]) + mark
}

// Plural returns a number with its noun.
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// NounOf returns a noun in the form that follows a number.
func NounOf(n int, noun string) string {
	return strings.TrimPrefix(Plural(n, noun), fmt.Sprint(n, " "))
}

// IsDeceptive reports whether r can make a name look like another one, or controls a terminal.
func IsDeceptive(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) || r == utf8.RuneError
}

// FieldPath returns the path of a field in the value at path.
func FieldPath(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// LeadingLines returns as many complete lines from the beginning of text as fit in limit bytes,
// and how many bytes are missing.
func LeadingLines(text string, limit int) (lines string, missing int) {
	if len(text) <= limit {
		return text, 0
	}
	end := strings.LastIndexByte(text[:limit], '\n') + 1
	return text[:end], len(text) - end
}

// PlaceID is how results name a range of lines.
func PlaceID(path string, startLine, endLine int) string {
	return path + "#" + strconv.Itoa(startLine) + ":" + strconv.Itoa(endLine)
}

// JoinNotes adds a note that is not there yet.
func JoinNotes(notes, note string) string {
	if notes == "" || strings.Contains(notes, note) {
		return cmp.Or(notes, note)
	}
	return notes + "; " + note
}

// SplitLines splits text into lines. A final newline begins no further line.
func SplitLines(text string) []string {
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// LinesInWords returns a range of lines in words.
func LinesInWords(first, last int) string {
	if first == last {
		return fmt.Sprintf("line %d", first)
	}
	return fmt.Sprintf("lines %d to %d", first, last)
}
