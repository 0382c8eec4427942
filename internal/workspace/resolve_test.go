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
	uri := func(host, path string) string { // of a folder without special characters
		return "file://" + host + "/" + strings.TrimPrefix(filepath.ToSlash(path), "/")
	}
	checkResolve(t, open(t, Options{}, dir), map[string]string{
		"a/b.go":                             "a/b.go",
		"./a/../a/b.go":                      "a/b.go",
		dir + "/a/b.go":                      "a/b.go",
		uri("", dir) + "/with%20space%23.go": "with space#.go",
		uri("localhost", dir) + "/a/b.go":    "a/b.go",
		"not/there/yet.go":                   "not/there/yet.go",
		"a/b.go/below-a-file":                "a/b.go/below-a-file",
		".":                                  ".",
		"../x":                               "",
		outside + "/secret.txt":              "",
		"/etc/passwd":                        "",
		dir + "-sibling/x":                   "",
	}, "", "a\x00b", "file://elsewhere/x", "file:relative")
}

func TestResolveLinks(t *testing.T) {
	outside := tree(t, map[string]string{"secret.txt": "x"})
	dir := tree(t, map[string]string{"a/b.go": ""})
	for name, target := range map[string]string{"inside": "a", "out": outside, "dangling": filepath.Join(outside, "not-yet"),
		"loop1": "loop2", "loop2": "loop1", "a/up.go": "../a/b.go"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	checkResolve(t, open(t, Options{}, dir), map[string]string{
		"inside/b.go":        "a/b.go",
		"a/up.go":            "a/b.go",
		"inside/new/deep.go": "a/new/deep.go",
		"out/secret.txt":     "",
		"out":                "",
		"dangling":           "",
	}, "loop1/x")
}

// checkResolve resolves names to paths relative to the root, or "" for a path outside, and names that
// are mistakes.
func checkResolve(t *testing.T, w *Workspace, paths map[string]string, mistakes ...string) {
	t.Helper()
	dir := w.Roots()[0]
	for name, want := range paths {
		got, err := w.Resolve(name)
		var outsideErr *OutsideError
		switch {
		case want == "" && (!errors.As(err, &outsideErr) || !strings.Contains(err.Error(), dir)):
			t.Errorf("Resolve(%q) = %q, %v; want an OutsideError that names the root", name, got, err)
		case want != "" && (err != nil || got != filepath.Join(dir, want)):
			t.Errorf("Resolve(%q) = %q, %v; want %q", name, got, err, want)
		}
	}
	for _, name := range mistakes {
		if got, err := w.Resolve(name); err == nil {
			t.Errorf("Resolve(%q) = %q; want an error", name, got)
		}
	}
}
