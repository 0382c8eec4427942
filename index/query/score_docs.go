package query

import (
	"cmp"
	"math"
	"slices"

	"ploke-lsp/index/postings"
	"ploke-lsp/index/traits"
)

// maxCandidates is the number of files whose units are scored. On 300 changes and 216
// questions, 150 files give the same figures, and take a tenth longer.
const maxCandidates = 80

// maxTerms is the number of terms that are looked for. Only pasted logs and the like have more, of
// which the least telling take the most time.
const maxTerms = 256

// docScorer is the first stage of a search: it scores whole documents, to select the
// candidates whose units the second stage scores.
//
// It goes through the posting lists of one term after the other, and adds to a score of each document. That touches
// all documents with a term, but each of them for a few operations, without a heap and without a branch on the
// score. The best are selected afterwards: scoreFloor counts scores in steps, so that nearly all documents are
// refused by one comparison.
type docScorer struct {
	*corpus
	*scratch
	scores   [][]float32 // of each view's documents
	maxScore float64     // the highest possible score of a document
	asked    askedWords
	ends     []int // the end of each view's part of list
}

func newDocScorer(c *corpus, m *scratch) *docScorer {
	s := &docScorer{corpus: c, scratch: m, scores: make([][]float32, len(c.views)), ends: make([]int, len(c.views))}
	total := 0
	for _, v := range c.views {
		total += v.Docs()
	}
	m.scores, m.lists = zeroed(m.scores, total), m.lists[:0]
	rest := m.scores
	for i, v := range c.views {
		s.scores[i], rest = rest[:v.Docs()], rest[v.Docs():]
	}
	return s
}

// postingLists reads the posting lists of a term into list. It returns them with the
// term's idf, 0 if no live document has the term.
func (s *docScorer) postingLists(term string) (lists []postings.List, idf float64) {
	s.list = s.list[:0]
	first, n, key := len(s.lists), 0, postings.NewKey(term)
	for i, v := range s.views {
		list := v.FindKey(key)
		s.lists = append(s.lists, list)
		start := len(s.list)
		s.list = list.Summaries(slices.Grow(s.list, list.Docs))
		s.ends[i] = len(s.list)
		n += v.CountLive(s.list[start:])
	}
	if n == 0 {
		s.lists = s.lists[:first]
		return nil, 0
	}
	return s.lists[first:], s.idf(n)
}

// mostTelling returns the maxTerms terms that may score the most, in the order of the query.
func (s *docScorer) mostTelling(terms []queryTerm) []queryTerm {
	if len(terms) <= maxTerms {
		return terms
	}
	best := make([]int, 0, len(terms))
	weights := make([]float64, len(terms))
	for i, t := range terms {
		if n := s.countDocs(t.term); n > 0 {
			weights[i] = s.idf(n) * t.weight
			best = append(best, i)
		}
	}
	slices.SortStableFunc(best, func(a, b int) int { return cmp.Compare(weights[b], weights[a]) })
	best = best[:min(len(best), maxTerms)]
	slices.Sort(best)
	telling := make([]queryTerm, len(best))
	for i, at := range best {
		telling[i] = terms[at]
	}
	return telling
}

// countDocs counts the live documents that have a term.
func (s *docScorer) countDocs(term string) (n int) {
	key := postings.NewKey(term)
	for _, v := range s.views {
		list := v.FindKey(key)
		if v.AllLive {
			n += list.Docs
			continue
		}
		s.list = list.Summaries(s.list[:0])
		n += v.CountLive(s.list)
	}
	return n
}

// addTerms adds the scores of terms to the documents that have them.
func (s *docScorer) addTerms(terms []queryTerm) (all []weightedTerm) {
	path := float32(s.weights.path)
	least, perTerm := s.docHalfSaturation()
	for _, t := range s.mostTelling(terms) {
		lists, idf := s.postingLists(t.term)
		if t.asked {
			s.asked.add(t.weight, idf, s.idf(0))
		}
		if idf == 0 {
			continue
		}
		weight := idf * t.weight
		all = append(all, weightedTerm{lists: lists, weight: weight})
		s.maxScore += weight
		start := 0
		for i, end := range s.ends {
			v, scores := s.views[i], s.scores[i]
			for _, d := range s.list[start:end] {
				w := float32(d.Weight()) + path*float32(d.InPath())
				halfSaturation := least + perTerm*float32(v.DocLength(int(d.Doc)))
				scores[d.Doc] += float32(weight) * w / (halfSaturation + w)
			}
			start = end
		}
	}
	return all
}

// addMentions adds the scores of names to the documents that have them. A name that is as
// discriminative as possible ranks a document above all documents that only have the
// terms. The score of a name is at most its weight; a frequent name counts less.
func (s *docScorer) addMentions(mentions []nameMention) (all []weightedTerm) {
	for _, m := range mentions {
		lists, idf := s.postingLists(m.term)
		if idf == 0 {
			continue
		}
		weight := idf * m.weight / math.Log(2+s.docs)
		all = append(all, weightedTerm{lists, weight, m.members})
		start := 0
		for i, end := range s.ends {
			for _, d := range s.list[start:end] {
				s.scores[i][d.Doc] += float32(weight * s.maxScore)
			}
			start = end
		}
	}
	return all
}

// scoredDoc is a document with its score.
type scoredDoc struct {
	view, doc int32
	score     float32
}

// candidates returns the best documents, in the order of views and documents.
func (s *docScorer) candidates(q *parsedQuery) []candidate {
	all, highest := s.liveScores()
	floor := scoreFloor(all, highest)
	gain := float32(s.weights.of(traits.DataTrait, true) / s.weights.of(traits.DataTrait, false))
	best := make([]scoredDoc, 0, maxCandidates+1)
	for _, d := range all { // of many files with equal scores, nearly all are refused by one comparison
		if d.score*gain < floor {
			continue
		}
		v := s.views[d.view]
		if gain > 1 && traits.Set(v.Traits(int(d.doc))) == traits.DataTrait && q.namingOf(v.Rel(int(d.doc))).own {
			d.score *= gain // its own name has words of the query
		}
		if d.score >= floor && v.Serves(int(d.doc)) {
			best = insertTop(best, d, maxCandidates, s.compare)
		}
	}
	slices.SortFunc(best,
		func(a, b scoredDoc) int { return cmp.Or(cmp.Compare(a.view, b.view), cmp.Compare(a.doc, b.doc)) })
	list := s.scratch.candidates[:0]
	for _, d := range best {
		view, doc := int(d.view), int(d.doc)
		list = append(list, candidate{view: view, doc: doc, DocInfo: s.views[view].Doc(doc)})
	}
	s.scratch.candidates = list
	return list
}

// liveScores returns the live documents with a score, and the highest score. Traits reduce
// the scores, as they later reduce the scores of units.
func (s *docScorer) liveScores() (all []scoredDoc, highest float32) {
	all = s.scoredDocs[:0]
	var factors [traits.All + 1]float32
	for kind := range factors {
		factors[kind] = float32(s.weights.of(traits.Set(kind), false))
	}
	for i, v := range s.views {
		for doc, score := range s.scores[i] {
			if score == 0 || !v.IsLive(doc) {
				continue
			}
			score *= factors[traits.Set(v.Traits(doc))&traits.All]
			all = append(all, scoredDoc{int32(i), int32(doc), score})
			highest = max(highest, score)
		}
	}
	s.scoredDocs = all
	return all, highest
}

// top returns the documents with the highest scores, the highest first.
func (s *docScorer) top(limit int) []scoredDoc {
	best := make([]scoredDoc, 0, limit)
	all, _ := s.liveScores()
	for _, d := range all {
		best = insertTop(best, d, limit, s.compare)
	}
	return best
}

// compare orders by score, then by path.
func (s *docScorer) compare(a, b scoredDoc) int {
	if c := cmp.Compare(b.score, a.score); c != 0 {
		return c
	}
	return compareDocs(s.views[a.view], int(a.doc), s.views[b.view], int(b.doc))
}

// scoreFloor returns a score that at least maxCandidates documents reach, and few more, or
// 0 if there are not as many.
func scoreFloor(all []scoredDoc, highest float32) float32 {
	const steps = 1024
	var counts [steps + 2]int
	step := steps / max(highest, 1e-9)
	for _, d := range all {
		counts[int(d.score*step)]++
	}
	n := 0
	for i := steps + 1; i > 0; i-- {
		if n += counts[i]; n >= maxCandidates {
			return float32(i-1) / steps * highest // one step lower, in case of rounding errors
		}
	}
	return 0
}
