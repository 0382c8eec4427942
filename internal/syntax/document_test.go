package syntax_test

import (
	"bytes"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/testbed"
)

// TestDocumentFindsWhatParseFinds edits texts at random: the symbols depend on the current text
// only.
func TestDocumentFindsWhatParseFinds(t *testing.T) {
	goldens, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(goldens) == 0 {
		t.Fatal("no goldens", err)
	}
	for _, path := range goldens {
		t.Run(filepath.Base(path), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			text := archive.Files[0].Data
			language := syntax.Detect(archive.Files[0].Name, text)
			random := rand.New(rand.NewPCG(12, uint64(len(text)))) // finds trees with errors that an edit makes different
			if random.IntN(2) == 0 {
				text = bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
			}
			base := text
			var d syntax.Document
			defer d.Close()
			for range testbed.Count(15, 3) {
				got, gotErr := d.Parse(language, text)
				want, wantErr := syntax.Parse(language, text)
				if diff := cmp.Diff(want, got); diff != "" || (gotErr == nil) != (wantErr == nil) {
					t.Fatalf("after an edit: %v, %v\n%s", wantErr, gotErr, diff)
				}
				if random.IntN(2) == 0 {
					text = base // without errors: only the tree of such a text is used again
				} else {
					text = edited(random, text)
				}
			}
		})
	}
}

// edited returns text with a piece repeated, dropped or moved to another place, or with
// characters of several bytes, of which some are cut.
func edited(random *rand.Rand, text []byte) []byte {
	at, from := random.IntN(len(text)+1), random.IntN(len(text)+1)
	piece := text[from:min(len(text), from+random.IntN(40))]
	if random.IntN(2) == 0 {
		piece = nil
	}
	if random.IntN(4) == 0 {
		piece = []byte("é漢😀\r\n")[random.IntN(3):]
	}
	end := min(len(text), at+random.IntN(20))
	if random.IntN(2) == 0 {
		end = at
	}
	return append(append(append([]byte(nil), text[:at]...), piece...), text[end:]...)
}
