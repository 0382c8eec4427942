package index

import (
	"cmp"
	"slices"
)

// found is a unit with its scores.
type found struct {
	view      *view
	doc, unit int     // of the view
	score     float64 // all together
	text      float64 // the unit's, divided by the best unit's
	file      float64 // its file's, divided by the best file's
	vote      float64 // what commits say of its file
	exact     float64 // how well the query names it, divided likewise
	near      float64 // how near it lies to the query
	prior     float64 // of its file, for where the person is
	meant     float64 // how sure the query means it by a line or a phrase
}

// maxima are what scores are divided by; none is zero.
type maxima struct{ unit, top, whole, file, exact float64 }

// rank returns the best units of files that have been scored, best first. Units of
// equal score are in the order of their paths.
func (c *corpus) rank(files []contender, limit int) []found {
	m := maxima{unit: 1e-9, top: 1e-9, whole: 1e-9, file: 1e-9, exact: 1e-9}
	for i := range files {
		files[i].sumUp(&m)
	}
	order := make([]*contender, len(files))
	for i := range files {
		order[i] = &files[i]
		m.file = max(m.file, files[i].score(&m, &c.weights))
	}
	for _, d := range order {
		d.most = d.limit(&m, &c.weights)
	}
	slices.SortFunc(order, func(a, b *contender) int { return cmp.Compare(b.most, a.most) })
	best := best{limit: limit}
	for _, d := range order {
		if best.full() && d.most < best.all[limit-1].score {
			break
		}
		d.rank(c.views[d.view], &m, &c.weights, &best)
	}
	return best.all
}

// sumUp finds a file's best units, and raises the maxima.
func (d *contender) sumUp(m *maxima) {
	var top [3]float64 // descending
	for _, u := range d.units {
		d.named, d.meant = max(d.named, u.exact), max(d.meant, u.meant)
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
	d.best, d.top = max(top[0], d.base), top[0]+top[1]+top[2]
	m.unit, m.top, m.whole, m.exact = max(m.unit, d.best), max(m.top, d.top), max(m.whole, d.whole), max(m.exact, d.named)
}

// score is that of a whole file.
func (d *contender) score(m *maxima, w *weights) float64 {
	score := d.top/m.top + w.whole*d.whole/m.whole + w.history*d.vote + w.recency*d.recent +
		w.called*d.called + w.named*d.named/m.exact + w.editor*d.prior + w.dense*d.near
	return score * w.traits[d.Traits&allTraits]
}

// limit is a score that none of the file's units is above.
func (d *contender) limit(m *maxima, w *weights) float64 {
	own := d.best/m.unit + w.exact*(d.named/m.exact) + w.dense*d.near
	return own*w.traits[d.Traits&allTraits] + d.meant + fileWeight*d.score(m, w)/m.file
}

// rank adds a file's units to the best.
func (d *contender) rank(v *view, m *maxima, w *weights, best *best) {
	if d.whole == 0 && d.near == 0 && d.meant == 0 {
		return
	}
	file := d.score(m, w) / m.file
	trait := w.traits[d.Traits&allTraits]
	for _, u := range d.units {
		f := found{view: v, doc: d.doc, unit: d.FirstUnit + u.unit, file: file, vote: d.vote, near: u.near, meant: u.meant, prior: d.prior}
		f.text, f.exact = (u.own+d.base)/m.unit, u.exact/m.exact
		f.score = (f.text+w.exact*f.exact+w.dense*f.near)*trait + fileWeight*file
		if u.unit == 0 && d.count() > 1 {
			f.score *= restWeight
		}
		f.score += f.meant
		best.add(f)
	}
}

// best keeps the best of many, best first.
type best struct {
	limit int
	all   []found
}

func (b *best) full() bool { return len(b.all) == b.limit }

func (b *best) add(f found) {
	if b.full() {
		if compareFound(f, b.all[b.limit-1]) >= 0 {
			return
		}
		b.all = b.all[:b.limit-1]
	}
	at, _ := slices.BinarySearchFunc(b.all, f, compareFound)
	b.all = slices.Insert(b.all, at, f)
}

// compareFound orders by score, then by path and place, so that the order does not
// depend on how the files came into the index.
func compareFound(a, b found) int {
	if c := cmp.Compare(b.score, a.score); c != 0 {
		return c
	}
	return cmp.Or(compareDocs(a.view, a.doc, b.view, b.doc), cmp.Compare(a.unit, b.unit))
}

// compareDocs orders documents by their paths.
func compareDocs(v *view, doc int, w *view, other int) int {
	return cmp.Or(cmp.Compare(v.shard.root, w.shard.root), v.CompareRel(doc, w.Segment, other))
}
