package query

import (
	"strings"

	"ploke-lsp/index/traits"
)

// traitWeights are the factors of the scores of a file's units, by the file's traits.
type traitWeights [traits.All + 1]float64

// newTraitWeights returns the weights for a query. Traits that the query requests don't
// reduce a score.
func newTraitWeights(requested traits.Set) (w traitWeights) {
	for t := range w {
		w[t] = 1
		for trait, weight := range map[traits.Set]float64{traits.TestTrait: testWeight,
			traits.SecondaryTrait: secondaryWeight, traits.ProseTrait: proseWeight, traits.DataTrait: dataWeight} {
			if traits.Set(t)&trait&^requested != 0 {
				w[t] *= weight
			}
		}
	}
	return w
}

// requestedTrait returns the trait that a lower-case word of a query requests.
func requestedTrait(word string) traits.Set {
	for _, name := range []string{"example", "sample", "demo", "bench", "vendor", "generated"} {
		if strings.HasPrefix(word, name) {
			return traits.SecondaryTrait
		}
	}
	if strings.HasPrefix(word, "test") {
		return traits.TestTrait
	}
	return 0
}
