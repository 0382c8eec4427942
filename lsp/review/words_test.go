package review

import (
	"strings"
	"testing"

	"ploke-lsp/edits"
	"ploke-lsp/internal/workspace"
)

// TestSummary says in one line what a hunk does.
func TestSummary(t *testing.T) {
	const text = "one\ntwo\nthree\n"
	file := &workspace.File{Text: []byte(text)}
	edit := func(old, new string) edits.PlacedHunk {
		start := strings.Index(text, old)
		var h edits.PlacedHunk
		h.Edit = edits.Edit{Start: start, End: start + len(old), New: new}
		return h
	}
	stale, renames := edit("two", "2"), edit("", "")
	stale.Stale, renames.Renames = true, true
	for _, tt := range []struct {
		placed edits.Placed
		hunk   edits.PlacedHunk
		want   string
	}{
		{edits.Placed{File: file}, edit("two", "2"), "2"},
		{edits.Placed{File: file}, edit("two\n", ""), "remove two"},
		{edits.Placed{File: file}, edit("two", "2\n2.1\n2.2"), "2 … (2 more lines)"},
		{edits.Placed{File: file}, edit("two\n", "two\n\n"), "change blank lines"},
		{edits.Placed{File: file}, stale, "no longer fits, because these lines have changed: reject it, or restore the lines"},
		{edits.Placed{File: file, To: "/w/new.go"}, renames, "rename the file to new.go"},
		{edits.Placed{File: file, Reason: "it is gone"}, edit("two", "2"), "no longer fits: it is gone"},
		{edits.Placed{Op: edits.OpCreate}, edit("two", "2"), "create the file"},
		{edits.Placed{File: file, Op: edits.OpDelete}, edit("two", ""), "delete the file"},
	} {
		if got := summary(&tt.placed, tt.hunk); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// TestChangedPart turns texts into others by the smallest edit of whole lines.
func TestChangedPart(t *testing.T) {
	for _, tt := range []struct{ from, to, want string }{
		{"a\nb\nc\n", "a\nB\nc\n", "a\n[b>B]\nc\n"},
		{"a\nbcd\n", "a\nbxd\n", "a\n[bcd>bxd]\n"},
		{"a\n", "a\nb\n", "a\n[>b\n]"},
		{"same", "same", "[same>same]"},
		{"", "new", "[>new]"},
	} {
		e := changedPart(tt.from, tt.to)
		if made := tt.from[:e.Start] + e.New + tt.from[e.End:]; made != tt.to {
			t.Errorf("%q to %q: the edit makes %q", tt.from, tt.to, made)
		}
		if got := tt.from[:e.Start] + "[" + tt.from[e.Start:e.End] + ">" + e.New + "]" + tt.from[e.End:]; got != tt.want {
			t.Errorf("%q to %q: %s, want %s", tt.from, tt.to, got, tt.want)
		}
	}
}
