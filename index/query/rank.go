package query

import (
	"cmp"
	"math"
	"slices"

	"ploke-lsp/index/shards"
	"ploke-lsp/index/traits"
)

// rankedUnit is a unit with its scores.
type rankedUnit struct {
	view      *shards.View
	doc, unit int     // in the view
	score     float64 // the total
	text      float64 // of the unit's words, divided by the best unit's
	file      float64 // of its file, divided by the best file's
	history   float64 // of its file, by commits that are like the query
	exact     float64 // how well the query names it, divided by the best
	dense     float64 // how near its vector is to the query's
	prior     float64 // of its file, by the editor's state
	located   float64 // how certain the query identifies it by a line, a phrase or the cursor
	repeated  float64 // the penalty for being a further unit of its file
	from      *candidate
	parts     []ScorePart // of the total, if they were requested
}

// maxScores are the highest scores, which others are divided by; none is zero.
type maxScores struct{ bestUnit, allUnits, whole, file, exact float64 }

// ranking ranks the units of scored files.
type ranking struct {
	*corpus
	max     maxScores
	scratch *scratch
}

// rank returns the best units of scored files, best first. Units of equal score are in the
// order of paths. The mentions are those of the query. order has the files, that with the best unit probably first.
func (c *corpus) rank(files []candidate, mentions []weightedTerm, limit int, s *scratch) (
	best []rankedUnit, order []*candidate) {
	r := ranking{c, maxScores{bestUnit: 1e-9, allUnits: 1e-9, whole: 1e-9, file: 1e-9, exact: 1e-9}, s}
	s.heaps = s.heaps[:0]
	for _, m := range mentions { // a unit that only contains the name must not count as one that declares it
		r.max.exact = max(r.max.exact, m.weight)
	}
	for i := range files {
		files[i].sumUp(&r.max)
	}
	order = make([]*candidate, len(files))
	for i := range files {
		order[i] = &files[i]
		r.max.file = max(r.max.file, r.fileScore(&files[i]))
	}
	for _, d := range order {
		d.upperBound = r.upperBound(d)
	}
	slices.SortFunc(order, func(a, b *candidate) int { return cmp.Compare(b.upperBound, a.upperBound) })
	return (&diversifier{ranking: r, limit: limit, closed: order}).results(), order
}

// sumUp sets a file's totals over its units, and raises m.
func (d *candidate) sumUp(m *maxScores) {
	squares := 0.0
	d.bestUnit = d.base
	for _, u := range d.units {
		d.bestExact, d.bestLocated = max(d.bestExact, u.exact), max(d.bestLocated, u.located)
		if u.own > 0 {
			s := u.own + d.base
			d.bestUnit = max(d.bestUnit, s)
			squares += s * s
		}
	}
	d.allUnits = math.Sqrt(squares)
	m.bestUnit, m.allUnits, m.whole, m.exact = max(m.bestUnit, d.bestUnit), max(m.allUnits, d.allUnits), max(m.whole,
		d.whole), max(m.exact, d.bestExact)
}

// fileScore returns the score of a whole file.
func (r *ranking) fileScore(d *candidate) float64 {
	score := 0.0
	for _, p := range r.fileParts(d) {
		score += p
	}
	return score * r.fileFactor(d)
}

// fileParts returns the parts of the score of a whole file, in the order of fileRules.
func (r *ranking) fileParts(d *candidate) [len(fileRules)]float64 {
	m, w := &r.max, &r.weights
	return [...]float64{
		d.allUnits / m.allUnits,
		w.whole * d.whole / m.whole,
		w.history * d.history,
		w.recency * d.recent,
		w.called * d.nameMatch,
		w.naming*d.naming.match + w.cover*d.naming.cover,
		w.named * d.bestExact / m.exact,
		w.editor * d.prior,
		w.dense * d.dense,
	}
}

// fileFactor returns the factor of a file's score for its kind.
func (r *ranking) fileFactor(d *candidate) float64 {
	return r.kindFactor(d) * d.current
}

// kindFactor returns the factor of the scores of a file and its units for its kind.
func (r *ranking) kindFactor(d *candidate) float64 {
	return r.weights.of(traits.Set(d.Traits), d.naming.own)
}

// roundingMargin is more than the rounding errors of a score, which is a sum in another order than the upper bound.
const roundingMargin = 1e-9

// upperBound returns an upper bound on the score of any of the file's units. Were it less than the score by a rounding
// error, the order of files with equal scores would depend on how the index was built.
func (r *ranking) upperBound(d *candidate) float64 {
	own := d.bestUnit/r.max.bestUnit + r.weights.exact*(d.bestExact/r.max.exact) + r.weights.dense*d.dense
	return own*r.kindFactor(d) + fileWeight*(d.bestLocated+r.fileScore(d)/r.max.file) +
		roundingMargin
}

// scoredUnit is a unit of a file, with its score.
type scoredUnit struct {
	score    float64
	at, unit int32 // its index in candidate.units, and its number
}

// unitHeap is a binary heap of a file's units, the best first: of most files only one or two
// units are looked at.
type unitHeap []scoredUnit

// newHeap returns a heap of n units in the memory of s. If that is too small, earlier heaps keep theirs.
func (s *scratch) newHeap(n int) unitHeap {
	start := len(s.heaps)
	s.heaps = slices.Grow(s.heaps, n)[:start+n]
	return s.heaps[start : start+n : start+n]
}

// before orders by score, then as in the file.
func (h unitHeap) before(i, j int) bool {
	return h[i].score > h[j].score || h[i].score == h[j].score && h[i].unit < h[j].unit
}

// settle moves a unit down to its place.
func (h unitHeap) settle(i int) {
	for {
		best := i
		for child := 2*i + 1; child < min(2*i+3, len(h)); child++ {
			if h.before(child, best) {
				best = child
			}
		}
		if best == i {
			return
		}
		h[i], h[best] = h[best], h[i]
		i = best
	}
}

// withoutFirst removes the best unit.
func (h unitHeap) withoutFirst() unitHeap {
	last := len(h) - 1
	h[0] = h[last]
	h = h[:last]
	h.settle(0)
	return h
}

// best returns the units of a file.
func (r *ranking) best(d *candidate) unitHeap {
	if d.whole == 0 && d.dense == 0 && d.bestLocated == 0 {
		return nil
	}
	file := fileWeight * r.fileScore(d) / r.max.file
	kind := r.kindFactor(d)
	units := r.scratch.newHeap(len(d.units))
	for at, u := range d.units {
		own := (u.own+d.base)/r.max.bestUnit + r.weights.exact*u.exact/r.max.exact + r.weights.dense*u.dense
		if u.unit == 0 && d.count() > 1 {
			own *= r.weights.remainder
		}
		units[at] = scoredUnit{own*kind + file + fileWeight*u.located, int32(at), int32(u.unit)}
	}
	for i := len(units)/2 - 1; i >= 0; i-- {
		units.settle(i)
	}
	return units
}

// ranked returns a unit with all of its scores.
func (r *ranking) ranked(d *candidate, s scoredUnit) rankedUnit {
	u := d.units[s.at]
	return rankedUnit{
		from: d, view: r.views[d.view], doc: d.doc, unit: d.FirstUnit + u.unit, score: s.score,
		text: (u.own + d.base) / r.max.bestUnit, exact: u.exact / r.max.exact, dense: u.dense, located: u.located,
		file: r.fileScore(d) / r.max.file, history: d.history, prior: d.prior,
	}
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

// compareDocs orders documents by path.
func compareDocs(v *shards.View, doc int, w *shards.View, other int) int {
	return cmp.Or(cmp.Compare(v.Shard.Root, w.Shard.Root), v.CompareRel(doc, w.Segment, other))
}
