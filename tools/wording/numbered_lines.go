package wording

import (
	"strconv"
	"strings"
)

// A model sees code with line numbers in front, and may copy them. This file has both directions.

// A number stands in front of its line with a width and two spaces. More spaces cost tokens on each
// line.
const (
	NumberWidth = 3 // at least
	AfterNumber = "  "
	LineNumber  = "%*d" + AfterNumber // as a format
)

// Numbered puts a number in front of each line of text, all of one width. first is the number of
// the first line, 1-based. Each line ends in "\n" and is otherwise unchanged.
func Numbered(first int, text string) string {
	text = EndLine(text)
	lines := strings.Count(text, "\n")
	width := max(NumberWidth, len(strconv.Itoa(first+lines-1)))
	var b strings.Builder
	b.Grow(len(text) + lines*(width+len(AfterNumber)))
	for line := range strings.Lines(text) {
		number := strconv.Itoa(first)
		for range width - len(number) {
			b.WriteByte(' ')
		}
		b.WriteString(number)
		b.WriteString(AfterNumber)
		b.WriteString(line)
		first++
	}
	return b.String()
}

// Unnumbered removes the numbers of [Numbered] from text, and returns the number of the first
// line. ok is false, and the text unchanged, unless each line that is not blank has a number, and
// they count up by one. A blank line may have lost its number, and each number the spaces before
// it, or those at the end of its line.
func Unnumbered(text string) (plain string, first int, ok bool) {
	var b strings.Builder
	at := 0 // lines before this one
	for line := range strings.Lines(text) {
		number, rest, numbered := CutNumber(line)
		switch {
		case numbered && !ok:
			first, ok = number-at, true
		case numbered && number == first+at:
		case strings.TrimSpace(line) == "":
			rest = line
		default:
			return text, 0, false
		}
		b.WriteString(rest)
		at++
	}
	if !ok || first < 1 {
		return text, 0, false
	}
	return b.String(), first, true
}

// CutNumber splits a line into its number and the line as it is in the file.
func CutNumber(line string) (number int, rest string, ok bool) {
	trimmed := strings.TrimLeft(line, " ")
	digits := len(trimmed) - len(strings.TrimLeft(trimmed, "0123456789"))
	number, err := strconv.Atoi(trimmed[:digits])
	rest, separated := strings.CutPrefix(trimmed[digits:], "  ")
	if !separated && strings.TrimSpace(rest) == "" { // spaces at the end were lost
		rest, separated = strings.TrimPrefix(rest, " "), true
	}
	return number, rest, err == nil && separated
}
