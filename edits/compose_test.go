package edits

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCompose(t *testing.T) {
	hunk := func(id string, start, end int, text string) Hunk {
		return Hunk{ID: id, Edit: Edit{start, end, text}, State: Staged}
	}
	const base = "0123456789"
	tests := map[string]struct {
		hunks []Hunk
		edits []Edit
		want  []string // "id start end new"; id "+" for a new hunk
	}{
		"elsewhere, after":              {[]Hunk{hunk("a", 1, 3, "XXXX")}, []Edit{{8, 9, "y"}}, []string{"a 1 3 XXXX", "+ 6 7 y"}},
		"elsewhere, before":             {[]Hunk{hunk("a", 5, 5, "XX")}, []Edit{{1, 2, ""}}, []string{"+ 1 2 ", "a 5 5 XX"}},
		"inside what was inserted":      {[]Hunk{hunk("a", 2, 2, "hello")}, []Edit{{3, 6, "EY"}}, []string{"a 2 2 hEYo"}},
		"over the edge":                 {[]Hunk{hunk("a", 2, 4, "XX")}, []Edit{{1, 3, "-"}}, []string{"a 1 4 -X"}},
		"across two":                    {[]Hunk{hunk("a", 1, 2, "XX"), hunk("b", 5, 6, "YY")}, []Edit{{2, 7, "-"}}, []string{"a 1 6 X-Y"}},
		"all of it taken back":          {[]Hunk{hunk("a", 2, 2, "new")}, []Edit{{2, 5, ""}}, []string{"a 2 2 "}},
		"next to a replacement":         {[]Hunk{hunk("a", 2, 4, "XX")}, []Edit{{4, 4, "+"}}, []string{"a 2 4 XX", "+ 4 4 +"}},
		"appended to an insertion":      {[]Hunk{hunk("a", 2, 2, "XX")}, []Edit{{4, 4, "+"}}, []string{"a 2 2 XX+"}},
		"inserted where was deleted":    {[]Hunk{hunk("a", 2, 4, "")}, []Edit{{2, 2, "+"}}, []string{"a 2 4 +"}},
		"replaced after what is gone":   {[]Hunk{hunk("a", 2, 4, "")}, []Edit{{2, 3, "+"}}, []string{"a 2 4 ", "+ 4 5 +"}},
		"two chains stay apart":         {[]Hunk{hunk("a", 1, 2, "XX"), hunk("b", 5, 6, "YY")}, []Edit{{1, 2, "-"}, {7, 8, "="}}, []string{"a 1 2 -X", "b 5 6 Y="}},
		"two edits in one hunk":         {[]Hunk{hunk("a", 1, 2, "abcdef")}, []Edit{{2, 3, "B"}, {5, 6, "E"}}, []string{"a 1 2 aBcdEf"}},
		"three hunks, the middle alone": {[]Hunk{hunk("a", 0, 0, "A"), hunk("b", 3, 3, "B"), hunk("c", 9, 9, "C")}, []Edit{{4, 5, "b"}}, []string{"a 0 0 A", "b 3 3 b", "c 9 9 C"}},
	}
	for name, tt := range tests {
		text, err := Apply([]byte(base), editsOf(tt.hunks))
		if err != nil {
			t.Fatal(err)
		}
		known := make(map[string]bool)
		for _, h := range tt.hunks {
			known[h.ID] = true
		}
		var got []string
		for _, h := range compose(text, tt.hunks, tt.edits) {
			id := h.ID
			if !known[id] {
				id = "+"
			}
			got = append(got, fmt.Sprint(id, " ", h.Edit.Start, " ", h.Edit.End, " ", h.Edit.New))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestComposeAtRandom makes edits on top of edits. The composed hunks must turn the first text
// into the last one.
func TestComposeAtRandom(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 1))
		base := randomText(r, 30)
		text, hunks := base, []Hunk(nil)
		for range 4 {
			es := randomEdits(r, len(text), 3)
			next, err := Apply(text, es)
			if err != nil {
				t.Fatal(err)
			}
			hunks = compose(text, hunks, es)
			got, err := Apply(base, editsOf(hunks))
			if err != nil || !bytes.Equal(got, next) {
				t.Fatalf("seed %d: hunks %+v of %q make %q, %v; want %q", seed, hunks, base, got, err, next)
			}
			text = next
		}
	}
}

func randomText(r *rand.Rand, n int) []byte {
	text := make([]byte, r.IntN(n))
	for i := range text {
		text[i] = "abcdefgh\n\n"[r.IntN(10)]
	}
	return text
}

// randomEdits returns up to n sorted edits of a text of the given size.
func randomEdits(r *rand.Rand, size, n int) []Edit {
	var es []Edit
	at := 0
	for range 1 + r.IntN(n) {
		start := at + r.IntN(size-at+1)
		end := min(size, start+r.IntN(4))
		es = append(es, Edit{Start: start, End: end, New: string(bytes.ToUpper(randomText(r, 5)))})
		at = end
	}
	sortEdits(es)
	return es
}
