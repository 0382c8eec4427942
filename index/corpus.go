package index

import (
	"slices"

	"ploke-lsp/index/history"
	"ploke-lsp/index/postings"
	"ploke-lsp/internal/syntax"
)

// view is a segment as a search sees it: a segment of a shard, or of an unsaved text.
type view struct {
	*postings.Segment
	shard   *shard
	log     *history.Log // the shard's
	buffer  *buffer      // the unsaved text; nil for a segment on disk
	allLive bool         // all documents are live
	live    []bool
	hidden  map[string]bool // relative paths of files with an unsaved text
}

// corpus is the set of all views that a search covers. Dead documents don't count, so the
// scores don't depend on the order in which files were indexed.
type corpus struct {
	weights   weights
	views     []*view
	penalties penalties
	explains  bool // whether the results get the parts of their scores
	docs      float64
	unitAvg   float64 // mean number of terms in a unit, at least 1
	docAvg    float64 // mean number of terms in a document, at least 1
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

// census counts the live documents, their units, and all of their terms.
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

// isLive reports whether a document is the newest of its file.
func (v *view) isLive(doc int) bool { return v.allLive || v.live[doc] }

// serves reports whether the workspace serves the text of a document.
func (v *view) serves(doc int) bool {
	return v.isLive(doc) && (len(v.hidden) == 0 || !v.hidden[v.Rel(doc)])
}

// servedWith returns how many documents with a term the workspace serves, but not more than limit.
func (v *view) servedWith(term string, limit int) (docs int) {
	list := v.Find(term)
	if v.allLive && len(v.hidden) == 0 {
		return min(list.Docs, limit)
	}
	for docs < limit {
		doc, _, ok := list.Next()
		if !ok {
			break
		}
		if v.serves(doc) {
			docs++
		}
	}
	return docs
}

// search returns the best units for a query, best first. It scores whole documents first,
// then the units of the best documents.
func (c *corpus) search(q parsedQuery, near []nearUnit, at queryLocations, limit int, m *scratch) []rankedUnit {
	if q.alone {
		c.weights.exact *= aloneExact
		c.weights.named *= aloneNamed
	}
	docs := newDocScorer(c, m)
	terms := docs.addTerms(q.terms)
	mentions := docs.addMentions(q.mentions)
	candidates := c.admitLocations(c.admitNear(docs.candidates(), near), at.locations)
	c.reduceOlderVersions(candidates)
	c.scoreFiles(candidates, q, at.prior)
	c.scoreUnits(candidates, m, terms, mentions)
	clear(m.lists) // which would keep segments in memory
	return c.rank(candidates, mentions, limit)
}

// scratch is memory that one search hands to the next, to spare the garbage collector.
type scratch struct {
	scores     []float32
	list       []postings.Summary
	lists      []postings.List // of the terms that documents have
	scoredDocs []scoredDoc
	candidates []candidate
	unitScores []unitScore
	places     []int32 // of each unit of a file, its index in unitScores plus 1; 0: none yet
}

// zeroed returns n zero values, in the memory of s if that is large enough.
func zeroed[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}

// countLive counts the documents of a list that are live.
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

// document identifies a document of a corpus by the numbers of its view and in it.
type document struct{ view, doc int }

// unitOf returns the innermost unit of a document whose symbol inside accepts, 0 for the
// file itself. The file's own unit comes first; the others are in the order of the
// symbols.
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
