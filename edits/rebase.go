package edits

import (
	"bytes"
	"fmt"
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"
)

// StaleError says that a file no longer reads as an edit expects it to.
type StaleError struct {
	Path   string // canonical
	Rel    string
	Line   int    // of the text of now where they part; 0 where that is unknown
	Reason string // what is wrong with the file as a whole, if that is it

	undoing bool
}

func (e *StaleError) Error() string {
	switch {
	case e.Reason != "":
		return fmt.Sprintf("%s %s, so that the change does not fit", e.Rel, e.Reason)
	case e.undoing:
		return fmt.Sprintf("%s has changed at line %d, where it would be changed back; do that by hand, or restore the line and try again", e.Rel, e.Line)
	case e.Line == 0:
		return fmt.Sprintf("%s has changed since it was read; read it again and make the edit for what it says now", e.Rel)
	}
	return fmt.Sprintf("%s has changed at line %d, where the edit belongs; the edit has to be made again for what it says now", e.Rel, e.Line)
}

// stale is a StaleError about the file at path.
func (m *Manager) stale(path string) *StaleError { return &StaleError{Path: path, Rel: m.ws.Rel(path)} }

// conflict is an edit that can't be carried over.
type conflict struct {
	index int // of the edit
	line  int // of the text of now
}

// rebase carries edits of base over to now, a later state of the same text: a
// three-way merge that gives way. An edit moves with the lines around it; one
// whose lines overlap or touch lines that changed is a conflict. Git merges by
// the same rule. It is what makes lines that occur again and again safe: which
// of them somebody changed can't be seen from the texts alone, only that it was
// hereabouts.
func rebase(base, now []byte, es []Edit) (moved []Edit, conflicts []conflict) {
	theirs := udiff.Lines(string(base), string(now))
	delta := 0 // a place in now less its place in base, here
	for i, e := range es {
		start, end := wholeLines(base, e)
		for len(theirs) > 0 && theirs[0].End < start {
			delta += Edit(theirs[0]).shift()
			theirs = theirs[1:]
		}
		if len(theirs) > 0 && theirs[0].Start <= end {
			conflicts = append(conflicts, conflict{index: i, line: lineAt(now, theirs[0].Start+delta)})
			continue
		}
		moved = append(moved, Edit{Start: e.Start + delta, End: e.End + delta, New: e.New})
	}
	return moved, conflicts
}

// wholeLines returns the lines that e changes, with their ends. A whole line
// that is inserted between two changes neither; where e joins lines, the last of
// them counts.
func wholeLines(text []byte, e Edit) (start, end int) {
	start, end = e.Start, e.End
	for start > 0 && text[start-1] != '\n' {
		start--
	}
	complete := strings.HasSuffix(e.New, "\n") || e.New == "" && start == e.Start
	if complete && (end == 0 || text[end-1] == '\n') {
		return start, end
	}
	if n := bytes.IndexByte(text[end:], '\n'); n >= 0 {
		return start, end + n + 1
	}
	return start, len(text)
}

// lineAt returns the 1-based line of a place in text.
func lineAt(text []byte, at int) int {
	return 1 + bytes.Count(text[:min(at, len(text))], []byte("\n"))
}

// firstDifference returns the line of b where a and b part.
func firstDifference(a, b []byte) int {
	at := 0
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	return lineAt(b, at)
}
