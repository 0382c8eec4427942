package query

import (
	"testing"

	"ploke-lsp/index/traits"
)

// TestRequestedTraits checks that tests count in full if the query requests tests.
func TestRequestedTraits(t *testing.T) {
	for text, want := range map[string]float64{"latest value": testWeight * dataWeight, "a flaky Test": dataWeight,
		"run the tests\n\nor not": dataWeight, "a value\n\nwith tests": testWeight * dataWeight} {
		if got := newTraitWeights(parseQuery(text).traits)[traits.TestTrait|traits.DataTrait]; got != want {
			t.Errorf("settings of tests count %v for %q, want %v", got, text, want)
		}
	}
}
