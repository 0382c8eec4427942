package query

import "testing"

// TestTaskWords checks that task words count less unless they are part of a name, and that
// repeated words count more.
func TestTaskWords(t *testing.T) {
	got := map[string]float64{}
	for _, term := range parseQuery("Fix removing: removeAll leaks leases, add a test").terms {
		got[term.term] = term.weight
	}
	for term, want := range map[string]float64{"fix": 0.5, "add": 0.5, "remov": 1.2, "removeall": 1, "leas": 1, "test": 1} {
		if got[term] != want {
			t.Errorf("%q counts %v, want %v", term, got[term], want)
		}
	}
}
