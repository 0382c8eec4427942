package index

import (
	"cmp"
	"math"
	"slices"

	"ploke-lsp/index/postings"
)

// maxContenders is how many files have their units looked at. Looking at all instead
// changes one in three hundred of the best twenty units, and none of the best five.
const maxContenders = 300

// sieve scores whole documents, to find those whose units are worth a look.
type sieve struct {
	*corpus
	scores [][]float32 // of each view's documents
	norms  [][]float32 // what the weight of a document is multiplied by, for its length
	most   float64     // what a document can be worth
	list   []postings.Summary
	ends   []int // where each view's part of the list ends
}

func newSieve(c *corpus) *sieve {
	s := &sieve{corpus: c, scores: make([][]float32, len(c.views)), norms: make([][]float32, len(c.views)), ends: make([]int, len(c.views))}
	for i, v := range c.views {
		s.scores[i], s.norms[i] = make([]float32, v.Docs()), make([]float32, v.Docs())
		for doc := range s.norms[i] {
			s.norms[i][doc] = float32(1 / c.lengthNorm(v.DocLength(doc)))
		}
	}
	return s
}

// read reads the list of a term and returns its idf, 0 where no living document has it.
func (s *sieve) read(term string) (idf float64) {
	s.list = s.list[:0]
	n := 0
	for i, v := range s.views {
		start, list := len(s.list), v.Find(term)
		s.list = list.Summaries(s.list)
		s.ends[i] = len(s.list)
		for _, d := range s.list[start:] {
			if v.lives(int(d.Doc)) {
				n++
			}
		}
	}
	if n == 0 {
		return 0
	}
	return s.idf(n)
}

// addTerms adds what terms are worth to the documents that have them.
func (s *sieve) addTerms(terms []queryTerm) (all []weighted) {
	for _, t := range terms {
		worth := s.read(t.term) * t.weight
		if worth == 0 {
			continue
		}
		all = append(all, weighted{t.term, worth})
		s.most += worth
		start := 0
		for i, end := range s.ends {
			scores, norms := s.scores[i], s.norms[i]
			for _, d := range s.list[start:end] {
				w := (float32(d.Weight()) + pathWeight*float32(d.InPath())) * norms[d.Doc]
				scores[d.Doc] += float32(worth) * w / (saturation + w)
			}
			start = end
		}
	}
	return all
}

// addMentions adds what names are worth to the documents that have them: one that is
// as telling as can be lifts a document above all that only have the terms. Each name
// is worth at most its weight; one that many have says less.
func (s *sieve) addMentions(mentions []mention) (all []weighted) {
	for _, m := range mentions {
		worth := s.read(m.term) * m.weight / math.Log(2+s.docs)
		if worth == 0 {
			continue
		}
		all = append(all, weighted{m.term, worth})
		start := 0
		for i, end := range s.ends {
			for _, d := range s.list[start:end] {
				s.scores[i][d.Doc] += float32(worth * s.most)
			}
			start = end
		}
	}
	return all
}

// contenders are the best documents, in the order of views and documents.
func (s *sieve) contenders() []contender {
	floor := s.floor()
	var all []contender
	for i, v := range s.views {
		for doc, score := range s.scores[i] {
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

// floor is a score that at least maxContenders documents reach, if there are as many,
// and not many more.
func (s *sieve) floor() float32 {
	highest := float32(1e-9)
	for _, scores := range s.scores {
		for _, score := range scores {
			highest = max(highest, score)
		}
	}
	const steps = 1024
	var counts [steps + 1]int
	for i, v := range s.views {
		for doc, score := range s.scores[i] {
			if score > 0 && v.lives(doc) {
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
