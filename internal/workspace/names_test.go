package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/internal/testbed"
)

// onFoldingDisks runs a test in a folder whose disk ignores case: one for which that is
// assumed, and one that is such a disk.
func onFoldingDisks(t *testing.T, test func(t *testing.T, dir string)) {
	t.Run("assumed", func(t *testing.T) {
		dir := tree(t, nil)
		Assume(dir, NameRules{Folds: true})
		test(t, dir)
	})
	t.Run("exFAT", func(t *testing.T) {
		dir := testbed.FoldingDisk(t)
		write(t, filepath.Join(dir, "a name"), "") // shows the rules
		test(t, dir)
	})
}

// text returns what the workspace reads under a name, and the path that it shows.
func text(t *testing.T, w *Workspace, name string) (content, path string) {
	t.Helper()
	f, err := w.Read(t.Context(), name)
	if err != nil {
		t.Errorf("Read(%q): %v", name, err)
		return "", ""
	}
	return string(f.Text), f.Path
}

func TestAFileIsOneUnderEachSpelling(t *testing.T) {
	onFoldingDisks(t, func(t *testing.T, dir string) {
		write(t, filepath.Join(dir, "Src", "Foo.go"), "on disk")
		w := open(t, Options{}, dir)
		want := filepath.Join(dir, "Src", "Foo.go")
		for _, name := range []string{"Src/Foo.go", "src/foo.go", "SRC/FOO.GO", filepath.Join(dir, "sRC", "fOO.go"), uriOf(dir) + "/src/foo.go", "src/../SRC/./foo.GO"} {
			if got, path := text(t, w, name); got != "on disk" || path != want {
				t.Errorf("Read(%q) = %q of %s", name, got, path)
			}
			if got, err := w.Resolve(name); got != want || err != nil {
				t.Errorf("Resolve(%q) = %q, %v", name, got, err)
			}
		}
		w.SetBuffer(filepath.Join(dir, "src", "FOO.go"), 1, []byte("typed"))
		for _, name := range []string{"Src/Foo.go", dir + "/SRC/foo.go"} {
			if got, path := text(t, w, name); got != "typed" || path != want {
				t.Errorf("with the editor's text, Read(%q) = %q of %s", name, got, path)
			}
			if path, err := w.Resolve(name); err != nil || w.Rel(path) != "Src/Foo.go" {
				t.Errorf("Rel of %s is %s, %v", name, w.Rel(path), err)
			}
		}
		if list := w.Buffers(); len(list) != 1 || list[0] != want {
			t.Errorf("Buffers = %q", list)
		}
		if skip := w.Skipped(dir + "/src/foo.GO"); skip != "" {
			t.Errorf("it is skipped as %s", skip)
		}
		w.CloseBuffer(want)
		if open, _ := w.IsOpen(dir + "/src/FOO.go"); open {
			t.Error("it is still open")
		}
	})
}

func TestTheSpellingIsThatOfTheDisk(t *testing.T) {
	onFoldingDisks(t, func(t *testing.T, dir string) {
		write(t, filepath.Join(dir, "Foo.go"), "")
		w := open(t, Options{}, dir)
		w.SetBuffer(filepath.Join(dir, "Foo.go"), 1, []byte("typed"))
		for _, name := range []string{"foo.go", "FOO.go", "Foo.go"} {
			if err := os.Rename(onlyName(t, dir, "foo.go"), filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
			if got, path := text(t, w, "fOO.gO"); path != filepath.Join(dir, name) || got != "typed" {
				t.Errorf("it is %s now, but Read has %q of %s", name, got, path)
			}
			if file, ok := w.Buffer(dir + "/foo.go"); !ok || file.Path != filepath.Join(dir, name) {
				t.Errorf("it is %s now, but Buffer has %v", name, file)
			}
		}
	})
}

// onlyName returns the path of the entry that has a name in any case.
func onlyName(t *testing.T, dir, name string) string {
	t.Helper()
	for _, n := range namesIn(dir) {
		if strings.EqualFold(n, name) {
			return filepath.Join(dir, n)
		}
	}
	t.Fatalf("there is no %s", name)
	return ""
}

func TestNamesThatAreNotThere(t *testing.T) {
	onFoldingDisks(t, func(t *testing.T, dir string) {
		write(t, filepath.Join(dir, "Src", "Foo.go"), "")
		w := open(t, Options{}, dir)
		for name, want := range map[string]string{"src/foo.go": "Src/foo.go", "src/Foo.go": "Src/Foo.go", "SRC/New.go": "Src/New.go", ".": "."} {
			if got, err := w.ResolveNew(name); got != filepath.Join(dir, want) || err != nil {
				t.Errorf("ResolveNew(%q) = %q, %v", name, got, err)
			}
		}
		w.SetBuffer(filepath.Join(dir, "Src", "New.go"), 1, []byte("not saved"))
		if got, path := text(t, w, "src/new.GO"); got != "not saved" || path != filepath.Join(dir, "Src", "New.go") {
			t.Errorf("a document that is not saved: %q of %s", got, path)
		}
		if got := w.Canonical(dir + "/src/nEW.go"); got != filepath.Join(dir, "Src", "New.go") {
			t.Errorf("Canonical = %q", got)
		}
		if _, err := w.Read(t.Context(), "src/gone.go"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Read of a file that is not there: %v", err)
		}
	})
}

// TestDocumentsSurviveOtherRoots opens documents before their folder, and closes the folder.
func TestDocumentsSurviveOtherRoots(t *testing.T) {
	dir := tree(t, map[string]string{"Foo.go": ""})
	Assume(dir, NameRules{Folds: true})
	w := open(t, Options{})
	w.SetBuffer(filepath.Join(dir, "Foo.go"), 1, []byte("typed"))
	for range 2 {
		if err := w.AddRoot(dir); err != nil {
			t.Fatal(err)
		}
		if got, _ := text(t, w, "foo.go"); got != "typed" {
			t.Errorf("Read = %q", got)
		}
		w.RemoveRoot(dir)
		if file, ok := w.Buffer(dir + "/Foo.go"); !ok || string(file.Text) != "typed" {
			t.Errorf("without the folder, the document is %v", file)
		}
	}
}

// TestIgnoreRulesIgnoreCase checks patterns where the disk ignores case, as git does there.
func TestIgnoreRulesIgnoreCase(t *testing.T) {
	onFoldingDisks(t, func(t *testing.T, dir string) {
		for name, content := range map[string]string{".gitignore": "Build/\n*.LOG\n![K]eep.log\n", "build/x": "", "a.log": "", "KEEP.log": "", "Private.txt": "", "b.go": ""} {
			write(t, filepath.Join(dir, filepath.FromSlash(name)), content)
		}
		w := open(t, Options{Exclude: []string{"private.TXT"}}, dir)
		if got := strings.Join(rels(walk(t, w, dir)), " "); strings.Replace(got, " a name", "", 1) != ".gitignore KEEP.log b.go" {
			t.Errorf("Walk visits %q", got)
		}
		for name, want := range map[string]Skip{"BUILD/X": Ignored, "A.log": Ignored, "keep.LOG": "", "PRIVATE.txt": Ignored, "B.go": ""} {
			if _, err := w.Read(t.Context(), name); (err != nil) != (want != "") {
				t.Errorf("Read(%q): %v", name, err)
			}
		}
	})
}

// uriOf returns the URI of a folder.
func uriOf(dir string) string {
	return "file://" + strings.TrimSuffix("/", dir[:1]) + filepath.ToSlash(dir)
}
