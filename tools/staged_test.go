package tools_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/tools"
)

// TestTakingAllBack takes back the only change of a turn.
func TestTakingAllBack(t *testing.T) {
	w := &world{t: t, root: t.TempDir()}
	w.openUnindexed()
	w.call("create_file", `{"file":"new.txt","content":"x"}`)
	result := w.call("delete_file", `{"file":"new.txt"}`)
	if !strings.Contains(string(result.Content), `"status":"withdrawn"`) || !strings.Contains(string(result.Content), "the proposal has no changes left") {
		t.Errorf("%s", result.Content)
	}
	if result = w.call("create_file", `{"file":"new.txt","content":"y"}`); !strings.Contains(string(result.Content), `"status":"staged"`) {
		t.Errorf("going on: %s", result.Content)
	}
}

// TestRenamingInCaseAlone uses a link to make two names one file, for disks that distinguish
// a.txt from A.txt. The hint must not suggest to delete one first, as for other names, since
// that would delete both.
func TestRenamingInCaseAlone(t *testing.T) {
	w := &world{t: t, root: t.TempDir()}
	w.openUnindexed()
	w.write("a.txt", "x\n")
	if err := os.Link(w.path("a.txt"), w.path("A.txt")); err != nil && !os.IsExist(err) {
		t.Fatal(err)
	}
	result := w.call("rename_file", `{"file":"a.txt","to":"A.txt"}`)
	if !strings.Contains(string(result.Content), `"code":"same_file"`) || strings.Contains(string(result.Content), "delete") {
		t.Errorf("%s", result.Content)
	}
	if result = w.call("rename_file", `{"file":"a.txt","to":"b.txt"}`); !result.OK {
		t.Errorf("following the hint: %s", result.Content)
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
	if result := w.call("delete_file", `{"file":"link.txt"}`); !result.OK || !strings.Contains(string(result.Content), `/link.txt","deleted":true`) {
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
