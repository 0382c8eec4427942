package syntax

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"ploke-lsp/internal/testbed"
)

// TestErrorsInLongTexts makes mistakes in texts that are several times as long as what is parsed anew around a
// change. Where the old tree is reused, it must not change the result; and it must be reused.
func TestErrorsInLongTexts(t *testing.T) {
	testbed.Long(t)
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
			for range testbed.Count(4, 0) {
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
				if !reflect.DeepEqual(want, got) || (gotErr == nil) != (wantErr == nil) { // cmp.Diff takes longer than parsing
					t.Fatalf("after a mistake: %v, %v\n%s", wantErr, gotErr, cmp.Diff(want, got))
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

// TestErrorsWithin has nodes of errors at the borders of what was parsed anew.
func TestErrorsWithin(t *testing.T) {
	const length = 100_000
	anew := []change{{0, 5000, 0, 5000}, {40_000, 50_000, 40_010, 50_010}, {90_000, 99_990, 90_010, length}}
	for _, c := range []struct {
		start, end uint32
		want       bool
	}{
		{0, 10, true}, {3000, 5000 - recovered, true}, {3000, 5001 - recovered, false}, {20_000, 20_001, false},
		{40_010 + recovered, 40_011 + recovered, true}, {40_009 + recovered, 45_000, false}, {45_000, 50_010, false}, {30_000, 95_000, false},
		{95_000, length, true},
	} {
		for _, n := range []node{{start: c.start, end: c.end, symbol: errorSymbol}, {start: c.start, end: c.end, flags: flagMissing}} {
			if got := errorsWithin(anew, []node{{start: 0, end: length}, n}, length); got != c.want {
				t.Errorf("an error in [%d,%d) is within: %v", c.start, c.end, got)
			}
		}
	}
}

// TestChangesBetween edits a long text at several places: each is a change of its own, and together they make the new text.
func TestChangesBetween(t *testing.T) {
	var before []byte
	for i := range 4000 {
		before = fmt.Appendf(before, "line %d of a text whose lines resemble each other\n", i)
	}
	random := rand.New(rand.NewPCG(8, 8))
	for n := range 40 {
		after := slices.Clone(before)
		places := 1 + n%4
		for i := range places { // far from each other
			at := (len(after)/places)*i + 2*parsedAnew + random.IntN(parsedAnew)
			after = slices.Concat(after[:at], []byte(" zqj ")[:1+random.IntN(5)], after[at+random.IntN(30):])
		}
		changes := changesBetween(before, after)
		var made []byte
		at, changed := 0, 0
		for _, c := range changes {
			made = slices.Concat(made, before[at:c.from], after[c.newFrom:c.newTo])
			at = c.to
			changed += c.to - c.from + c.newTo - c.newFrom
		}
		if made = append(made, before[at:]...); !bytes.Equal(made, after) || changed > 100*places {
			t.Errorf("%d places: %v", places, changes)
		}
		for _, wide := range widened(changes, len(before)) {
			if wide.to-wide.from < parsedAnew || wide.to-wide.from-(wide.newTo-wide.newFrom) > 100 {
				t.Errorf("widened: %v", wide)
			}
		}
	}
}
