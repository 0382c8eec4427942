package query

import (
	"ploke-lsp/index/history"
	"ploke-lsp/index/postings"
)

// weightedTerm is a term of the query, with its weight in the corpus.
type weightedTerm struct {
	lists   []postings.List // by view
	weight  float64
	members bool // see nameMention
}

// candidate is a document that passed the first stage, with its scores.
type candidate struct {
	view int // the number of its view
	doc  int
	postings.DocInfo
	rel        string      // its path
	current    float64     // less than 1 for an older version
	units      []unitScore // the file's own unit, and the units that match the query
	upperBound float64     // on the total score of any of its units
	wordScores
	fileSignals

	nearUnits []nearUnit // its units near the query
	locations []location // in it
}

// wordScores are the scores of a file for the words of the query.
type wordScores struct {
	base        float64 // for its path, which all of its units have
	whole       float64 // as a whole
	bestUnit    float64 // of its best unit
	allUnits    float64 // of all of its units: the Euclidean norm, in which the best count most
	bestExact   float64 // of the unit that the query names best
	bestLocated float64 // of the unit that a line, a phrase or the cursor identifies best
}

// fileSignals are what speaks for a file besides the words in it.
type fileSignals struct {
	history   float64 // of commits that are like the query
	recent    float64 // how recently a commit changed it
	nameMatch float64 // how well the query names the file
	naming    naming  // the query's words in the names of the file and its folders
	prior     float64 // by the editor's state
	dense     float64 // of its unit nearest to the query
}

// unitScore is the scores of a unit.
type unitScore struct {
	unit    int     // counted from the file's first
	own     float64 // of its words
	exact   float64 // how well the query names it
	dense   float64 // how near its vector is to the query's
	located float64 // how certain the query identifies it by a line, a phrase or the cursor
}

// scoreUnits is the second stage of a search: it scores the units of the candidates. The
// candidates are in the order of views and documents.
func (c *corpus) scoreUnits(candidates []candidate, m *scratch, terms, mentions []weightedTerm) {
	m.unitScores = m.unitScores[:0]
	for i := range candidates {
		d := &candidates[i]
		units := unitScores{scratch: m, first: len(m.unitScores)}
		lengths := c.views[d.view].UnitLengths(d.FirstUnit, d.EndUnit)
		m.places = zeroed(m.places, d.count())
		units.forUnit(0)
		for _, t := range terms {
			if group, ok := t.lists[d.view].To(d.doc); ok {
				c.scoreGroup(d, &units, lengths, group, t.weight)
			}
		}
		for _, t := range mentions {
			if group, ok := t.lists[d.view].To(d.doc); ok {
				units.scoreExact(group, t)
			}
		}
		for _, n := range d.nearUnits {
			if unit := units.forUnit(n.unit); unit != nil {
				unit.dense = n.score
			}
		}
		for _, s := range d.locations {
			if unit := units.forUnit(s.unit); unit != nil {
				unit.located += s.weight
			}
		}
		d.units = m.unitScores[units.first:]
	}
}

// historyTerms returns the terms, for the log of commits.
func (q *parsedQuery) historyTerms() []history.Term {
	terms := make([]history.Term, len(q.terms))
	for i, t := range q.terms {
		terms[i] = history.Term{Text: t.term, Weight: t.weight}
	}
	return terms
}

// scoreFiles scores the candidates by what is known about files apart from their texts.
func (c *corpus) scoreFiles(candidates []candidate, q parsedQuery, prior *editorPrior) {
	terms := q.historyTerms()
	votes := map[*history.Log]map[string]float64{}
	for i := range candidates {
		d := &candidates[i]
		v := c.views[d.view]
		if _, ok := votes[v.Log]; !ok {
			votes[v.Log] = v.Log.Votes(terms)
		}
		rel := d.rel
		d.history, d.nameMatch = votes[v.Log][rel], c.weights.place*q.folderMatch(v, rel)
		if q.namesFile(rel) {
			d.nameMatch = max(d.nameMatch, 1)
		}
		d.naming = q.namingOf(rel)
		d.recent, d.prior = v.Log.Recency(rel), prior.forFile(v.Shard, rel)
		for _, s := range d.locations {
			d.nameMatch = max(d.nameMatch, s.nameMatch)
		}
	}
}

// count returns the number of a file's units.
func (d *candidate) count() int { return d.EndUnit - d.FirstUnit }

// unitScores are the scores of a file's units: those of scratch from first.
type unitScores struct {
	*scratch
	first int
}

// forUnit returns the scores of a unit, valid until the next call; nil if there is no such
// unit.
func (t *unitScores) forUnit(unit int) *unitScore {
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

// scoreGroup adds the BM25 scores of a term to a file and its units.
func (c *corpus) scoreGroup(d *candidate, units *unitScores, lengths postings.UnitLengths, group postings.Group,
	weight float64) {
	path, total := 0.0, 0.0
	for p, ok := group.Next(); ok; p, ok = group.Next() {
		unit := units.forUnit(p.Unit)
		if unit == nil {
			break
		}
		if p.In(postings.Path) { // the file's own unit, which is the first
			path = c.weights.path
			d.base += weight * saturated(path)
		}
		w := float64(p.Weight)
		total += w
		norm := c.unitNorm(lengths.Of(p.Unit))
		if path == 0 {
			unit.own += termScore(weight, w, norm)
		} else {
			unit.own += weight * (saturated(w/norm+path) - saturated(path))
		}
	}
	d.whole += weight * saturated((total+path)/c.docNorm(d.Length))
}

// scoreExact scores the units that the query names. The members of a named symbol count
// only if the query does not name them themselves, as it does a constructor.
func (t *unitScores) scoreExact(group postings.Group, m weightedTerm) {
	for p, ok := group.Next(); ok; p, ok = group.Next() {
		unit := t.forUnit(p.Unit)
		switch {
		case unit == nil:
			return
		case m.members:
			unit.exact = max(unit.exact, m.weight)
		case p.In(postings.Name):
			unit.exact += m.weight
		default:
			unit.exact += m.weight * containedWeight
		}
	}
}
