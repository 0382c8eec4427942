package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestResolve(t *testing.T) {
	outside := tree(t, map[string]string{"secret.txt": "x"})
	dir := tree(t, map[string]string{"a/b.go": "", "with space#.go": ""})
	link := func(target, name string) {
		t.Helper()
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	link("a", "inside")
	link(outside, "out")
	link(filepath.Join(outside, "not-yet"), "dangling")
	link("loop2", "loop1")
	link("loop1", "loop2")
	link("../a/b.go", "a/up.go")
	w := open(t, Options{}, dir)

	tests := []struct {
		name, want string // want is relative to dir, or "" for a path outside
	}{
		{"a/b.go", "a/b.go"},
		{"./a/../a/b.go", "a/b.go"},
		{dir + "/a/b.go", "a/b.go"},
		{"file://" + dir + "/with%20space%23.go", "with space#.go"},
		{"file://localhost" + dir + "/a/b.go", "a/b.go"},
		{"inside/b.go", "a/b.go"},
		{"a/up.go", "a/b.go"},
		{"inside/new/deep.go", "a/new/deep.go"},
		{"not/there/yet.go", "not/there/yet.go"},
		{"a/b.go/below-a-file", "a/b.go/below-a-file"},
		{".", "."},
		{"../x", ""},
		{outside + "/secret.txt", ""},
		{"out/secret.txt", ""},
		{"out", ""},
		{"dangling", ""},
		{"/etc/passwd", ""},
		{dir + "-sibling/x", ""},
	}
	for _, tt := range tests {
		got, err := w.Resolve(tt.name)
		var outsideErr *OutsideError
		switch {
		case tt.want == "" && (!errors.As(err, &outsideErr) || !strings.Contains(err.Error(), dir)):
			t.Errorf("Resolve(%q) = %q, %v; want an OutsideError that names the root", tt.name, got, err)
		case tt.want != "" && (err != nil || got != filepath.Join(dir, tt.want)):
			t.Errorf("Resolve(%q) = %q, %v; want %q", tt.name, got, err, tt.want)
		}
	}
	for _, name := range []string{"", "a\x00b", "loop1/x", "file://elsewhere/x", "file:relative"} {
		if got, err := w.Resolve(name); err == nil {
			t.Errorf("Resolve(%q) = %q; want an error", name, got)
		}
	}
}
