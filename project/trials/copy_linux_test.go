package trials_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/internal/sandbox"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/trial"
	"ploke-lsp/project/trials"
)

// TestAFolderWithoutOverlays has commands run on a copy: where the kernel refuses overlays, and where bubblewrap is
// missing.
func TestAFolderWithoutOverlays(t *testing.T) {
	t.Run("refused", func(t *testing.T) { testCopy(t, t.TempDir(), (*trials.Trials).RefuseOverlays) })
	t.Run("no bubblewrap", func(t *testing.T) {
		_, err := sandbox.New(nil)
		testbed.Need(t, "a sandbox", err)
		withoutBubblewrap(t)
		testCopy(t, t.TempDir(), func(*trials.Trials) {})
	})
}

func testCopy(t *testing.T, folder string, prepare func(*trials.Trials)) {
	p := newPlace(t)
	prepare(p.all)
	var err error
	if p.folder, err = filepath.EvalSymlinks(folder); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"a.txt": "as it was\n", "dir/b.txt": "b\n", "node_modules/m/x.js": "x\n", "target/large": strings.Repeat("x", 2<<20), ".git/HEAD": "ref\n",
	} {
		p.write(t, name, text)
	}
	skip := func(folder string) bool { return folder == "node_modules" || folder == "target" }
	c := trials.Command{Turn: "turn", Skip: skip, Texts: []trial.Text{{Path: "dir/b.txt", Data: []byte("proposed\n")}}}
	out, result := p.result(t, c, `cat a.txt dir/b.txt node_modules/m/x.js .git/HEAD; pwd; echo changed > a.txt; mkdir -p target; echo built > target/b
		for f in node_modules/m/x.js node_modules/new .git/HEAD .git/new; do (echo owned > $f) 2>/dev/null && echo "$f was written"; done; true`)
	if want := "as it was\nproposed\nx\nref\n" + p.folder + "\n"; out != want {
		t.Errorf("got %q, want %q", out, want)
	}
	if got := fmt.Sprint(result.Changes); got != "[{a.txt -rwxr-xr-x 8}]" && got != "[{a.txt -rw------- 8}]" {
		t.Errorf("changed: %s", got)
	}
	if text, err := p.all.Read("turn", p.folder, "a.txt", 99); err != nil || string(text) != "changed\n" {
		t.Errorf("a.txt reads %q, %v", text, err)
	}
	p.write(t, "dir/c.txt", "saved\n")
	out, result = p.result(t, c, "cat a.txt target/b dir/c.txt")
	if out != "changed\nbuilt\nsaved\n" || len(result.Changes) != 1 || result.Moved {
		t.Errorf("the next command sees %q, changed: %v, moved: %v", out, result.Changes, result.Moved)
	}
	c.Dir = filepath.Join(p.folder, "dir")
	if out, _ = p.result(t, c, "pwd; cat b.txt; cd ..; pwd"); out != p.folder+"/dir\nproposed\n"+p.folder+"\n" {
		t.Errorf("in another folder: %q", out)
	}
	c.Dir = ""
	p.all.Megabytes = func() int { return 1 }
	c.Skip, c.Folder, c.Args = nil, p.folder, []string{"true"}
	var refused *sandbox.LaunchError
	_, err = p.all.Run(context.Background(), c)
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), "more than the 1 MB that a copy may have") {
		t.Errorf("a copy of two megabytes: %v", err)
	}
	for name, text := range map[string]string{"a.txt": "as it was\n", "dir/b.txt": "b\n", "node_modules/m/x.js": "x\n", ".git/HEAD": "ref\n"} {
		if got, err := os.ReadFile(filepath.Join(p.folder, name)); err != nil || string(got) != text {
			t.Errorf("%s of the folder reads %q, %v", name, got, err)
		}
	}
	if err := p.all.Close(); err != nil {
		t.Error(err)
	}
}

// TestADiskThatFoldsCase is the folder's, not the tree's.
func TestADiskThatFoldsCase(t *testing.T) {
	folder := testbed.FoldingDisk(t)
	p := newPlace(t)
	p.folder = folder
	p.write(t, "a.txt", "as it was\n")
	p.write(t, "dir/B.txt", "b\n")
	c := trials.Command{Turn: "turn", Texts: []trial.Text{{Path: "dir/B.txt", Data: []byte("proposed\n")}}}
	out, result := p.result(t, c, "cat a.txt dir/B.txt; echo changed > a.txt; rm dir/B.txt; echo new > new.txt; cat a.txt")
	var paths []string
	for _, change := range result.Changes {
		paths = append(paths, change.Path)
	}
	if fmt.Sprint(paths) != "[a.txt dir/B.txt new.txt]" || out != "as it was\nproposed\nchanged\n" {
		t.Errorf("changed %v, output %q", paths, out)
	}
	for name, text := range map[string]string{"A.TXT": "as it was\n", "dir/b.txt": "b\n"} {
		if got, err := os.ReadFile(filepath.Join(folder, name)); err != nil || string(got) != text {
			t.Errorf("%s of the folder reads %q, %v", name, got, err)
		}
	}
	if err := p.all.Close(); err != nil {
		t.Error(err)
	}
}
