package setup

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestTwoAtOnce writes and undoes many times at once. The file is always one of the two texts.
func TestTwoAtOnce(t *testing.T) {
	f := fileOf(t, "helix")
	put(t, f.Path, "a = 1")
	write(t, f)
	with := get(t, f.Path)
	var all sync.WaitGroup
	for n := range 8 {
		all.Go(func() {
			for range 10 {
				if n%2 == 0 {
					f.Write(nil, noon) // may find that the file has changed
				} else {
					f.Undo(noon)
				}
				if got, err := os.ReadFile(f.Path); err != nil || string(got) != with && string(got) != "a = 1" {
					t.Errorf("the file is %q: %v", got, err)
				}
			}
		})
	}
	all.Wait()
	entries, err := os.ReadDir(filepath.Dir(f.Path))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".ploke-lsp") {
			t.Errorf("%s was left", e.Name())
		}
	}
}

// TestChangedMeanwhile replaces a file that an editor has saved since it was read.
func TestChangedMeanwhile(t *testing.T) {
	f := fileOf(t, "helix")
	if err := os.MkdirAll(filepath.Dir(f.Path), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", "a = 1\n"} {
		if text != "" {
			put(t, f.Path, text)
		}
		o, err := f.read()
		if err != nil {
			t.Fatal(err)
		}
		put(t, f.Path, "typed = 1\n")
		if err := o.replace([]byte("x")); err == nil || get(t, f.Path) != "typed = 1\n" {
			t.Errorf("what was typed is lost: %v", err)
		}
	}
	if entries, err := os.ReadDir(filepath.Dir(f.Path)); err != nil || len(entries) != 1 {
		t.Errorf("something was left: %v, %v", entries, err)
	}
}

// TestUnusualFiles writes into files that are no text, or too large.
func TestUnusualFiles(t *testing.T) {
	for _, text := range []string{"\xff\xfea\x00", "a = \x00", strings.Repeat("# x\n", maxBytes/4+1)} {
		f := fileOf(t, "helix")
		put(t, f.Path, text)
		if _, err := f.Write(nil, noon); err == nil || get(t, f.Path) != text {
			t.Errorf("%.10q was written to: %v", text, err)
		}
	}
}

// TestDeepBrackets refuses settings whose brackets would take more than the stack.
func TestDeepBrackets(t *testing.T) {
	for _, open := range []string{"[", "{\"a\":"} {
		f := fileOf(t, "coc")
		text := "{\"x\": " + strings.Repeat(open, maxBytes/len(open)-8)
		put(t, f.Path, text)
		if _, err := f.Write(nil, noon); err == nil || !strings.HasSuffix(err.Error(), "its brackets are nested more than 10000 deep") ||
			get(t, f.Path) != text {
			t.Errorf("%.10q was written to: %v", text, err)
		}
	}
}
