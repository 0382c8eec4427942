package query

import (
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
		for trait, weight := range map[traits.Set]float64{traits.TestTrait: testWeight,
			traits.SecondaryTrait: secondaryWeight, traits.ProseTrait: proseWeight, traits.DataTrait: dataWeight} {
			switch {
			case traits.Set(t)&trait&^requested.named == 0:
			case trait&requested.hinted != 0:
				w[t] *= max(weight, hintedWeight)
			default:
				w[t] *= weight
			}
		}
	}
	return w
}

// of returns the factor for a file's traits. named is whether the file's own name has a word of the query.
func (w *channelWeights) of(kind traits.Set, named bool) float64 {
	factor := w.traits[kind&traits.All]
	if named && kind == traits.DataTrait {
		return max(factor, w.ownName)
	}
	return factor
}

var (
	// requestWords are the beginnings of lower-case words that request a trait.
	requestWords = map[traits.Set][]string{
		traits.TestTrait:      {"test"},
		traits.SecondaryTrait: {"example", "sample", "demo", "bench", "vendor", "generated"},
	}
	// namedKinds are the words for kinds of data and prose.
	namedKinds = map[traits.Set]map[string]bool{
		traits.DataTrait: wordSet(`yaml yml toml ini docker dockerfile compose helm kubernetes workflow workflows lint linter
			linting eslint prettier makefile cmake manifest ci editorconfig gitignore configured`),
		traits.ProseTrait: wordSet(`docs doc readme changelog`),
	}
	// hintedKinds are words that may be about data and prose.
	hintedKinds = map[traits.Set]map[string]bool{
		traits.DataTrait: wordSet(`config configs configuration configure setting settings set schema image images
			depend dependency dependencies version versions migration migrations package container pipeline build`),
		traits.ProseTrait: wordSet(`documentation document documented documents guide tutorial manual`),
	}
)

func wordSet(words string) map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		all[word] = true
	}
	return all
}

// add adds the traits that a lower-case word of a query requests. A word of a path names a file, and no kind of data.
func (r *requestedTraits) add(word string, inPath bool) {
	for trait, beginnings := range requestWords {
		for _, beginning := range beginnings {
			if strings.HasPrefix(word, beginning) {
				r.named |= trait
			}
		}
	}
	if inPath {
		return
	}
	for trait, words := range namedKinds {
		if words[word] {
			r.named |= trait
		}
	}
	for trait, words := range hintedKinds {
		if words[word] {
			r.hinted |= trait
		}
	}
}
