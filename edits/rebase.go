package edits

import (
	"bytes"
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"
)

// rebaseConflict is an edit that cannot be rebased.
type rebaseConflict struct {
	index      int // index of the edit
	line       int // line of the current text where it begins to differ, 1-based
	start, end int // byte offsets in the current text: the lines that the edit and the changes concern
}

// rebase turns edits of base into edits of now, a later state of the same text. An edit moves
// with the lines around it. An edit whose lines overlap or touch changed lines is a conflict.
// This is the rule of a three-way merge in git. It is safe for lines that occur several times:
// if one of them was changed, the texts alone do not tell which one, only that it was near.
func rebase(base, now []byte, es []Edit) (moved []Edit, conflicts []rebaseConflict) {
	theirs := udiff.Lines(string(base), string(now))
	delta := 0 // offset in now minus offset in base at the current position
	for i, e := range es {
		start, end := wholeLines(base, e)
		for len(theirs) > 0 && theirs[0].End < start {
			delta += Edit(theirs[0]).shift()
			theirs = theirs[1:]
		}
		if len(theirs) > 0 && theirs[0].Start <= end {
			c := rebaseConflict{index: i, line: lineAt(now, theirs[0].Start+delta)}
			c.start, c.end = conflictingLines(theirs, start, end)
			c.start, c.end = c.start+delta, c.end+delta
			conflicts = append(conflicts, c)
			continue
		}
		moved = append(moved, Edit{Start: e.Start + delta, End: e.End + delta, New: e.New})
	}
	return moved, conflicts
}

// conflictingLines widens a range of lines by the changes that overlap or touch it, the first of which is theirs[0].
// The start is an offset before these changes, the end one after them.
func conflictingLines(theirs []udiff.Edit, start, end int) (int, int) {
	start, shift := min(start, theirs[0].Start), 0
	for _, t := range theirs {
		if t.Start > end {
			break
		}
		end = max(end, t.End)
		shift += Edit(t).shift()
	}
	return start, end + shift
}

// wholeLines returns the byte range of the lines that e changes, with their ends. Inserting a
// complete line between two lines changes neither of them. If e joins lines, the last of them
// is included.
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

// lineAt returns the 1-based line of a byte offset in text.
func lineAt(text []byte, at int) int {
	return 1 + bytes.Count(text[:min(at, len(text))], []byte("\n"))
}

// firstDifference returns the 1-based line of b where a and b begin to differ.
func firstDifference(a, b []byte) int {
	at := 0
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	return lineAt(b, at)
}
