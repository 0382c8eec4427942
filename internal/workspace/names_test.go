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

const (
	composed   = "caf\u00e9.go"
	decomposed = "cafe\u0301.go"
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
		write(t, dir+"/a name", "") // shows the rules
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
		write(t, dir+"/Src/Foo.go", "on disk")
		write(t, dir+"/Src/straße.go", "a street")
		w := open(t, Options{}, dir)
		want := dir + "/Src/Foo.go"
		for _, name := range []string{"Src/Foo.go", "src/foo.go", "SRC/FOO.GO", dir + "/sRC/fOO.go", "file://" + dir + "/src/foo.go", "src/../SRC/./foo.GO"} {
			if got, path := text(t, w, name); got != "on disk" || path != want {
				t.Errorf("Read(%q) = %q of %s", name, got, path)
			}
			if got, err := w.Resolve(name); got != want || err != nil {
				t.Errorf("Resolve(%q) = %q, %v", name, got, err)
			}
		}
		if _, path := text(t, w, "SRC/STRAßE.GO"); path != dir+"/Src/straße.go" {
			t.Errorf("the street is %s", path)
		}
		w.SetBuffer(dir+"/src/FOO.go", 1, []byte("typed"))
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
		write(t, dir+"/Foo.go", "")
		w := open(t, Options{}, dir)
		w.SetBuffer(dir+"/Foo.go", 1, []byte("typed"))
		for _, name := range []string{"foo.go", "FOO.go", "Foo.go"} {
			if err := os.Rename(onlyName(t, dir, "foo.go"), dir+"/"+name); err != nil {
				t.Fatal(err)
			}
			if got, path := text(t, w, "fOO.gO"); path != dir+"/"+name || got != "typed" {
				t.Errorf("it is %s now, but Read has %q of %s", name, got, path)
			}
			if file, ok := w.Buffer(dir + "/foo.go"); !ok || file.Path != dir+"/"+name {
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
		write(t, dir+"/Src/Foo.go", "")
		w := open(t, Options{}, dir)
		for name, want := range map[string]string{"src/foo.go": "Src/foo.go", "src/Foo.go": "Src/Foo.go", "SRC/New.go": "Src/New.go", ".": "."} {
			if got, err := w.ResolveNew(name); got != filepath.Join(dir, want) || err != nil {
				t.Errorf("ResolveNew(%q) = %q, %v", name, got, err)
			}
		}
		w.SetBuffer(dir+"/Src/New.go", 1, []byte("not saved"))
		if got, path := text(t, w, "src/new.GO"); got != "not saved" || path != dir+"/Src/New.go" {
			t.Errorf("a document that is not saved: %q of %s", got, path)
		}
		if got := w.Canonical(dir + "/src/nEW.go"); got != dir+"/Src/New.go" {
			t.Errorf("Canonical = %q", got)
		}
		if _, err := w.Read(t.Context(), "src/gone.go"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Read of a file that is not there: %v", err)
		}
	})
}

func TestComposedAndDecomposedNamesAreOne(t *testing.T) {
	for _, onDisk := range []string{composed, decomposed} {
		dir := tree(t, map[string]string{onDisk: "coffee"})
		Assume(dir, NameRules{Folds: true, Normalizes: true})
		w := open(t, Options{}, dir)
		for _, name := range []string{composed, decomposed, strings.ToUpper(composed), strings.ToUpper(decomposed)} {
			if got, path := text(t, w, name); got != "coffee" || path != dir+"/"+onDisk {
				t.Errorf("on disk is %+q; Read(%+q) = %q of %+q", onDisk, name, got, path)
			}
		}
		w.SetBuffer(dir+"/"+decomposed, 1, []byte("typed"))
		if got, _ := text(t, w, composed); got != "typed" {
			t.Errorf("with the editor's text: %q", got)
		}
	}
}

// TestNamesOfLinuxStayDifferent checks that a disk that tells names apart keeps them apart, and
// that names which only Windows refuses are files like others.
func TestNamesOfLinuxStayDifferent(t *testing.T) {
	names := []string{"Foo.go", "foo.go", composed, decomposed, "NUL", "con.txt", "a:b", "dot.", "space ", `q?*<>|"`, "new\nline"}
	files := map[string]string{}
	for _, name := range names {
		files[name] = "text of " + name
	}
	dir := tree(t, files)
	w := open(t, Options{}, dir)
	for _, name := range names {
		if got, path := text(t, w, name); got != files[name] || path != dir+"/"+name {
			t.Errorf("Read(%q) = %q of %q", name, got, path)
		}
		if key := w.Key(dir + "/" + name); key != dir+"/"+name {
			t.Errorf("Key(%q) = %q", name, key)
		}
	}
	if _, err := w.Read(t.Context(), "FOO.go"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("FOO.go: %v", err)
	}
}

// TestRulesOfAFolderThatWasEmpty finds out the rules once the folder has a name that shows
// them. The editor's documents keep their texts.
func TestRulesOfAFolderThatWasEmpty(t *testing.T) {
	dir := testbed.FoldingDisk(t)
	w := open(t, Options{}, dir)
	w.SetBuffer(dir+"/Foo.go", 1, []byte("typed"))
	write(t, dir+"/Foo.go", "")
	if got := rels(walk(t, w, dir)); len(got) != 1 || got[0] != "Foo.go" {
		t.Errorf("Walk visits %q", got)
	}
	if got, _ := text(t, w, "fOO.go"); got != "typed" {
		t.Errorf("Read = %q", got)
	}
}

// TestDocumentsSurviveOtherRoots opens documents before their folder, and closes the folder.
func TestDocumentsSurviveOtherRoots(t *testing.T) {
	dir := tree(t, map[string]string{"Foo.go": ""})
	Assume(dir, NameRules{Folds: true})
	w := open(t, Options{})
	w.SetBuffer(dir+"/Foo.go", 1, []byte("typed"))
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

// TestALinkUnderAnotherSpelling checks that no spelling of a link leads outside.
func TestALinkUnderAnotherSpelling(t *testing.T) {
	outside := tree(t, map[string]string{"c.go": canary})
	dir := tree(t, map[string]string{"Foo.go": "inside"})
	Assume(dir, NameRules{Folds: true})
	if err := errors.Join(os.Symlink(outside, dir+"/Out"), os.Symlink("Foo.go", dir+"/Link")); err != nil {
		t.Fatal(err)
	}
	w := open(t, Options{}, dir)
	var outsideErr *OutsideError
	for _, name := range []string{"Out/c.go", "out/c.go", "OUT/../oUt/c.go"} {
		if _, err := w.Read(t.Context(), name); !errors.As(err, &outsideErr) {
			t.Errorf("Read(%q): %v", name, err)
		}
		if got, err := w.ResolveNew(name); !errors.As(err, &outsideErr) {
			t.Errorf("ResolveNew(%q) = %q, %v", name, got, err)
		}
	}
	if link, err := w.ReadLink("LINK"); err != nil || link == nil || link.Path != dir+"/Link" {
		t.Errorf("ReadLink: %v, %v", link, err)
	}
	if got, _ := w.ResolveNew("link"); got != dir+"/Foo.go" {
		t.Errorf("ResolveNew of a link = %q", got)
	}
}
