package query

import (
	"slices"
	"strings"

	"ploke-lsp/index/traits"
)

// traitWeights are the factors of the scores of a file's units, by the file's traits.
type traitWeights [traits.All + 1]float64

// requestedTraits are the kinds of files that a query asks for.
type requestedTraits struct {
	named  traits.Set // words mean nothing else: yaml, readme
	hinted traits.Set // words may mean code as well: config, version
}

// newTraitWeights returns the weights for a query. Traits that the query requests don't
// reduce a score, and those that it hints at reduce it less.
func newTraitWeights(requested requestedTraits) (w traitWeights) {
	for t := range w {
		w[t] = 1
		for _, reduced := range traitFactors {
			switch {
			case traits.Set(t)&reduced.trait&^requested.named == 0:
			case reduced.trait&requested.hinted != 0:
				w[t] *= max(reduced.weight, hintedWeight)
			default:
				w[t] *= reduced.weight
			}
		}
	}
	return w
}

// traitFactors are the factors for single traits.
var traitFactors = []struct {
	trait  traits.Set
	weight float64
}{
	{traits.TestTrait, testWeight},
	{traits.SecondaryTrait, secondaryWeight},
	{traits.ProseTrait, proseWeight},
	{traits.DataTrait, dataWeight},
}

// of returns the factor for a file's traits. named is whether the file's own name has a word of the query.
func (w *channelWeights) of(kind traits.Set, named bool) float64 {
	factor := w.traits[kind&traits.All]
	if named && kind == traits.DataTrait {
		return max(factor, w.ownName)
	}
	return factor
}

// requestWords are words that are about kinds of files.
type requestWords struct {
	trait  traits.Set
	begins []string        // of lower-case words that request the trait
	named  map[string]bool // words that mean nothing else
	hinted map[string]bool // words that may mean code as well
}

var allRequestWords = []requestWords{
	{trait: traits.TestTrait, begins: []string{"test"}},
	{trait: traits.SecondaryTrait, begins: []string{"example", "sample", "demo", "bench", "vendor", "generated"}},
	{
		trait: traits.DataTrait,
		named: wordSet(`yaml yml toml ini docker dockerfile compose helm kubernetes workflow workflows lint linter
			linting eslint prettier makefile cmake manifest ci editorconfig gitignore configured`),
		hinted: wordSet(`config configs configuration configure setting settings set schema image images
			depend dependency dependencies version versions migration migrations package container pipeline build`),
	},
	{
		trait:  traits.ProseTrait,
		named:  wordSet(`docs doc readme changelog`),
		hinted: wordSet(`documentation document documented documents guide tutorial manual`),
	},
}

func wordSet(words string) map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		all[word] = true
	}
	return all
}

// add adds the traits that a lower-case word of a query requests. A word of a path names a file, and no kind of data.
func (r *requestedTraits) add(word string, inPath bool) {
	for _, about := range allRequestWords {
		begins := slices.ContainsFunc(about.begins, func(beginning string) bool { return strings.HasPrefix(word, beginning) })
		if begins || !inPath && about.named[word] {
			r.named |= about.trait
		}
		if !inPath && about.hinted[word] {
			r.hinted |= about.trait
		}
	}
}
