package index

import (
	"cmp"
	"slices"

	"ploke-lsp/index/postings"
)

// maxContenders is how many files have their units looked at. What the best hits are
// does not change from a hundred on, but for one in a hundred of them.
const maxContenders = 300

// sift returns the files that are most about the question, judged as a whole, in the
// order of views and documents.
func (c *corpus) sift(terms, mentions []weighted) []contender {
	most := 0.0 // what a file can be worth
	for _, t := range terms {
		most += t.worth
	}
	scores := make([][]float32, len(c.views))
	for i, v := range c.views {
		scores[i] = make([]float32, v.Docs())
		v.scoreDocs(scores[i], c, terms)
		for _, m := range mentions {
			v.addNamed(scores[i], m.term, float32(m.worth*most))
		}
	}
	floor := c.floor(scores)
	var all []contender
	for i, v := range c.views {
		for doc, score := range scores[i] {
			if score > 0 && score >= floor && v.serves(doc) {
				all = append(all, contender{view: v, doc: doc, DocInfo: v.Doc(doc), sifted: score})
			}
		}
	}
	if len(all) <= maxContenders {
		return all
	}
	best := slices.SortedFunc(slices.Values(all), compareSifted)
	return slices.DeleteFunc(all, func(d contender) bool { return compareSifted(d, best[maxContenders-1]) > 0 })
}

// compareSifted orders by score, then by path.
func compareSifted(a, b contender) int {
	if c := cmp.Compare(b.sifted, a.sifted); c != 0 {
		return c
	}
	return cmp.Compare(a.view.path(a.doc), b.view.path(b.doc))
}

// scoreDocs scores each document as a whole.
func (v *view) scoreDocs(scores []float32, c *corpus, terms []weighted) {
	norms := make([]float32, len(scores))
	for doc := range norms {
		norms[doc] = float32(1 / c.lengthNorm(v.DocLength(doc)))
	}
	var buf [512]postings.Summary
	for _, t := range terms {
		list, worth := v.Find(t.term), float32(t.worth)
		for n := list.Summaries(buf[:]); n > 0; n = list.Summaries(buf[:]) {
			for _, s := range buf[:n] {
				w := (float32(s.Weight()) + pathWeight*float32(s.InPath())) * norms[s.Doc]
				scores[s.Doc] += worth * w / (saturation + w)
			}
		}
	}
}

// addNamed adds what a name is worth to the documents that have it.
func (v *view) addNamed(scores []float32, term string, worth float32) {
	list := v.Find(term)
	for doc, _, ok := list.Next(); ok; doc, _, ok = list.Next() {
		scores[doc] += worth
	}
}

// serves says whether a document counts.
func (v *view) serves(doc int) bool {
	return (v.alive == nil || v.alive[doc]) && (len(v.hidden) == 0 || !v.hidden[v.Rel(doc)])
}

// floor is a score that at least maxContenders documents reach, if there are as many,
// and not many more.
func (c *corpus) floor(scores [][]float32) float32 {
	highest := float32(1e-9)
	for _, s := range scores {
		for _, score := range s {
			highest = max(highest, score)
		}
	}
	const steps = 1024
	var counts [steps + 1]int
	for i, s := range scores {
		alive := c.views[i].alive
		for doc, score := range s {
			if score > 0 && (alive == nil || alive[doc]) {
				counts[int(score/highest*steps)]++
			}
		}
	}
	n := 0
	for i := steps; i > 0; i-- {
		if n += counts[i]; n >= maxContenders {
			return float32(i-1) / steps * highest // one step less, for what rounding does
		}
	}
	return 0
}
