package index_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	"ploke-lsp/index"
	"ploke-lsp/index/query"
)

// TestHistory searches for words that only a commit message has.
func TestHistory(t *testing.T) {
	p := open(t, map[string]string{
		"a.go": "package p\n\nfunc A() { frobnicate() }\n",
		"b.go": "package p\n\nfunc B() { frobnicate() }\n",
	})
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", p.root, "-c", "user.name=A", "-c", "user.email=a@b.c"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", cmd, err, out)
		}
	}
	follow := func() {
		t.Helper()
		p.update()
		p.index.Settle()
	}
	first := func(want string) {
		t.Helper()
		hits := p.search("frobnicate for the gizmo")
		if len(hits) == 0 || hits[0] != want {
			t.Errorf("found %q, want %q first", hits, want)
		}
	}
	git("init", "--quiet")
	follow()
	first("a.go A")
	git("add", "b.go")
	git("commit", "--quiet", "--message", "Make the gizmo")
	follow()
	first("b.go B")
	without, err := p.index.Search(t.Context(),
		index.Query{Text: "frobnicate for the gizmo", Without: []query.Channel{query.HistoryChannel, query.RecencyChannel}})
	if err != nil || len(without.Hits) == 0 || without.Hits[0].Canon != "A" {
		t.Errorf("without the history found %v, %v", without, err)
	}
	equal(t, "best hit for words in no message", "b.go B", p.search("frobnicate")[0])
	p.reopen()
	first("b.go B")
	git("add", "a.go")
	git("commit", "--quiet", "--amend", "--message", "Begin")
	follow()
	first("a.go A")
}

// TestHistoryOfARenamedFile searches a folder of a repository for words of the commits
// from before a file was moved into the folder.
func TestHistoryOfARenamedFile(t *testing.T) {
	p := open(t, map[string]string{
		"a.go": "package p\n\nfunc A() { frobnicate() }\n",
		"b.go": "package p\n\nfunc B() { frobnicate() }\n",
	})
	above := filepath.Dir(p.root)
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", above, "-c", "user.name=A", "-c", "user.email=a@b.c"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", cmd, err, out)
		}
	}
	inside := filepath.Join(filepath.Base(p.root), "b.go")
	git("init", "--quiet")
	git("add", inside)
	git("mv", inside, "old.go")
	git("commit", "--quiet", "--message", "Make the gizmo")
	git("mv", "old.go", inside)
	git("commit", "--quiet", "--message", "Move a file")
	git("add", filepath.Join(filepath.Base(p.root), "a.go"))
	git("commit", "--quiet", "--message", "Begin again")
	first := func() {
		t.Helper()
		hits := p.search("frobnicate for the gizmo")
		if len(hits) == 0 || hits[0] != "b.go B" {
			t.Errorf("found %q, want b.go first", hits)
		}
	}
	p.update()
	p.index.Settle()
	first()
	p.reopen()
	first()
}
