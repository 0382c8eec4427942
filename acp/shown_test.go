package acp_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/acp"
	"ploke-lsp/edits"
	"ploke-lsp/project"
)

func TestSplitURI(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]struct {
		name  string
		lines *project.Lines
		file  bool
	}{
		"file:///a%20b.go":            {"file:///a%20b.go", nil, true},
		"file:///a.go#L5":             {"file:///a.go", &project.Lines{First: 5, Last: 5}, true},
		"file:///a.go?symbol=F#L5:10": {"file:///a.go", &project.Lines{First: 5, Last: 10}, true},
		"file:///a.go#L5-L10":         {"file:///a.go", &project.Lines{First: 5, Last: 10}, true},
		"file:///a.go#L5-10":          {"file:///a.go", &project.Lines{First: 5, Last: 10}, true},
		"file:///a.go#intro":          {"file:///a.go", nil, true},
		"https://example.com/a#L5":    {"https://example.com/a#L5", nil, false},
		"%":                           {"%", nil, false},
	} {
		name, lines, file := acp.SplitURI(raw)
		if d := cmp.Diff(want.lines, lines); name != want.name || file != want.file || d != "" {
			t.Errorf("%s: %s %v %s", raw, name, file, d)
		}
	}
}

func TestReadPlan(t *testing.T) {
	t.Parallel()
	steps, changes := acp.ReadPlan("no [tasks] here\n", "- [ ] one", "- [ ] one\n", "- [ ] one\n", "- [ ] one\n1. [ ] two\n",
		"- [ ] one\n1. [ ] two\n* [X] one\n")
	if want := []string{"completed: one", "in_progress: two"}; !slices.Equal(steps, want) || changes != 3 {
		t.Errorf("%q after %d changes", steps, changes)
	}
	steps, _ = acp.ReadPlan("- [ ] one\n- [ ] two\n- [~] three\n")
	if want := []string{"pending: one", "pending: two", "in_progress: three"}; !slices.Equal(steps, want) {
		t.Errorf("a model that says where it is: %q", steps)
	}
	var many strings.Builder
	for n := range 100 {
		fmt.Fprintf(&many, "- [ ] step %d\n", n)
	}
	if steps, _ := acp.ReadPlan(many.String()); len(steps) != 50 {
		t.Errorf("%d steps are shown", len(steps))
	}
}

// view returns the view of a text after edits that replace words.
func view(text string, words map[string]string) edits.FileView {
	v := edits.FileView{Path: "/w/a.txt", Rel: "a.txt", Op: edits.OpEdit, Before: text, After: text}
	for word, other := range words {
		at := strings.Index(text, word)
		v.Hunks = append(v.Hunks, edits.Hunk{Edit: edits.Edit{Start: at, End: at + len(word), New: other}})
		v.After = strings.Replace(v.After, word, other, 1)
	}
	slices.SortFunc(v.Hunks, func(a, b edits.Hunk) int { return a.Edit.Start - b.Edit.Start })
	return v
}

func numbered(lines int) string {
	var out strings.Builder
	for n := range lines {
		fmt.Fprintf(&out, "line %06d\n", n)
	}
	return out.String()
}

// TestLargeFilesAreShownInExcerpts has two changes that are near each other, one at each end, and checks that what is
// shown is what the file has.
func TestLargeFilesAreShownInExcerpts(t *testing.T) {
	t.Parallel()
	text := numbered(9000)
	v := view(text, map[string]string{"000000": "zero", "004000": "4k", "004005": "4k\nand five", "008999\n": "end"})
	shown := acp.Diffs([]edits.FileView{v})
	if len(shown) != 3 {
		t.Fatalf("%d diffs are shown", len(shown))
	}
	rebuilt := text
	for _, d := range shown {
		if strings.Count(text, *d.OldText) != 1 || strings.Count(*d.OldText, "\n") > 13 {
			t.Errorf("%q is shown", *d.OldText)
		}
		rebuilt = strings.Replace(rebuilt, *d.OldText, *d.NewText, 1)
	}
	if rebuilt != v.After {
		t.Error("the excerpts do not make the new text")
	}
	if want := "line 003997\nline 003998\nline 003999\nline 4k\nline 004001\nline 004002\nline 004003\nline 004004\nline 4k\nand five\nline " +
		"004006\nline 004007\nline 004008\n"; *shown[1].NewText != want {
		t.Errorf("shown is %q", *shown[1].NewText)
	}
}

func TestDiffsAreBounded(t *testing.T) {
	t.Parallel()
	var views []edits.FileView
	for range 50 {
		views = append(views, view(numbered(1000), map[string]string{"000500": "x"}))
	}
	views = append(views, edits.FileView{Path: "/w/new", Op: edits.OpCreate, After: numbered(100_000)})
	size := 0
	shown := acp.Diffs(views)
	for _, d := range shown {
		if d.NewText != nil {
			size += len(*d.NewText)
		}
		if d.OldText != nil {
			size += len(*d.OldText)
		}
	}
	if last := shown[len(shown)-1]; size > 96<<10 || last.Content == nil || !strings.Contains(*last.Content.Text, "too large to be shown") {
		t.Errorf("%d KB are shown, then %+v", size>>10, last)
	}
}
