package tools_test

import (
	"cmp"
	"slices"
	"strings"
)

// The expected results of edits, computed without the code under test.

// change is the expected effect of one edit: new replaces a range of bytes. If it is loose, the
// white space around new is not checked.
type change struct {
	start, end int
	new        string
	loose      bool
}

const space = " \t\r\n"

// reads reports whether got is text with the changes, which do not overlap.
func reads(text, got string, changes []change) bool {
	slices.SortFunc(changes, func(a, b change) int { return cmp.Compare(a.start, b.start) })
	at := 0
	for _, c := range changes {
		kept := text[at:c.start]
		at = c.end
		if c.loose {
			kept = strings.TrimRight(kept, space)
			at = len(text) - len(strings.TrimLeft(text[at:], space))
		}
		rest, found := strings.CutPrefix(got, kept)
		if c.loose {
			rest = strings.TrimLeft(rest, space)
		}
		rest, stands := strings.CutPrefix(rest, c.new)
		if c.loose {
			rest = strings.TrimLeft(rest, space)
		}
		if !found || !stands {
			return false
		}
		got = rest
	}
	return got == text[at:]
}

// allCRLF reports whether all line ends of the text are CRLF. Then new text gets CRLF, too.
func allCRLF(text string) bool {
	n := strings.Count(text, "\n")
	return n > 0 && n == strings.Count(text, "\r\n")
}

// newlineOf returns the line end of new lines in the text.
func newlineOf(text string) string {
	if allCRLF(text) {
		return "\r\n"
	}
	return "\n"
}

// lost returns a line of text that has a unique word and is missing in got.
func lost(text, got string) (line string, is bool) {
	there := make(map[string]bool)
	for line := range strings.Lines(got) {
		there[strings.TrimRight(line, "\r\n")] = true
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\r\n"); strings.Contains(line, "q") && !there[line] {
			return line, true
		}
	}
	return "", false
}

// bothTouched reports whether both ours and theirs lack a line of base. Only unique lines are
// compared.
func bothTouched(base, ours, theirs string) bool {
	for line := range strings.Lines(base) {
		if strings.Count(base, line) == 1 && !strings.Contains(ours, line) && !strings.Contains(theirs, line) {
			return true
		}
	}
	return false
}
