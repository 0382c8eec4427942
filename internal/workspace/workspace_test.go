package workspace

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tree creates a folder with files, by their slash-separated names, and returns its path
// with symbolic links resolved.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	return dir
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, opts Options, roots ...string) *Workspace {
	t.Helper()
	w, err := New(roots, opts)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestSeveralRoots(t *testing.T) {
	base := tree(t, map[string]string{"one/app/x.go": "", "two/app/y.go": "", "two/app/inner/z.go": ""})
	one, two := filepath.Join(base, "one/app"), filepath.Join(base, "two/app")
	w := open(t, Options{}, one, two, one)
	if diff := cmp.Diff([]string{one, two}, w.Roots()); diff != "" {
		t.Error(diff)
	}
	for path, rel := range map[string]string{filepath.Join(one, "x.go"): "app/x.go", filepath.Join(two, "y.go"): "app-2/y.go", two: "app-2"} {
		if got := w.Rel(path); got != rel {
			t.Errorf("Rel(%q) = %q; want %q", path, got, rel)
		}
		if got, err := w.Resolve(rel); got != path || err != nil {
			t.Errorf("Resolve(%q) = %q, %v; want %q", rel, got, err, path)
		}
	}
	if got, _ := w.Resolve("y.go"); got != filepath.Join(two, "y.go") {
		t.Errorf("a name that exists only in the second root resolves to %q", got)
	}
	inner := filepath.Join(two, "inner")
	if err := w.AddRoot(inner); err != nil {
		t.Fatal(err)
	}
	if root, _ := w.RootOf(filepath.Join(inner, "z.go")); root != inner {
		t.Errorf("RootOf = %q; want the innermost root", root)
	}
	if diff := cmp.Diff([]string{"app-2/y.go"}, rels(walk(t, w, two))); diff != "" {
		t.Errorf("the walk of a root visits a root inside of it:\n%s", diff)
	}
	w.RemoveRoot(one)
	w.RemoveRoot(inner)
	if got := w.Rel(filepath.Join(two, "y.go")); got != "y.go" {
		t.Errorf("with one root left, Rel = %q", got)
	}
	if _, err := w.Resolve(one + "/x.go"); err == nil {
		t.Error("a removed root still resolves")
	}
}

func TestNewRefusesFiles(t *testing.T) {
	dir := tree(t, map[string]string{"file": ""})
	for _, root := range []string{dir + "/file", dir + "/missing"} {
		if _, err := New([]string{root}, Options{}); err == nil {
			t.Errorf("New(%q) succeeded", root)
		}
	}
	if _, err := New(nil, Options{}); err != nil {
		t.Errorf("a workspace without folders: %v", err)
	}
}
