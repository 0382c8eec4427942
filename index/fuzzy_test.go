package index

import (
	"math/rand/v2"
	"testing"
)

// table is the distance by the whole table: what pattern.edits must agree with.
func table(a, b string) int {
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

func TestEdits(t *testing.T) {
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
		p, want := newPattern(a), table(a, b)
		if got := p.edits([]byte(b), maxPattern); got != want {
			t.Fatalf("from %q to %q: %d edits, want %d", a, b, got, want)
		}
		for most := range want + 2 {
			if got := p.edits([]byte(b), most); got != want && (got <= most || want <= most) {
				t.Fatalf("from %q to %q: %d edits where %d are too many, want %d", a, b, got, most+1, want)
			}
		}
	}
}

// TestNear orders names by how close they come to one that is mistyped, or not whole.
func TestNear(t *testing.T) {
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
		if near, far := p.distance([]byte(c.nearer)), p.distance([]byte(c.farther)); near >= far {
			t.Errorf("%s: %s is %.3f away, %s %.3f", c.wanted, c.nearer, near, c.farther, far)
		}
	}
}
