package index

import (
	"cmp"
	"slices"
)

// rankedUnit is a unit with its scores.
type rankedUnit struct {
	view      *view
	doc, unit int     // in the view
	score     float64 // the total
	text      float64 // of the unit's words, divided by the best unit's
	file      float64 // of its file, divided by the best file's
	history   float64 // of its file, by commits that are like the query
	exact     float64 // how well the query names it, divided by the best
	dense     float64 // how near its vector is to the query's
	prior     float64 // of its file, by the editor's state
	located   float64 // how certain the query identifies it by a line, a phrase or the cursor
}

// maxScores are the highest scores, which others are divided by; none is zero.
type maxScores struct{ bestUnit, topUnits, whole, file, exact float64 }

// rank returns the best units of scored files, best first. Units of equal score are in the
// order of paths.
func (c *corpus) rank(files []candidate, limit int) []rankedUnit {
	m := maxScores{bestUnit: 1e-9, topUnits: 1e-9, whole: 1e-9, file: 1e-9, exact: 1e-9}
	for i := range files {
		files[i].sumUp(&m)
	}
	order := make([]*candidate, len(files))
	for i := range files {
		order[i] = &files[i]
		m.file = max(m.file, files[i].score(&m, &c.weights))
	}
	for _, d := range order {
		d.upperBound = d.scoreUpperBound(&m, &c.weights)
	}
	slices.SortFunc(order, func(a, b *candidate) int { return cmp.Compare(b.upperBound, a.upperBound) })
	best := topUnits{limit: limit}
	for _, d := range order {
		if best.full() && d.upperBound < best.all[limit-1].score {
			break
		}
		d.rank(c.views[d.view], &m, &c.weights, &best)
	}
	return best.all
}

// sumUp sets a file's totals over its units, and raises m.
func (d *candidate) sumUp(m *maxScores) {
	var top [3]float64 // descending
	for _, u := range d.units {
		d.bestExact, d.bestLocated = max(d.bestExact, u.exact), max(d.bestLocated, u.located)
		if u.own == 0 || u.own+d.base <= top[2] {
			continue
		}
		s := u.own + d.base
		for i := range top {
			if s > top[i] {
				s, top[i] = top[i], s
			}
		}
	}
	d.bestUnit, d.topUnits = max(top[0], d.base), top[0]+top[1]+top[2]
	m.bestUnit, m.topUnits, m.whole, m.exact = max(m.bestUnit, d.bestUnit), max(m.topUnits, d.topUnits), max(m.whole, d.whole), max(m.exact, d.bestExact)
}

// score returns the score of a whole file.
func (d *candidate) score(m *maxScores, w *weights) float64 {
	score := d.topUnits/m.topUnits + w.whole*d.whole/m.whole + w.history*d.history + w.recency*d.recent +
		w.called*d.nameMatch + w.named*d.bestExact/m.exact + w.editor*d.prior + w.dense*d.dense
	return score * w.traits[d.Traits&allTraits]
}

// scoreUpperBound returns an upper bound on the score of any of the file's units.
func (d *candidate) scoreUpperBound(m *maxScores, w *weights) float64 {
	own := d.bestUnit/m.bestUnit + w.exact*(d.bestExact/m.exact) + w.dense*d.dense
	return own*w.traits[d.Traits&allTraits] + d.bestLocated + fileWeight*d.score(m, w)/m.file
}

// rank adds a file's units to best.
func (d *candidate) rank(v *view, m *maxScores, w *weights, best *topUnits) {
	if d.whole == 0 && d.dense == 0 && d.bestLocated == 0 {
		return
	}
	file := d.score(m, w) / m.file
	trait := w.traits[d.Traits&allTraits]
	for _, u := range d.units {
		f := rankedUnit{view: v, doc: d.doc, unit: d.FirstUnit + u.unit, file: file, history: d.history, dense: u.dense, located: u.located, prior: d.prior}
		f.text, f.exact = (u.own+d.base)/m.bestUnit, u.exact/m.exact
		f.score = (f.text+w.exact*f.exact+w.dense*f.dense)*trait + fileWeight*file
		if u.unit == 0 && d.count() > 1 {
			f.score *= fileRemainderWeight
		}
		f.score += f.located
		best.add(f)
	}
}

// topUnits keeps the units with the highest scores, best first.
type topUnits struct {
	limit int
	all   []rankedUnit
}

func (b *topUnits) full() bool { return len(b.all) == b.limit }

func (b *topUnits) add(f rankedUnit) {
	b.all = insertTop(b.all, f, b.limit, compareRanked)
}

// insertTop inserts an item into a sorted list, unless an equal item is there. If the list
// then has more than limit items, it drops the last one.
func insertTop[T any](list []T, item T, limit int, compare func(a, b T) int) []T {
	if len(list) == limit && compare(item, list[limit-1]) >= 0 {
		return list
	}
	at, found := slices.BinarySearchFunc(list, item, compare)
	if found {
		return list
	}
	list = slices.Insert(list, at, item)
	return list[:min(len(list), limit)]
}

// compareRanked orders by score, then by path and unit, so that the order does not depend
// on how the index was built.
func compareRanked(a, b rankedUnit) int {
	if c := cmp.Compare(b.score, a.score); c != 0 {
		return c
	}
	return cmp.Or(compareDocs(a.view, a.doc, b.view, b.doc), cmp.Compare(a.unit, b.unit))
}

// compareDocs orders documents by path.
func compareDocs(v *view, doc int, w *view, other int) int {
	return cmp.Or(cmp.Compare(v.shard.root, w.shard.root), v.CompareRel(doc, w.Segment, other))
}
