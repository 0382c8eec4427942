package index_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestUnsavedTextIsNotStored indexes a text that is not saved, and looks for its words in all files of the index.
func TestUnsavedTextIsNotStored(t *testing.T) {
	p := open(t, sample)
	p.update()
	path := p.path("parse.py")
	text := []byte("def frobnicate_in_secret(x):\n    return x\n")
	p.ws.SetBuffer(path, 2, text)
	if err := p.index.SetBuffer(t.Context(), path, text); err != nil {
		t.Fatal(err)
	}
	p.write("saved.py", "def saved_for_all():\n    pass\n")
	p.update()
	if found, _ := p.lookup("frobnicate_in_secret"); len(found) != 1 {
		t.Fatalf("the unsaved text is not indexed: %v", found)
	}
	p.index.Settle()
	for word, want := range map[string]bool{"saved_for_all": true, "frobnicate_in_secret": false, "frobnicate": false} {
		if got := storedAnywhere(t, p.state, word); got != want {
			t.Errorf("%s is stored: %v", word, got)
		}
	}
}

// storedAnywhere reports whether a word is in a file of a folder.
func storedAnywhere(t *testing.T, dir, word string) (found bool) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		found = found || bytes.Contains(data, []byte(word))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
