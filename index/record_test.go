package index_test

import (
	"os"
	"testing"
	"time"

	"ploke-lsp/index"
)

// TestTextsOfStoredFiles opens an index again, as a new process does, and looks at units of files that
// store their texts in different ways: what is stored of a file says where its text begins.
func TestTextsOfStoredFiles(t *testing.T) {
	p := open(t, map[string]string{
		"plain.py":  "# caf\u00e9\ndef plain(): pass\n",
		"marked.py": "\xef\xbb\xbf# caf\u00e9\ndef marked(): pass\n",
		"latin1.py": "# -*- coding: latin-1 -*- caf\xe9\ndef latin(): pass\n",
		"utf16.py":  "\xff\xfed\x00e\x00f\x00 \x00w\x00i\x00d\x00e\x00(\x00)\x00:\x00 \x00p\x00a\x00s\x00s\x00\n\x00",
	})
	then := time.Now().Add(-time.Hour)
	for _, rel := range []string{"plain.py", "marked.py", "latin1.py", "utf16.py"} {
		if err := os.Chtimes(p.path(rel), then, then); err != nil {
			t.Fatal(err)
		}
	}
	p.update()
	for _, name := range []string{"plain", "marked", "latin", "wide"} {
		p.reopen()
		found, err := p.index.Search(t.Context(), index.Query{Text: name, Limit: 1, Focused: true})
		if want := "def " + name + "(): pass\n"; err != nil || len(found.Hits) != 1 || found.Hits[0].Lines != want {
			t.Errorf("%s: %+v, %v; want %q", name, found, err, want)
		}
	}
}
