package index

import (
	"math"

	"ploke-lsp/index/postings"
)

const (
	saturation      = 1.2 // BM25's k1
	unitLength      = 0.4 // BM25's b for a unit, and for a whole file
	fileLength      = 0.3
	pathWeight      = 2.5 // of a term in the path beside postings' weights
	wholeWeight     = 0.5 // of a whole file's score beside its best units'
	fileWeight      = 0.6 // of a file's score beside its unit's
	containedWeight = 0.3 // of containing a field that the query names
	exactWeight     = 0.6 // of being what the query names
	testWeight      = 0.5 // of a test where the query is not about tests
	restWeight      = 0.6 // of what is left of a file of code when its symbols are taken out
)

// view is a segment as a search sees it: a shard's, or that of an unsaved text.
type view struct {
	*postings.Segment
	shard  *shard
	buffer *buffer         // whose text it is, nil for the disk's
	alive  []bool          // nil: all
	hidden map[string]bool // relative paths that an unsaved text replaces
}

// corpus is all that is searched. The dead count for nothing, so that it does not
// matter how the files came into the index.
type corpus struct {
	views   []*view
	docs    float64
	unitAvg float64 // terms in a unit
	docAvg  float64 // terms in a document
}

func newCorpus(views []*view) *corpus {
	c := &corpus{views: views}
	var units, length int
	for _, v := range views {
		for doc := range v.Docs() {
			if v.lives(doc) {
				info := v.Doc(doc)
				c.docs++
				units += info.EndUnit - info.FirstUnit
				length += info.Length
			}
		}
	}
	c.unitAvg, c.docAvg = max(float64(length)/max(float64(units), 1), 1), max(float64(length)/max(c.docs, 1), 1)
	return c
}

// lives says whether a document is its file's newest.
func (v *view) lives(doc int) bool { return v.alive == nil || v.alive[doc] }

// serves says whether a document is what the workspace serves.
func (v *view) serves(doc int) bool {
	return v.lives(doc) && (len(v.hidden) == 0 || !v.hidden[v.Rel(doc)])
}

// search returns the best units for a question, best first. Whole files are scored
// first, and the units of the best of them.
func (c *corpus) search(q question, limit int) []found {
	s := newSieve(c)
	terms := s.addTerms(q.terms)
	mentions := s.addMentions(q.mentions)
	contenders := s.contenders()
	c.scoreUnits(contenders, terms, mentions)
	return rank(contenders, q.tests, limit)
}

// weighted is a term of the question, and what it is worth in the corpus.
type weighted struct {
	term  string
	worth float64
}

// idf is how telling a term is that so many documents have.
func (c *corpus) idf(n int) float64 {
	return math.Log(1 + (c.docs-float64(n)+0.5)/(float64(n)+0.5))
}

func saturate(w float64) float64 { return w / (saturation + w) }

// contender is a file with its scores.
type contender struct {
	view *view
	doc  int
	postings.DocInfo
	base   float64 // for its path, which all of its units have
	whole  float64 // as a whole
	top    float64 // of its best three units, summed
	sifted float32
	units  []float64 // each unit's own
	exact  []float64 // how well the query names each unit
}

// scoreUnits scores the contenders, which are in the order of views and documents, and
// their units.
func (c *corpus) scoreUnits(contenders []contender, terms, mentions []weighted) {
	total := 0
	for i := range contenders {
		total += contenders[i].EndUnit - contenders[i].FirstUnit
	}
	slab := make([]float64, 2*total)
	for i := range contenders {
		d := &contenders[i]
		n := d.EndUnit - d.FirstUnit
		d.units, d.exact, slab = slab[:n:n], slab[n:2*n:2*n], slab[2*n:]
	}
	for len(contenders) > 0 {
		n := 1
		for n < len(contenders) && contenders[n].view == contenders[0].view {
			n++
		}
		for _, t := range terms {
			c.scoreTerm(contenders[:n], t)
		}
		for _, m := range mentions {
			scoreExact(contenders[:n], m)
		}
		contenders = contenders[n:]
	}
}

// scoreTerm adds what a term is worth to contenders of one view.
func (c *corpus) scoreTerm(contenders []contender, t weighted) {
	list := contenders[0].view.Find(t.term)
	for i := range contenders {
		d := &contenders[i]
		if group, ok := list.To(d.doc); ok {
			c.scoreGroup(d, group, t.worth)
		}
	}
}

func (c *corpus) scoreGroup(d *contender, group postings.Group, worth float64) {
	path, total := 0.0, 0.0
	for unit, f, ok := group.Next(); ok && unit < len(d.units); unit, f, ok = group.Next() {
		if f[postings.Path] > 0 { // the file's own unit, which comes first
			path = pathWeight
			d.base += worth * saturate(path)
		}
		w := float64(f.Weight())
		total += w
		length := float64(d.view.Unit(d.FirstUnit+unit).Length) / c.unitAvg
		w /= 1 - unitLength + unitLength*length
		d.units[unit] += worth * (saturate(w+path) - saturate(path))
	}
	d.whole += worth * saturate((total+path)/c.lengthNorm(d.Length))
}

// lengthNorm is what the weight of a document of that length is divided by.
func (c *corpus) lengthNorm(length int) float64 {
	return 1 - fileLength + fileLength*float64(length)/c.docAvg
}

// scoreExact marks the units of what the query names.
func scoreExact(contenders []contender, m weighted) {
	list := contenders[0].view.Find(m.term)
	for i := range contenders {
		d := &contenders[i]
		group, ok := list.To(d.doc)
		if !ok {
			continue
		}
		for unit, f, ok := group.Next(); ok && unit < len(d.exact); unit, f, ok = group.Next() {
			if f[postings.Name] > 0 {
				d.exact[unit] += m.worth
			} else {
				d.exact[unit] += m.worth * containedWeight
			}
		}
	}
}
