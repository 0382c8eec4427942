package query

import (
	"path"
	"slices"
	"strings"
)

// Evidence is what speaks for the results of a search, as far as it can be compared between queries. A score can't: it
// says which result is better, and the best of what has nothing to do with the query has a high one, too.
type Evidence struct {
	// Fit is what the words of the query score in the unit of the first result's file that has the most of them, as a
	// share of what all of them could score. A word that no file has could score the most. What was searched for instead
	// of a mistyped word scores, but is not missed; nor is what no file has of another language.
	Fit float64
	// Naming is the share of the query's words that the names of that file and its folders have.
	Naming float64
	// Together is the share of the other ones of the best ten files that are in its folder. What is found by chance is
	// anywhere.
	Together float64
	// Known is the share of the query's words that a file has, weighted like Fit. It has no weight of its own.
	Known float64
	// Named reports whether the query names a symbol or a place that exists.
	Named bool
}

// The weights of the evidence. They were chosen on questions, changes and texts with nothing to find, so that about one
// in a hundred questions with an answer is doubted, and two in three texts without, see docs/how-it-searches.md.
const (
	fitWeight      = 1
	namingWeight   = .2
	togetherWeight = .1
	// doubtBelow is the confidence below which results are doubted.
	doubtBelow = .23

	togetherFiles = 10 // files that Together is about
)

// Confidence returns how sure it is that a project has what a query is about, from 0 to 1. It depends on the query and
// the project, not on how many results are asked for.
func (e Evidence) Confidence() float64 {
	if e.Named {
		return 1
	}
	return min(1, fitWeight*e.Fit+namingWeight*e.Naming+togetherWeight*e.Together)
}

// Doubt says why probably none of the results is what the query is about. It is empty if one may be.
func (r *Results) Doubt() string {
	switch {
	case len(r.Hits) == 0 || r.Evidence.Confidence() >= doubtBelow:
		return ""
	case r.Evidence.Known < .5:
		return "no file has most of the words"
	}
	return "no place has many of the words"
}

// evidence returns what speaks for the best unit. files are the best ones, and asked is what the words of the query
// could score.
func (c *corpus) evidence(best []rankedUnit, files []*candidate, asked askedWords) Evidence {
	if len(best) == 0 {
		return Evidence{}
	}
	first := best[0].from
	e := Evidence{Fit: 1, Known: 1, Naming: first.naming.match, Named: asked.named}
	if asked.all > 0 {
		e.Fit, e.Known = min(1, first.bestUnit/asked.all), asked.known/asked.all
	}
	near, others := 0., 0.
	for _, d := range files[:min(togetherFiles, len(files))] {
		if d == first {
			continue
		}
		if others++; c.views[d.view].Shard == c.views[first.view].Shard && path.Dir(d.rel) == path.Dir(first.rel) {
			near++
		}
	}
	e.Together = near / max(others, 1)
	return e
}

// askedWords is what the words of a query could score.
type askedWords struct {
	all, known float64 // all words, and those that a file has
	named      bool    // the query names a symbol or a place that exists
}

// add adds a word of a weight with its idf, which is 0 if no file has it: then it could score the most.
func (a *askedWords) add(weight, idf, most float64) {
	if idf == 0 {
		idf = most
	} else {
		a.known += weight * idf
	}
	a.all += weight * idf
}

// namesSymbol reports whether the first line of a query names a symbol. What follows it may be pasted.
func (c *corpus) namesSymbol(q *parsedQuery) bool {
	return slices.ContainsFunc(q.line, func(w lineWord) bool {
		return (identifier(w.text) || q.quotes(w.text)) && c.named([]byte(strings.ToLower(w.text)))
	})
}
