package index

import (
	"ploke-lsp/index/history"
	"ploke-lsp/index/postings"
	"ploke-lsp/internal/syntax"
	"slices"
)

// view is a segment as a search sees it: a shard's, or that of an unsaved text.
type view struct {
	*postings.Segment
	shard   *shard
	log     *history.Log // the shard's
	buffer  *buffer      // whose text it is, nil for the disk's
	allLive bool         // all documents are alive
	live    []bool
	hidden  map[string]bool // relative paths that an unsaved text replaces
}

// corpus is all that is searched. The dead count for nothing, so that it does not
// matter how the files came into the index.
type corpus struct {
	weights weights
	views   []*view
	docs    float64
	unitAvg float64 // terms in a unit
	docAvg  float64 // terms in a document
}

func newCorpus(views []*view, w weights) *corpus {
	c := &corpus{views: views, weights: w}
	var units, length int
	for _, v := range views {
		docs, u, l := v.census()
		c.docs += float64(docs)
		units += u
		length += l
	}
	c.unitAvg, c.docAvg = max(float64(length)/max(float64(units), 1), 1), max(float64(length)/max(c.docs, 1), 1)
	return c
}

// census counts the living documents, their units, and the terms of them all.
func (v *view) census() (docs, units, length int) {
	if v.allLive {
		return v.Docs(), v.Units(), int(v.Length())
	}
	for doc, alive := range v.live {
		if alive {
			info := v.Doc(doc)
			docs++
			units += info.EndUnit - info.FirstUnit
			length += info.Length
		}
	}
	return docs, units, length
}

// lives says whether a document is its file's newest.
func (v *view) isLive(doc int) bool { return v.allLive || v.live[doc] }

// serves says whether a document is what the workspace serves.
func (v *view) serves(doc int) bool {
	return v.isLive(doc) && (len(v.hidden) == 0 || !v.hidden[v.Rel(doc)])
}

// search returns the best units for a question, best first. Whole files are scored
// first, and the units of the best of them.
func (c *corpus) search(q parsedQuery, near []nearUnit, at queryLocations, limit int, m *scratch) []rankedUnit {
	docs := newDocScorer(c, m)
	terms := docs.addTerms(q.terms)
	mentions := docs.addMentions(q.mentions)
	candidates := c.admitLocations(c.admitNear(docs.candidates(), near), at.locations)
	c.scoreFiles(candidates, q, at.prior)
	c.scoreUnits(candidates, m, terms, mentions)
	return c.rank(candidates, limit)
}

// scratch is the memory that a search takes and the next one takes again, so that
// searching does not keep the garbage collector busy.
type scratch struct {
	scores     []float32
	list       []postings.Summary
	scoredDocs []scoredDoc
	candidates []candidate
	unitScores []unitScore
	places     []int32 // of a file's units among those that are scored, from 1; 0: not yet
}

// zeroed returns n zeroes in the memory of s, or in more.
func zeroed[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}

// living counts the documents of a list that are alive.
func (v *view) countLive(list []postings.Summary) (n int) {
	if v.allLive {
		return len(list)
	}
	for _, d := range list {
		if v.live[d.Doc] {
			n++
		}
	}
	return n
}

// document names one of a corpus.
type document struct{ view, doc int }

// unitOf is the innermost unit of a document that holds a place, 0 for the file itself. The
// file's own unit comes first, the others are in the order of symbols.
func (v *view) unitOf(doc int, symbols []syntax.Symbol, inside func(syntax.Symbol) bool) int {
	innermost := -1
	for i, s := range symbols {
		if inside(s) && (innermost < 0 || s.Start >= symbols[innermost].Start) {
			innermost = i
		}
	}
	info := v.Doc(doc)
	for ; innermost >= 0; innermost = symbols[innermost].Parent {
		for unit := info.FirstUnit + 1; unit < info.EndUnit; unit++ {
			if int(v.Unit(unit).Ordinal) == innermost {
				return unit - info.FirstUnit
			}
		}
	}
	return 0
}
