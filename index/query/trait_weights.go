package query

import "ploke-lsp/index/traits"

// traitWeights are the factors of the scores of a file's units, by the file's traits.
type traitWeights [traits.All + 1]float64

// newTraitWeights returns the weights for a query. Traits that the query requests don't
// reduce a score, and those that it hints at reduce it less. If it asks for files of a kind, others count less.
func newTraitWeights(requested requestedTraits, beside float64) (w traitWeights) {
	for t := range w {
		w[t] = requested.beside(traits.Set(t), beside)
		for _, reduced := range traitFactors {
			if traits.Set(t)&reduced.trait != 0 {
				w[t] *= requested.factor(reduced.trait, reduced.weight)
			}
		}
	}
	return w
}

// request sets the weights for a query.
func (w *channelWeights) request(r requestedTraits) {
	r.named |= w.neutral
	w.traits, w.requested = newTraitWeights(r, w.beside), r
}

// beside returns the factor of files with some traits, which is weight if they are of another kind than the query asks
// for.
func (r requestedTraits) beside(kind traits.Set, weight float64) float64 {
	if r.asked != 0 && kind&r.asked == 0 {
		return weight
	}
	return 1
}

// factor returns the factor for a trait that has a weight unless it is requested.
func (r requestedTraits) factor(trait traits.Set, weight float64) float64 {
	switch {
	case trait&r.named != 0:
		return 1
	case trait&r.hinted != 0:
		return max(weight, hintedWeight)
	}
	return weight
}

// traitFactors are the factors for single traits.
var traitFactors = []struct {
	trait  traits.Set
	weight float64
	rule   string // its name for a reader
}{
	{traits.TestTrait, testWeight, "a test"},
	{traits.SecondaryTrait, secondaryWeight, "vendored, generated or an example"},
	{traits.ProseTrait, proseWeight, "prose"},
	{traits.DataTrait, dataWeight, "configuration or data"},
}

// of returns the factor for a file's traits. named is whether the file's own name has a word of the query.
func (w *channelWeights) of(kind traits.Set, named bool) float64 {
	factor := w.traits[kind&traits.All]
	if named && kind == traits.DataTrait {
		return max(factor, w.ownName)
	}
	return factor
}
