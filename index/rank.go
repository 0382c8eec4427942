package index

import (
	"cmp"
	"slices"
)

// found is a unit with its scores.
type found struct {
	view      *view
	doc, unit int32   // of the view
	score     float64 // all together
	text      float64 // the unit's, divided by the best unit's
	file      float64 // its file's, divided by the best file's
	exact     float64 // how well the query names it, divided likewise
}

// document is a file with its scores.
type document struct {
	view  *view
	doc   int
	top   float64 // of its best three units, summed
	whole float64
}

// maxima are what scores are divided by; none is zero.
type maxima struct{ unit, top, whole, file, exact float64 }

// rank returns the best units of a corpus that has been scored, best first. Units of
// equal score are in the order of their paths.
func (c *corpus) rank(tests bool, limit int) []found {
	m := maxima{unit: 1e-9, top: 1e-9, whole: 1e-9, file: 1e-9, exact: 1e-9}
	var docs []document
	for _, v := range c.views {
		for doc, whole := range v.whole {
			if whole > 0 && !v.hidden[v.Rel(doc)] {
				docs = append(docs, v.document(doc, &m))
			}
		}
	}
	for _, d := range docs {
		m.file = max(m.file, d.file(&m))
	}
	best := best{limit: limit}
	for _, d := range docs {
		d.view.rank(d, &m, tests, &best)
	}
	return best.take()
}

// document sums up a file, and raises the maxima.
func (v *view) document(doc int, m *maxima) document {
	info := v.Doc(doc)
	var top [3]float64 // descending
	for u := info.FirstUnit; u < info.EndUnit; u++ {
		m.exact = max(m.exact, v.exact[int32(u)])
		s := v.units[u]
		if s == 0 {
			continue
		}
		s += v.base[doc]
		for i := range top {
			if s > top[i] {
				s, top[i] = top[i], s
			}
		}
	}
	d := document{view: v, doc: doc, top: top[0] + top[1] + top[2], whole: v.whole[doc]}
	m.unit, m.top, m.whole = max(m.unit, top[0]), max(m.top, d.top), max(m.whole, d.whole)
	return d
}

func (d document) file(m *maxima) float64 { return d.top/m.top + wholeWeight*d.whole/m.whole }

// rank adds a document's units to the best.
func (v *view) rank(d document, m *maxima, tests bool, best *best) {
	info := v.Doc(d.doc)
	file := d.file(m) / m.file
	for u := info.FirstUnit; u < info.EndUnit; u++ {
		own, exact := v.units[u], v.exact[int32(u)]
		if own == 0 && exact == 0 && u > info.FirstUnit {
			continue
		}
		f := found{view: v, doc: int32(d.doc), unit: int32(u), file: file}
		f.text, f.exact = (own+v.base[d.doc])/m.unit, exact/m.exact
		f.score = f.text + fileWeight*file + exactWeight*f.exact
		if u == info.FirstUnit && info.EndUnit-info.FirstUnit > 1 {
			f.score *= restWeight
		}
		if info.Test && !tests {
			f.score *= testWeight
		}
		best.add(f)
	}
}

// best keeps the best of many.
type best struct {
	limit int
	floor float64 // what scores less is not among the best
	all   []found
}

func (b *best) add(f found) {
	if f.score < b.floor {
		return
	}
	b.all = append(b.all, f)
	if len(b.all) >= 4*b.limit+64 {
		b.cut()
	}
}

func (b *best) cut() {
	slices.SortFunc(b.all, compareFound)
	if len(b.all) >= b.limit {
		b.all = b.all[:b.limit]
		b.floor = b.all[b.limit-1].score
	}
}

func (b *best) take() []found {
	b.cut()
	return b.all
}

// compareFound orders by score, then by path and place, so that the order does not
// depend on how the files came into the index.
func compareFound(a, b found) int {
	if c := cmp.Compare(b.score, a.score); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(a.path(), b.path()), cmp.Compare(a.unit, b.unit))
}

func (f found) path() string { return f.view.shard.root + "/" + f.view.Rel(int(f.doc)) }
