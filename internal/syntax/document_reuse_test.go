package syntax

import (
	"bytes"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"ploke-lsp/internal/testbed"
)

// TestErrorsInLongTexts makes mistakes in texts that are several times as long as what is parsed anew around a
// change. Where the old tree is reused, it must not change the result; and it must be reused.
func TestErrorsInLongTexts(t *testing.T) {
	goldens, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(goldens) == 0 {
		t.Fatal("no goldens", err)
	}
	reused, tried := 0, 0
	for _, path := range goldens {
		t.Run(filepath.Base(path), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			text := archive.Files[0].Data
			language := Detect(archive.Files[0].Name, text)
			base := bytes.Repeat(text, 1+6*parsedAnew/len(text))
			var d Document
			defer d.Close()
			if _, err := d.Parse(language, base); err != nil {
				t.Fatal(err)
			}
			random := rand.New(rand.NewPCG(5, uint64(len(text))))
			for range testbed.Count(6, 2) {
				typed := mistaken(random, base)
				if d.tree != nil {
					p := newTreeParser(parseLimit)
					done, err := d.flattenAgain(p, grammars[language]().rewritten(typed))
					if err != nil {
						t.Fatal(err)
					}
					tried++
					if done {
						reused++
					}
				}
				got, gotErr := d.Parse(language, typed)
				want, wantErr := Parse(language, typed)
				if diff := cmp.Diff(want, got); diff != "" || (gotErr == nil) != (wantErr == nil) {
					t.Fatalf("after a mistake: %v, %v\n%s", wantErr, gotErr, diff)
				}
			}
		})
	}
	if reused*4 < tried {
		t.Errorf("of %d texts with mistakes, only %d were parsed with the earlier tree", tried, reused)
	}
}

// mistaken returns text with a word, a bracket or a quotation mark inserted, or a few bytes dropped.
func mistaken(random *rand.Rand, text []byte) []byte {
	at := random.IntN(len(text) + 1)
	end := at
	what := []string{" zqj ", " zqj ", " zqj zqk ", "(", ")", "{", "}", "\"", "'", "/*", "=", ""}[random.IntN(12)]
	if what == "" {
		end = min(len(text), at+1+random.IntN(8))
	}
	return slices.Concat(text[:at], []byte(what), text[end:])
}
