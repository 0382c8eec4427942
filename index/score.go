package index

import (
	"math"

	"ploke-lsp/index/postings"
)

// How much a term counts in each field of a unit, by postings.Field.
var fieldWeights = [postings.Fields]float64{postings.Name: 5, postings.Signature: 2, postings.Doc: 2, postings.Body: 1, postings.Path: 2.5}

const (
	saturation      = 1.2 // BM25's k1
	unitLength      = 0.4 // BM25's b for a unit, and for a whole file
	longUnit        = 20  // average units: longer ones are no worse
	fileLength      = 0.3
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
	buffer *buffer           // whose text it is, nil for the disk's
	alive  []bool            // nil: all
	hidden map[string]bool   // relative paths that an unsaved text replaces
	units  []float64         // each unit's own score
	base   []float64         // each document's score by its path, which all of its units have
	whole  []float64         // each document's score as a whole
	exact  map[int32]float64 // of units, how well the query names them
}

// corpus is all that is searched.
type corpus struct {
	views   []*view
	docs    float64
	unitAvg float64 // terms in a unit
	docAvg  float64 // terms in a document
}

func newCorpus(views []*view) *corpus {
	c := &corpus{views: views}
	var units, length float64
	for _, v := range views {
		v.units = make([]float64, v.Units())
		v.base = make([]float64, v.Docs())
		v.whole = make([]float64, v.Docs())
		v.exact = map[int32]float64{}
		c.docs += float64(v.Docs())
		units += float64(v.Units())
		length += float64(v.Length())
	}
	c.unitAvg, c.docAvg = max(length/max(units, 1), 1), max(length/max(c.docs, 1), 1)
	return c
}

// score gives every document and unit its scores for the question.
func (c *corpus) score(q question) {
	for _, t := range q.terms {
		if idf := c.idf(t.term); idf > 0 {
			for _, v := range c.views {
				v.score(t.term, idf*t.weight, c)
			}
		}
	}
	for _, m := range q.mentions {
		c.scoreExact(m)
	}
}

// idf is how telling a term is, 0 where nothing has it.
func (c *corpus) idf(term string) float64 {
	n := 0.0
	for _, v := range c.views {
		list := v.Find(term)
		n += float64(list.Docs)
	}
	if n == 0 {
		return 0
	}
	return math.Log(1 + (c.docs-n+0.5)/(n+0.5))
}

// score adds what a term is worth to the documents and units that have it.
func (v *view) score(term string, worth float64, c *corpus) {
	list := v.Find(term)
	for doc, group, ok := list.Next(); ok; doc, group, ok = list.Next() {
		if v.alive != nil && !v.alive[doc] {
			continue
		}
		info := v.Doc(doc)
		path, total := 0.0, 0.0
		for unit, f, ok := group.Next(); ok && info.FirstUnit+unit < info.EndUnit; unit, f, ok = group.Next() {
			if f[postings.Path] > 0 { // the file's own unit, which comes first
				path = fieldWeights[postings.Path]
				v.base[doc] += worth * saturate(path)
			}
			w := weigh(f)
			total += w
			length := float64(v.Unit(info.FirstUnit+unit).Length) / c.unitAvg
			w /= 1 - unitLength + unitLength*length
			v.units[info.FirstUnit+unit] += worth * (saturate(w+path) - saturate(path))
		}
		norm := 1 - fileLength + fileLength*float64(info.Length)/c.docAvg
		v.whole[doc] += worth * saturate((total+path)/norm)
	}
}

// weigh sums the fields of a unit but its path.
func weigh(f postings.Frequencies) (w float64) {
	for field, n := range f[:postings.Path] {
		if n > 0 {
			w += fieldWeights[field] * float64(n)
		}
	}
	return w
}

func saturate(w float64) float64 { return w / (saturation + w) }

// scoreExact marks the units of what the query names; a name that many have says less.
func (c *corpus) scoreExact(m mention) {
	worth := m.weight * c.idf(m.term) / math.Log(2+c.docs)
	for _, v := range c.views {
		list := v.Find(m.term)
		for doc, group, ok := list.Next(); ok; doc, group, ok = list.Next() {
			info := v.Doc(doc)
			for unit, f, ok := group.Next(); ok; unit, f, ok = group.Next() {
				if f[postings.Name] > 0 {
					v.exact[int32(info.FirstUnit+unit)] += worth
				} else {
					v.exact[int32(info.FirstUnit+unit)] += worth * containedWeight
				}
			}
		}
	}
}
