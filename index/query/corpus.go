package query

import (
	"slices"

	"ploke-lsp/index/postings"
	"ploke-lsp/index/shards"
)

// corpus is the set of all views that a search covers. Dead documents don't count, so the
// scores don't depend on the order in which files were indexed.
type corpus struct {
	weights   channelWeights
	views     []*shards.View
	penalties penalties
	explains  bool                    // whether the results get the parts of their scores
	nearest   map[string][]rankedName // of words that no file has, see nearTo
	docs      float64
	unitAvg   float64 // mean number of terms in a unit, at least 1
	docAvg    float64 // mean number of terms in a document, at least 1
}

func newCorpus(views []*shards.View, w channelWeights) *corpus {
	c := &corpus{views: views, weights: w}
	var units, length int
	for _, v := range views {
		docs, u, l := v.Census()
		c.docs += float64(docs)
		units += u
		length += l
	}
	c.unitAvg, c.docAvg = max(float64(length)/max(float64(units), 1), 1), max(float64(length)/max(c.docs, 1), 1)
	return c
}

// search returns the best units for a query, best first. It scores whole documents first,
// then the units of the best documents. respelled are the words that it did not find as they are.
func (c *corpus) search(
	q parsedQuery, near []nearUnit, at queryLocations, limit int, m *scratch,
) (best []rankedUnit, respelled []Respelling, e Evidence) {
	if c.weights.spelling > 0 {
		respelled = c.respell(&q)
	}
	c.addFrames(&q)
	if q.alone {
		c.weights.exact *= c.weights.alone
		c.weights.named *= c.weights.alone
	}
	docs := newDocScorer(c, m)
	terms := docs.addTerms(q.terms)
	mentions := docs.addMentions(q.mentions)
	candidates := c.admitLocations(c.admitNear(docs.candidates(&q), near), at.locations)
	c.reduceOlderVersions(candidates)
	c.scoreFiles(candidates, q, at.prior)
	c.scoreUnits(candidates, m, terms, mentions)
	clear(m.lists) // which would keep segments in memory
	best, files := c.rank(candidates, mentions, limit, m)
	docs.asked.named = at.named || c.namesSymbol(&q)
	return best, respelled, c.evidence(best, files, docs.asked)
}

// scratch is memory that one search hands to the next, to spare the garbage collector.
type scratch struct {
	scores     []float32
	list       []postings.Summary
	lists      []postings.List // of the terms that documents have
	scoredDocs []scoredDoc
	candidates []candidate
	unitScores []unitScore
	heaps      []scoredUnit // of the files whose units are ranked
	places     []int32      // of each unit of a file, its index in unitScores plus 1; 0: none yet
}

// zeroed returns n zero values, in the memory of s if that is large enough.
func zeroed[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}

// document identifies a document of a corpus by the numbers of its view and in it.
type document struct{ view, doc int }
