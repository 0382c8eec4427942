package edits

import (
	"bytes"
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"
)

// conflict is an edit that can't be carried over.
type rebaseConflict struct {
	index int // of the edit
	line  int // of the text of now
}

// rebase carries edits of base over to now, a later state of the same text: a
// three-way merge that gives way. An edit moves with the lines around it; one
// whose lines overlap or touch lines that changed is a conflict. Git merges by
// the same rule. It is what makes lines that occur again and again safe: which
// of them somebody changed can't be seen from the texts alone, only that it was
// hereabouts.
func rebase(base, now []byte, es []Edit) (moved []Edit, conflicts []rebaseConflict) {
	theirs := udiff.Lines(string(base), string(now))
	delta := 0 // a place in now less its place in base, here
	for i, e := range es {
		start, end := wholeLines(base, e)
		for len(theirs) > 0 && theirs[0].End < start {
			delta += Edit(theirs[0]).shift()
			theirs = theirs[1:]
		}
		if len(theirs) > 0 && theirs[0].Start <= end {
			conflicts = append(conflicts, rebaseConflict{index: i, line: lineAt(now, theirs[0].Start+delta)})
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
