package index_test

import (
	"math"
	"testing"

	"ploke-lsp/index"
)

// TestWhatTheBodyQuotes: the place of a text counts half if only the body of a long text quotes it.
func TestWhatTheBodyQuotes(t *testing.T) {
	p := open(t, map[string]string{"a.go": "package p\n\nfunc Bake() { say(\"melt the butter slowly\") }\n", "b.go": "package p\n\nfunc Fail() {}\n"})
	p.update()
	meant := func(text string) float64 {
		t.Helper()
		found, err := p.index.Search(t.Context(), index.Query{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range found.Hits {
			if h.Canon == "Bake" {
				return h.Signals["meant"]
			}
		}
		return 0
	}
	first, later := meant("who says `melt the butter slowly`"), meant("it fails\n\nand we read `melt the butter slowly`")
	message := meant("it fails\n\nerror: melt the butter slowly")
	if first == 0 || math.Abs(later-first/2) > 1e-9 || message != first {
		t.Errorf("quoted in the first line it counts %v, in the body %v, and as a message %v", first, later, message)
	}
}
