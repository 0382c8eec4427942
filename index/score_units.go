package index

import (
	"ploke-lsp/index/history"
	"ploke-lsp/index/postings"
)

// weighted is a term of the question, and what it is worth in the corpus.
type weightedTerm struct {
	lists  []postings.List // of the term, by view
	weight float64
}

// contender is a file with its scores.
type candidate struct {
	view int // its number
	doc  int
	postings.DocInfo
	base        float64     // for its path, which all of its units have
	whole       float64     // as a whole
	units       []unitScore // the file's own unit, and those with something of the question
	bestUnit    float64     // of its best unit
	topUnits    float64     // of its best three units, summed
	bestExact   float64     // of the unit that the query names best
	bestLocated float64     // of the unit that it means the most by a line or a phrase

	history    float64 // of commits that are like the query
	recent     float64 // how recently a commit touched it
	nameMatch  float64 // how well the query calls the file by its name
	prior      float64 // for where the person is
	dense      float64 // of its unit that lies nearest to the query
	upperBound float64 // what none of its units is above in all

	nearUnits []nearUnit // its units that lie near the query
	locations []location // in it
}

// scored is a unit with its scores.
type unitScore struct {
	unit    int     // counted from the file's first
	own     float64 // for its words
	exact   float64 // how well the query names it
	dense   float64 // how near it lies to the query
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
		for _, n := range d.nearUnits {
			if unit := units.of(n.unit); unit != nil {
				unit.dense = n.score
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
	terms := make([]history.Term, len(q.terms))
	for i, t := range q.terms {
		terms[i] = history.Term{Text: t.term, Weight: t.weight}
	}
	votes := map[*history.Log]map[string]float64{}
	for i := range candidates {
		d := &candidates[i]
		v := c.views[d.view]
		if _, ok := votes[v.log]; !ok {
			votes[v.log] = v.log.Votes(terms)
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
func (c *corpus) scoreGroup(d *candidate, units *unitScores, group postings.Group, weight float64) {
	v := c.views[d.view]
	path, total := 0.0, 0.0
	for p, ok := group.Next(); ok; p, ok = group.Next() {
		unit := units.of(p.Unit)
		if unit == nil {
			break
		}
		if p.In(postings.Path) { // the file's own unit, which comes first
			path = c.weights.path
			d.base += weight * saturated(path)
		}
		w := float64(p.Weight)
		total += w
		norm := c.unitNorm(int(v.Unit(d.FirstUnit + p.Unit).Length))
		if path == 0 {
			unit.own += termScore(weight, w, norm)
		} else {
			unit.own += weight * (saturated(w/norm+path) - saturated(path))
		}
	}
	d.whole += weight * saturated((total+path)/c.docNorm(d.Length))
}

// scoreExact marks the units of what the query names.
func (t *unitScores) scoreExact(group postings.Group, weight float64) {
	for p, ok := group.Next(); ok; p, ok = group.Next() {
		unit := t.of(p.Unit)
		switch {
		case unit == nil:
			return
		case p.In(postings.Name):
			unit.exact += weight
		default:
			unit.exact += weight * containedWeight
		}
	}
}
