package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/internal/testbed"
)

func walk(t *testing.T, w *Workspace, root string) []Entry {
	t.Helper()
	var entries []Entry
	if err := w.Walk(t.Context(), root, func(e Entry) error { entries = append(entries, e); return nil }); err != nil {
		t.Fatal(err)
	}
	return entries
}

func rels(entries []Entry) []string {
	var names []string
	for _, e := range entries {
		names = append(names, e.Rel)
	}
	return names
}

func TestWalkReasons(t *testing.T) {
	dir := tree(t, map[string]string{
		"a.go": "package a", "big.txt": strings.Repeat("x", 101), "closed.txt": "x", "locked/x": "",
		".env": "", ".env.local": "", ".env.example": "", ".ENV": "", "id_rsa": "", "id_rsa.pub": "",
		"tls/server.key": "", "tls/CA.PEM": "", "keynote.go": "", "z/z": "",
	})
	for name, mode := range map[string]os.FileMode{"closed.txt": 0, "locked": 0} {
		if err := os.Chmod(filepath.Join(dir, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { os.Chmod(filepath.Join(dir, "locked"), 0o755) })
	testbed.Need(t, "named pipes in folders", testbed.NamedPipe(filepath.Join(dir, "pipe")))
	for name, target := range map[string]string{"link.go": "a.go", "loop": ".", "gone": "nowhere"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	w := open(t, Options{MaxFileBytes: 100}, dir)
	got := make(map[string]Skip)
	var order []string
	for _, e := range walk(t, w, dir) {
		got[e.Rel] = e.Skip
		order = append(order, e.Rel)
		if e.Path != filepath.Join(dir, e.Rel) {
			t.Errorf("Path %q for Rel %q", e.Path, e.Rel)
		}
		if e.Rel == "a.go" && (e.Size != 9 || e.ModTime.IsZero()) {
			t.Errorf("a.go: %+v", e)
		}
	}
	want := map[string]Skip{
		"a.go": "", "big.txt": TooLarge, "closed.txt": Unreadable, "pipe": Unreadable,
		".env": Secret, ".env.local": Secret, ".env.example": "", ".ENV": Secret, "id_rsa": Secret, "id_rsa.pub": "",
		"tls/server.key": Secret, "tls/CA.PEM": Secret, "keynote.go": "", "z/z": "",
		"link.go": Symlink, "loop": Symlink, "gone": Symlink,
		"locked": Unreadable,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("reasons (-want +got):\n%s", diff)
	}
	var again []string
	for _, e := range walk(t, w, dir) {
		again = append(again, e.Rel)
	}
	if diff := cmp.Diff(order, again); diff != "" {
		t.Errorf("two walks differ:\n%s", diff)
	}
	if skip := w.Skipped(filepath.Join(dir, "link.go")); skip != Symlink {
		t.Errorf("Skipped(link.go) = %q", skip)
	}
}

// TestWalkOrder walks more folders than may be read ahead.
func TestWalkOrder(t *testing.T) {
	files := map[string]string{}
	for i := range 3 * maxUnvisited {
		files[fmt.Sprintf("%c/%d/%d.go", 'a'+i%7, i%10, i)] = ""
		files[fmt.Sprintf("%c/%d/%d/x", 'a'+i%7, i%10, i)] = ""
	}
	dir := tree(t, files)
	w := open(t, Options{}, dir)
	want := slices.SortedFunc(maps.Keys(files), func(a, b string) int {
		return slices.Compare(strings.Split(a, "/"), strings.Split(b, "/"))
	})
	if diff := cmp.Diff(want, rels(walk(t, w, dir))); diff != "" {
		t.Errorf("Walk visits (-want +got):\n%s", diff)
	}
	visits := 0
	err := w.Walk(t.Context(), dir, func(Entry) error {
		if visits++; visits == maxUnvisited {
			return fs.SkipAll
		}
		return nil
	})
	if err != fs.SkipAll || visits != maxUnvisited {
		t.Errorf("Walk = %v after %d visits", err, visits)
	}
}

func TestWalkSeesNewRules(t *testing.T) {
	dir := tree(t, map[string]string{"a.log": "", "sub/b.log": ""})
	w := open(t, Options{}, dir)
	if w.Skipped(dir+"/sub/b.log") != "" {
		t.Fatal("nothing is ignored yet")
	}
	write(t, dir+"/sub/.gitignore", "*.log\n")
	if diff := cmp.Diff([]string{"a.log", "sub/.gitignore"}, rels(walk(t, w, dir))); diff != "" {
		t.Error(diff)
	}
	if got := w.Skipped(dir + "/sub/b.log"); got != Ignored {
		t.Errorf("after the walk, Skipped = %q", got)
	}
	if err := os.Remove(dir + "/sub/.gitignore"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a.log", "sub/b.log"}, rels(walk(t, w, dir))); diff != "" {
		t.Error(diff)
	}
}

func TestWalkEnds(t *testing.T) {
	dir := tree(t, map[string]string{"a": "", "b": ""})
	w := open(t, Options{}, dir)
	enough := errors.New("enough")
	visits := 0
	err := w.Walk(t.Context(), dir, func(Entry) error { visits++; return enough })
	if err != enough || visits != 1 {
		t.Errorf("Walk = %v after %d visits", err, visits)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := w.Walk(ctx, dir, func(Entry) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("Walk with a cancelled context: %v", err)
	}
	if err := w.Walk(t.Context(), dir+"/sub", func(Entry) error { return nil }); err == nil {
		t.Error("Walk of a folder that is not a root succeeds")
	}
}

func TestList(t *testing.T) {
	dir := tree(t, map[string]string{"a.go": "", "sub/b.go": "", "sub/deep/c.go": "", ".gitignore": "ignored\n", "ignored/x": "", "sub/.env": ""})
	w := open(t, Options{}, dir)
	list := func(at string, depth int) []string {
		t.Helper()
		entries, err := w.List(t.Context(), at, depth)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, e := range entries {
			name := e.Rel
			if e.Dir {
				name += "/"
			}
			names = append(names, strings.TrimSpace(name+" "+string(e.Skip)))
		}
		return names
	}
	if diff := cmp.Diff([]string{".gitignore", "a.go", "sub/"}, list(".", 1)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"sub/.env secret", "sub/b.go", "sub/deep/", "sub/deep/c.go"}, list("sub", 2)); diff != "" {
		t.Error(diff)
	}
	for _, name := range []string{"ignored", "missing", "a.go", ".."} {
		if entries, err := w.List(t.Context(), name, 1); err == nil {
			t.Errorf("List(%s) = %v", name, entries)
		}
	}
}
