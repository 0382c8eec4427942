package history

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// TestTree lists the files of a folder in a commit, as git hashes them, without what is below no folder of it.
func TestTree(t *testing.T) {
	r := newRepository(t)
	r.commit("first", "a.txt", "sub/ü b.txt")
	first := r.git("rev-parse", "HEAD")
	r.commit("second", "a.txt", "sub/later.txt")
	list := func(dir, commit string) (string, map[string]string) {
		files := map[string]string{}
		id, err := Tree(t.Context(), dir, commit, func(path string, blob []byte) { files[path] = string(blob) })
		if err != nil {
			t.Fatal(err)
		}
		return id, files
	}
	id, files := list(r.dir, first[:8])
	if id != first[:40] || len(files) != 2 || len(files["sub/ü b.txt"]) != 20 {
		t.Errorf("commit %s has %v", id, files)
	}
	if id, below := list(filepath.Join(r.dir, "sub"), first[:40]); id != first[:40] ||
		!reflect.DeepEqual(below, map[string]string{"ü b.txt": files["sub/ü b.txt"]}) {
		t.Errorf("commit %s has %v below sub", id, below)
	}
	for _, none := range []string{"0123456789", "--all", "-h"} {
		if id, files := list(r.dir, none); id != "" || len(files) > 0 {
			t.Errorf("%s is commit %s with %v", none, id, files)
		}
	}
	outside := t.TempDir()
	if err := os.Mkdir(filepath.Join(outside, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	if id, files := list(outside, first[:40]); id != "" || len(files) > 0 {
		t.Errorf("a folder without a repository has commit %s with %v", id, files)
	}
}
