package index

import (
	"math/rand/v2"
	"strings"
	"testing"

	"ploke-lsp/index/postings"
)

// editDistanceByTable computes the distance with the full table; pattern.edits must return
// the same.
func editDistanceByTable(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}

func TestEditDistance(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		text := make([]byte, 1+random.IntN(maxPattern))
		for i := range text {
			text[i] = 'a' + byte(random.IntN(3))
		}
		return string(text)
	}
	for range 2000 {
		a, b := word(), word()
		p, want := newPattern(a), editDistanceByTable(a, b)
		if got := p.edits([]byte(b), maxPattern); got != want {
			t.Fatalf("from %q to %q: %d edits, want %d", a, b, got, want)
		}
		for upperBound := range want + 2 {
			if got := p.edits([]byte(b), upperBound); got != want && (got <= upperBound || want <= upperBound) {
				t.Fatalf("from %q to %q: %d edits with %d too many, want %d", a, b, got, upperBound+1, want)
			}
		}
	}
}

// TestNameDistance compares the distances of mistyped and abbreviated names.
func TestNameDistance(t *testing.T) {
	for _, c := range []struct{ wanted, nearer, farther string }{
		{"ListenAndServ", "listenandserve", "listenandservetls"},
		{"roundTirp", "roundtrip", "round"},
		{"DailContext", "dialcontext", "context"},
		{"ParseDur", "parseduration", "parsedir"},
		{"LisAndSer", "listenandserve", "listener"},
		{"LisSer", "listenandserve", "lesser"},
		{"duration", "parseduration", "rotation"},
	} {
		p := newPattern(c.wanted)
		if near, far := p.distance([]byte(c.nearer), true, true), p.distance([]byte(c.farther), true, true); near >= far {
			t.Errorf("%s: %s is %.3f away, %s %.3f", c.wanted, c.nearer, near, c.farther, far)
		}
	}
}

// TestSketches checks that sketches never exclude a near name.
func TestSketches(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	name := func() string {
		text := make([]byte, 3+random.IntN(12))
		for i := range text {
			text[i] = "abcdeA1"[random.IntN(7)]
		}
		return string(text)
	}
	near := 0
	for range 20000 {
		p, other := newPattern(name()), strings.ToLower(name())
		for _, bound := range []float64{0.1, 0.2, containedCost} {
			distance := p.distance([]byte(other), true, true)
			if distance > bound {
				continue
			}
			near++
			contains, edited := p.sketchFilter(bound).mayMatch(postings.NewSketch(other))
			if got := p.distance([]byte(other), contains, edited); got != distance {
				t.Fatalf("%s is %.3f from %s, but %.3f with the sketch", other, distance, p.text, got)
			}
		}
	}
	if near < 100 {
		t.Errorf("only %d names are near", near)
	}
}
