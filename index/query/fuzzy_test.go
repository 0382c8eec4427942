package query

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
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

// TestNamesLike compares the nearest names with those of a comparison of all names, in segments that share some of them.
func TestNamesLike(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	name := func() string {
		text := make([]byte, 3+random.IntN(18))
		for i := range text {
			text[i] = "abcdefeA_1"[random.IntN(10)]
		}
		return string(text)
	}
	views, all := viewsOfNames(t, name)
	declared := slices.Sorted(maps.Keys(all))
	mistyped := func() string {
		text := []byte(declared[random.IntN(len(declared))])
		for range 1 + random.IntN(4) {
			at := random.IntN(len(text))
			text = slices.Replace(text, at, at+random.IntN(2), []byte(name()[:random.IntN(3)])...)
			if len(text) == 0 {
				text = []byte(name())
			}
		}
		return string(text)
	}
	inHumps := func() string {
		text := declared[random.IntN(len(declared))]
		from, until := random.IntN(len(text)), random.IntN(len(text))
		return text[:min(from, until)] + strings.ToUpper(text[max(from, until):][:1]) + text[max(from, until)+1:]
	}
	near := 0
	for i := range 600 {
		wanted, limit := []func() string{name, mistyped, inHumps}[i%3](), 1+random.IntN(40)
		var want []rankedName
		p := newPattern(wanted)
		for name := range all {
			if distance := p.distance([]byte(name), true, true); distance <= containedCost {
				want = append(want, rankedName{name, distance})
			}
		}
		slices.SortFunc(want, compareNames)
		names := []string{}
		for _, n := range want[:min(len(want), limit)] {
			names = append(names, n.name)
		}
		near += len(names)
		if got := namesLike(views, wanted, limit); !slices.Equal(got, names) {
			t.Errorf("the %d names that are nearest to %q are %q, want %q", limit, wanted, got, names)
		}
	}
	if near < 1000 {
		t.Errorf("only %d names are near", near)
	}
}
