package tools_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/tools"

	"ploke-lsp/internal/workspace"
)

// TestTakingAllBack takes back the only change of a turn.
func TestTakingAllBack(t *testing.T) {
	w := &world{t: t, root: t.TempDir()}
	w.openUnindexed()
	w.call("create_file", `{"file":"new.txt","content":"x"}`)
	result := w.call("delete_file", `{"file":"new.txt"}`)
	if !strings.Contains(string(result.Content), `"status":"withdrawn"`) ||
		!strings.Contains(string(result.Content), "the proposal has no changes left") {
		t.Errorf("%s", result.Content)
	}
	if result = w.call("create_file", `{"file":"new.txt","content":"y"}`); !strings.Contains(string(result.Content), `"status":"staged"`) {
		t.Errorf("going on: %s", result.Content)
	}
}

// TestNamesOnADiskThatIgnoresCase names files in other spellings than the disk, and than the calls
// before.
func TestNamesOnADiskThatIgnoresCase(t *testing.T) {
	w := &world{t: t, root: t.TempDir()}
	workspace.Assume(w.root, workspace.NameRules{Folds: true, Windows: true})
	w.openUnindexed()
	w.write("Src/A.txt", "first\nx\n")
	for _, step := range []struct{ tool, arguments, part string }{
		{"read_file", `{"file":"src/a.TXT"}`, `Src/A.txt`},
		{"read_file", `{"file":"src/a.txt:2"}`, `x`},
		{"read_file", `{"file":"src/nul:2"}`, `device`},
		{"get_file_metadata", `{"file":"src/a.txt:2"}`, `"exists":true`},
		{"get_file_metadata", `{"file":"src/` + strings.Repeat("x", 256) + `"}`, `"code":"bad_value"`},
		{"create_file", `{"file":"src/a.txt","content":"y"}`, `"code":"exists"`},
		{"create_file", `{"file":"src/con.txt","content":"y"}`, `device`},
		{"rename_file", `{"file":"src/a.txt","to":"src/b. "}`, `drops the space`},
		{"rename_file", `{"file":"src/a.txt","to":"src/A.txt"}`, `"code":"no_change"`},
		{"rename_file", `{"file":"SRC/A.TXT","to":"src/a.txt"}`, `"status":"staged"`},
		{"read_file", `{"file":"Src/A.txt"}`, `Src/a.txt`},
		{"create_file", `{"file":"src/New.txt","content":"new"}`, `"status":"staged"`},
		{"create_file", `{"file":"src/new.txt","content":"new"}`, `"code":"exists"`},
		{"read_file", `{"file":"Src/NEW.txt"}`, `Src/New.txt`},
		{"list_dir", `{"dir":"SRC"}`, `New.txt`},
	} {
		result := w.call(step.tool, step.arguments)
		if !strings.Contains(string(result.Content), step.part) {
			t.Errorf("%s %s: %s", step.tool, step.arguments, result.Content)
		}
	}
}

// TestDeletingALinkDeletesTheLink also names what can't be done with a link.
func TestDeletingALinkDeletesTheLink(t *testing.T) {
	w := &world{t: t, root: t.TempDir()}
	w.openUnindexed()
	w.write("real.txt", "x\n")
	if err := os.Symlink("real.txt", w.path("link.txt")); err != nil {
		t.Fatal(err)
	}
	if result := w.call("rename_file", `{"file":"link.txt","to":"b.txt"}`); !strings.Contains(string(result.Content), `"code":"is_link"`) {
		t.Errorf("renaming it: %s", result.Content)
	}
	if result := w.call("delete_file", `{"file":"link.txt"}`); !result.OK ||
		!strings.Contains(string(result.Content), `/link.txt","deleted":true`) {
		t.Errorf("deleting it: %s", result.Content)
	}
	if w.read("real.txt") != "x\n" {
		t.Error("its target is gone")
	}
}

// TestToolsThatStageRunTogether checks that the calls of a response that stage edits can wait
// together, so that they are stored together. Other calls must not take part: they would use more
// of the machine at once.
func TestToolsThatStageRunTogether(t *testing.T) {
	staging := []string{"apply_code_edit", "create_file", "rename_file", "delete_file"}
	for _, tool := range tools.New(tools.Deps{}).All() {
		if got := tool.Class == tools.Staging; got != slices.Contains(staging, tool.Name) {
			t.Errorf("%s: Staging is %v", tool.Name, got)
		}
	}
}
