package tools_test

import (
	"cmp"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What edits should come to, told without the code that makes them.

// change is what one edit should do to a text: new takes the place of a range of
// bytes. Where it is loose, the white space on both sides of new is not told.
type change struct {
	start, end int
	new        string
	loose      bool
}

const space = " \t\r\n"

// reads reports whether got is text with the changes, which don't overlap.
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

// allCRLF reports whether all line ends of the text are CRLF: then new text gets such
// ends.
func allCRLF(text string) bool {
	n := strings.Count(text, "\n")
	return n > 0 && n == strings.Count(text, "\r\n")
}

// newlineOf returns what a new line of the text ends in.
func newlineOf(text string) string {
	if allCRLF(text) {
		return "\r\n"
	}
	return "\n"
}

// inEndsOf is new text as it comes into the text.
func inEndsOf(text, new string) string {
	if !allCRLF(text) {
		return new
	}
	return strings.ReplaceAll(strings.ReplaceAll(new, "\r\n", "\n"), "\n", "\r\n")
}

// gitMerge is what git merge-file makes of it, and whether without conflicts.
func gitMerge(t testing.TB, base, ours, theirs string) (merged string, clean bool) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"base": base, "ours": ours, "theirs": theirs} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	git := exec.Command("git", "merge-file", "--stdout", "ours", "base", "theirs")
	git.Dir = dir
	out, err := git.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() > 127) {
		t.Fatal(err)
	}
	return string(out), err == nil
}

// lost returns a line that is in text with a word of its own, and not in got.
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

// bothTouched reports whether a line of base is neither in ours nor in theirs. Only
// lines that no other is like tell.
func bothTouched(base, ours, theirs string) bool {
	for line := range strings.Lines(base) {
		if strings.Count(base, line) == 1 && !strings.Contains(ours, line) && !strings.Contains(theirs, line) {
			return true
		}
	}
	return false
}
