package index

import (
	"math"
	"slices"

	"ploke-lsp/index/history"
	"ploke-lsp/index/postings"
)

// view is a segment as a search sees it: a shard's, or that of an unsaved text.
type view struct {
	*postings.Segment
	shard  *shard
	log    *history.Log // the shard's
	buffer *buffer      // whose text it is, nil for the disk's
	allLive bool         // all documents are alive
	live  []bool
	hidden map[string]bool // relative paths that an unsaved text replaces
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
	scoredDocs     []scoredDoc
	candidates []candidate
	unitScores      []unitScore
	places     []int32 // of a file's units among those that are scored, from 1; 0: not yet
}

// zeroed returns n zeroes in the memory of s, or in more.
func zeroed[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}

// weighted is a term of the question, and what it is worth in the corpus.
type weightedTerm struct {
	lists []postings.List // of the term, by view
	weight float64
}

// idf is how telling a term is that so many documents have.
func (c *corpus) idf(n int) float64 {
	return math.Log(1 + (c.docs-float64(n)+0.5)/(float64(n)+0.5))
}

func saturatedWeight(w float64) float64 { return w / (k1 + w) }

// contender is a file with its scores.
type candidate struct {
	view int // its number
	doc  int
	postings.DocInfo
	base  float64  // for its path, which all of its units have
	whole float64  // as a whole
	units []unitScore // the file's own unit, and those with something of the question
	best  float64  // of its best unit
	top   float64  // of its best three units, summed
	bestExact float64  // of the unit that the query names best
	bestLocated float64  // of the unit that it means the most by a line or a phrase

	history   float64 // of commits that are like the query
	recent float64 // how recently a commit touched it
	nameMatch float64 // how well the query calls the file by its name
	prior  float64 // for where the person is
	near   float64 // of its unit that lies nearest to the query
	upperBound   float64 // what none of its units is above in all

	nearest []nearUnit // its units that lie near the query
	locations   []location // in it
}

// scored is a unit with its scores.
type unitScore struct {
	unit  int     // counted from the file's first
	own   float64 // for its words
	exact float64 // how well the query names it
	near  float64 // how near it lies to the query
	located float64 // how sure the query means it by a line or a phrase
}

// scoreUnits scores the contenders, which are in the order of views and documents, and
// their units.
func (c *corpus) scoreUnits(candidates []candidate, m *scratch, terms, mentions []weightedTerm) {
	m.unitScores = m.unitScores[:0]
	for i := range candidates {
		d := &candidates[i]
		units := unitScores{scratch: m, first: len(m.unitScores)}
		m.places = zeroed(m.places, d.count())
		units.of(0)
		for _, t := range terms {
			if group, ok := t.lists[d.view].To(d.doc); ok {
				c.scoreGroup(d, &units, group, t.weight)
			}
		}
		for _, t := range mentions {
			if group, ok := t.lists[d.view].To(d.doc); ok {
				units.scoreExact(group, t.weight)
			}
		}
		for _, n := range d.nearest {
			if unit := units.of(n.unit); unit != nil {
				unit.near = n.score
			}
		}
		for _, s := range d.locations {
			if unit := units.of(s.unit); unit != nil {
				unit.located += s.weight
			}
		}
		d.units = m.unitScores[units.first:]
	}
}

// scoreFiles scores the contenders for what is known of files beside their texts.
func (c *corpus) scoreFiles(candidates []candidate, q parsedQuery, prior *prior) {
	question := make([]history.Term, len(q.terms))
	for i, t := range q.terms {
		question[i] = history.Term{Text: t.term, Weight: t.weight}
	}
	votes := map[*history.Log]map[string]float64{}
	for i := range candidates {
		d := &candidates[i]
		v := c.views[d.view]
		if _, ok := votes[v.log]; !ok {
			votes[v.log] = v.log.Votes(question)
		}
		rel := v.Rel(d.doc)
		d.history, d.nameMatch = votes[v.log][rel], max(q.fileNameMatch(rel), c.weights.place*q.folderMatch(v, rel))
		d.recent, d.prior = v.log.Recency(rel), prior.of(v.shard, rel)
		for _, s := range d.locations {
			d.nameMatch = max(d.nameMatch, s.nameMatch)
		}
	}
}

// count is the number of a file's units.
func (d *candidate) count() int { return d.EndUnit - d.FirstUnit }

// tally are the units of a file that have scores, which are those of scratch from first.
type unitScores struct {
	*scratch
	first int
}

// of is the tally of a unit, valid until the next call; nil where there is no such unit.
func (t *unitScores) of(unit int) *unitScore {
	if unit >= len(t.places) {
		return nil
	}
	place := &t.places[unit]
	if *place == 0 {
		t.unitScores = append(t.unitScores, unitScore{unit: unit})
		*place = int32(len(t.unitScores) - t.first)
	}
	return &t.unitScores[t.first+int(*place)-1]
}

// scoreGroup adds what a term is worth to a file and its units.
func (c *corpus) scoreGroup(d *candidate, units *unitScores, group postings.Group, worth float64) {
	v := c.views[d.view]
	path, total := 0.0, 0.0
	for p, ok := group.Next(); ok; p, ok = group.Next() {
		unit := units.of(p.Unit)
		if unit == nil {
			break
		}
		if p.In(postings.Path) { // the file's own unit, which comes first
			path = c.weights.path
			d.base += worth * saturatedWeight(path)
		}
		w := float64(p.Weight)
		total += w
		norm := 1 - unitB + unitB/c.unitAvg*float64(v.Unit(d.FirstUnit+p.Unit).Length)
		if path == 0 {
			unit.own += worth * w / (k1*norm + w)
		} else {
			unit.own += worth * (saturatedWeight(w/norm+path) - saturatedWeight(path))
		}
	}
	d.whole += worth * saturatedWeight((total+path)/c.lengthNorm(d.Length))
}

// lengthNorm is what the weight of a document of that length is divided by.
func (c *corpus) lengthNorm(length int) float64 {
	return 1 - docB + docB/c.docAvg*float64(length)
}

// scoreExact marks the units of what the query names.
func (t *unitScores) scoreExact(group postings.Group, worth float64) {
	for p, ok := group.Next(); ok; p, ok = group.Next() {
		unit := t.of(p.Unit)
		switch {
		case unit == nil:
			return
		case p.In(postings.Name):
			unit.exact += worth
		default:
			unit.exact += worth * containedWeight
		}
	}
}
