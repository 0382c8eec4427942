package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const canary = "what must not be read"

// hostile returns a workspace with symbolic links to everywhere, and a folder outside it
// that must not be read.
func hostile(t testing.TB) (w *Workspace, dir, outside string) {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir, outside = filepath.Join(base, "work"), filepath.Join(base, "work-outside")
	for path, text := range map[string]string{
		dir + "/a/b.go": "package b", dir + "/c.go": "package c",
		outside + "/c.go": canary, outside + "/b.go": canary, outside + "/a/b.go": canary, base + "/c.go": canary,
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{
		"inside": "a", "up": "..", "out": outside, "file": outside + "/c.go", "dangling": outside + "/new", "round": "round",
		"a/back": "../..", "chain": "inside/back", "home": "/", "proc": "/proc/self/root",
	} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	w, err = New([]string{dir}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return w, dir, outside
}

// FuzzConfinement reads arbitrary names, on a disk that tells names apart and as on one that does
// not. None leads outside the workspace.
func FuzzConfinement(f *testing.F) {
	w, dir, outside := hostile(f)
	Assume(dir, NameRules{Folds: true, Normalizes: true})
	folding, err := New([]string{dir}, Options{})
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range []string{
		"c.go", "a/b.go", "inside/b.go", "../c.go", "a/../../c.go", "up/c.go", "out/c.go", "file", "dangling", "round/x", "chain/c.go",
		"a/back/work-outside/c.go", "home" + outside + "/c.go", "proc" + outside + "/c.go", "/proc/self/root" + outside + "/c.go",
		"/proc/self/cwd/x", outside + "/c.go", dir + "-outside/c.go", dir + "/../c.go", "file://" + outside + "/c.go",
		"file://" + dir + "/%2e%2e/c.go", "file://" + dir + "/%2E./c.go", "file:" + outside, "file://localhost/", "//" + outside,
		"..\\c.go", "inside/../../c.go", "a//..//..//c.go", "./.././c.go", "c.go\x00", "\x00", "~/x", ".", "..", "", "/", "/dev/stdin", "%2e%2e/c.go",
		"OUT/c.go", "FILE", "Up/c.go", "A/B.GO", "cHAIN/c.go", "dangLING",
	} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		for _, name := range []string{name, dir + "/" + name, "file://" + dir + "/" + name} {
			confined(t, w, dir, name)
			confined(t, folding, dir, name)
			if path, err := folding.ResolveNew(name); err == nil && !contains(dir, path) {
				t.Errorf("ResolveNew(%q) = %q", name, path)
			}
		}
	})
}

func confined(t *testing.T, w *Workspace, dir, name string) {
	t.Helper()
	if path, err := w.Resolve(name); err == nil {
		if !contains(dir, path) || filepath.Clean(path) != path {
			t.Errorf("Resolve(%q) = %q", name, path)
		}
		if real, err := filepath.EvalSymlinks(path); err == nil && real != path {
			t.Errorf("Resolve(%q) = %q, which leads to %q", name, path, real)
		}
	}
	if file, err := w.Read(t.Context(), name); err == nil && strings.Contains(string(file.Text), canary) {
		t.Errorf("Read(%q) returns %s", name, file.Path)
	}
	entries, _ := w.List(t.Context(), name, 1)
	for _, e := range entries {
		if !contains(dir, e.Path) || filepath.Base(e.Path) == "work-outside" {
			t.Errorf("List(%q) has %s", name, e.Path)
		}
	}
}

// TestRepositoryDataInAnyCase checks names that a case-insensitive file system treats as
// .git and the like.
func TestRepositoryDataInAnyCase(t *testing.T) {
	dir := tree(t, map[string]string{".GIT/config": "x", "sub/.Git/config": "x", ".Hg/x": "x", "a.go": "x"})
	if got := rels(walk(t, open(t, Options{}, dir), dir)); len(got) != 1 || got[0] != "a.go" {
		t.Errorf("Walk visits %q", got)
	}
}

// TestSlowIgnorePatterns walks with patterns on which a backtracking matcher would take
// years.
func TestSlowIgnorePatterns(t *testing.T) {
	name := strings.Repeat("a", 200)
	dir := tree(t, map[string]string{
		".gitignore": strings.Repeat("a*", 60) + "b\n" + strings.Repeat("**/", 60) + "b\n" + strings.Repeat("*a", 60) + "*b\n",
		name:         "x", strings.Repeat("d/", 60) + name: "x",
	})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if got := rels(walk(t, open(t, Options{}, dir), dir)); len(got) != 3 {
			t.Errorf("Walk visits %d files", len(got))
		}
	}()
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		t.Fatal("the walk does not end")
	}
}
