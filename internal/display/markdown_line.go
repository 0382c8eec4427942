package display

import "strings"

// mayBegin reports whether a block that begins at a column is none of indented code, nor the next line of a paragraph.
func mayBegin(items []int, column int) bool {
	if len(items) > 0 {
		column -= items[len(items)-1]
	}
	return column <= 3
}

// countBeyond returns how many of the items begin beyond a column.
func countBeyond(items []int, column int) int {
	n := 0
	for _, item := range items {
		if item > column {
			n++
		}
	}
	return n
}

// lineStart returns the length of what stands before the text of a line: white space, and the marks of at most some
// quotations. indent is the column of the text behind the last mark.
func lineStart(line string, most int) (n, indent, quotes int) {
	for n < len(line) {
		switch c := line[n]; {
		case c == ' ':
			indent++
		case c == '\t':
			indent += 4 - indent%4
		case c == '>' && indent <= 3 && quotes < most:
			quotes, indent = quotes+1, 0
			if strings.HasPrefix(line[n+1:], " ") {
				n++
			}
		default:
			return n, indent, quotes
		}
		n++
	}
	return n, indent, quotes
}

// listMarker returns the length of the marker of an item, with text, and the white space behind it.
// A number that is not 1 begins no list within a paragraph.
func listMarker(text string, broken bool) (n int, ok bool) {
	for n < len(text) && n < 10 && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	switch {
	case n == len(text), n > 9, n > 0 && text[n] != '.' && text[n] != ')', n > 0 && !broken && text[:n] != "1",
		n == 0 && text[0] != '-' && text[0] != '*' && text[0] != '+':
		return 0, false
	}
	n++
	spaces := len(text[n:]) - len(strings.TrimLeft(text[n:], " "))
	return n + spaces, spaces > 0 && spaces <= 4 && strings.TrimSpace(text[n:]) != ""
}

// mayBecomeMarker reports whether a text may be the beginning of the marker of an item.
func mayBecomeMarker(text string) bool {
	rest := strings.TrimLeft(text, "0123456789")
	return len(text) < 15 &&
		(rest == "" || strings.TrimLeft(strings.TrimLeft(rest[1:], " "), "") == "" && strings.ContainsAny(rest[:1], "-*+.)"))
}

// run returns the first byte of a text, and how often it stands there.
func run(text string) (mark byte, n int) {
	if text == "" {
		return 0, 0
	}
	for n < len(text) && text[n] == text[0] {
		n++
	}
	return text[0], n
}
