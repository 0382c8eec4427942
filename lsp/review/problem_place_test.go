package review

import (
	"strings"
	"testing"

	"ploke-lsp/edits"
	"ploke-lsp/edits/evidence"
	"ploke-lsp/internal/workspace"
)

// TestRangeOfAProblem shows problems of a proposed text in the text as it is now.
func TestRangeOfAProblem(t *testing.T) {
	const text = "import a\n\nx = größe(1)\ny = b\nz = b" // the proposal makes "import a\nimport b\n\nx = größe(1)\nyy = c\nz = b"
	hunk := func(at int, old, new string) (h edits.PlacedHunk) {
		h.Edit = edits.Edit{Start: at, End: at + len(old), New: new}
		return h
	}
	stale := hunk(0, "import", "IMPORT\n\n\n")
	stale.Stale = true
	f := edits.Placed{File: &workspace.File{Text: []byte(text)}, Hunks: []edits.PlacedHunk{
		stale, hunk(strings.Index(text, "\n\n")+1, "", "import b\n"), hunk(strings.Index(text, "y ="), "y = b", "yy = c"),
	}}
	for _, tt := range []struct {
		problem evidence.Problem
		want    string
	}{
		{evidence.Problem{}, "import a"},
		{evidence.Problem{Line: 4}, "x = größe(1)"},
		{evidence.Problem{Line: 4, Column: 5}, "größe"},
		{evidence.Problem{Line: 4, Column: 12}, "("},
		{evidence.Problem{Line: 4, Column: 5, EndLine: 4, EndColumn: 15}, "größe(1)"},
		{evidence.Problem{Line: 4, Column: 5, EndLine: 5, EndColumn: 4}, "größe(1)\n"}, // what is behind is changed
		{evidence.Problem{Line: 4, Column: 99}, "x = größe(1)"},
		{evidence.Problem{Line: 4, Column: 5, EndLine: 4, EndColumn: 2}, "x = größe(1)"},
		{evidence.Problem{Line: 2, Column: 8}, ""}, // where a line is inserted
		{evidence.Problem{Line: 5, Column: 6}, "y = b"},
		{evidence.Problem{Line: 6, Column: 5}, "b"},
		{evidence.Problem{Line: 6, Column: 5, EndLine: 9, EndColumn: 9}, "b"},
		{evidence.Problem{Line: 99, Column: 1}, "z"},
	} {
		start, end := rangeNow(&f, tt.problem)
		if got := text[start:end]; got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.problem, got, tt.want)
		}
	}
}
