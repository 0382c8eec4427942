package workspace

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"ploke-lsp/internal/testbed"
)

const (
	composed   = "caf\u00e9.go"
	decomposed = "cafe\u0301.go"
)

// TestLettersThatDisksDisagreeAbout keeps names apart that only some disks take for one.
func TestLettersThatDisksDisagreeAbout(t *testing.T) {
	dir := tree(t, map[string]string{"straße.go": "sharp", "strasse.go": "two", "k.go": "letter", "\u212a.go": "kelvin", "Ünï.go": "accents"})
	Assume(dir, NameRules{Folds: true})
	w := open(t, Options{}, dir)
	for name, want := range map[string]string{"STRAßE.go": "sharp", "STRASSE.go": "two", "K.go": "letter", "\u212a.go": "kelvin", "üNÏ.go": "accents"} {
		if got, _ := text(t, w, name); got != want {
			t.Errorf("Read(%q) = %q", name, got)
		}
	}
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
