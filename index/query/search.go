package query

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"ploke-lsp/index/shards"
)

// Query is a search. The text is words of any language, with identifiers and paths among
// them.
type Query struct {
	Text  string
	Limit int // number of hits; 0: 20
	// Editor is the state of the person's editor.
	Editor Editor
	// Without turns channels off, to measure what each contributes.
	Without []Channel
	// Focused prefers more symbols of the best files to more files. It is for a reader of the
	// code, so the hits have their lines; a list for a person should give an overview.
	Focused bool
	// Explain requests the parts of the scores.
	Explain bool
}

const defaultLimit = 20

// Results are the results of a search.
type Results struct {
	Query   string
	TopK    int
	Took    time.Duration
	Hits    []Hit // best first
	Partial bool  // a root has not been completely indexed yet
	// Respelled are the words of the query that the index does not know, with what was searched for instead.
	Respelled []Respelling
	// Evidence is what speaks for the hits.
	Evidence Evidence
	// WithoutVectors says why existing vectors were not compared, for example because the
	// embedder did not answer in time. Otherwise it is empty.
	WithoutVectors string
}

// Hit is a unit with its score. Hits are in the order of their scores, but the first three
// are of different files, unless one file is far ahead. Signals are the components of the score: "text" and "file"
// by the words; "history" if commits that are like the query changed its file; "exact" if
// the query names it; "dense" if its vector is near the query's; "meant" if the query
// names one of its lines, quotes its text, or the cursor is in it; "editor" if its file is
// near the person's place. Each but "meant" is at most 1.
type Hit struct {
	shards.Unit
	Score   float64
	Signals map[string]float64
	Parts   []ScorePart // of the score, the largest first, if they were requested
}

// Searcher searches what a reader reads. It is safe for concurrent use.
type Searcher struct {
	reader  shards.Reader
	scratch atomic.Pointer[scratch] // of the last search, for the next one; nil while in use
}

// NewSearcher returns a searcher of what r reads.
func NewSearcher(r shards.Reader) *Searcher { return &Searcher{reader: r} }

// MaxQueryBytes bounds how much of a query is used, in bytes: people paste whole logs.
const MaxQueryBytes = 8 << 10

// Search returns the best units for a query.
func (x *Searcher) Search(ctx context.Context, q Query) (*Results, error) {
	started := time.Now()
	if q.Limit <= 0 {
		q.Limit = defaultLimit
	}
	results := &Results{Query: q.Text, TopK: q.Limit, Partial: x.reader.Partial()}
	w := newWeights(q.Without)
	query := parse(q.Text[:min(len(q.Text), MaxQueryBytes)], w.reports > 0, w.kinds > 0)
	w.request(query.traits)
	var near shards.VectorScores
	if w.dense > 0 {
		var err error
		if near, results.WithoutVectors, err = x.reader.NearestVectors(ctx,
			q.Text[:min(len(q.Text), MaxQueryBytes)]); err != nil {
			return nil, fmt.Errorf("searching: %w", err)
		}
	}
	err := x.reader.OnViews(ctx, func(views []*shards.View) error {
		m := cmp.Or(x.scratch.Swap(nil), new(scratch))
		defer x.scratch.Store(m)
		c, sources := newCorpus(views, w), x.reader.Texts()
		sources.WithLines = q.Focused
		c.penalties, c.explains = newPenalties(q.Focused, w.diversity), q.Explain
		at, err := (&locator{sources, ctx, c, m}).locate(query, q.Editor)
		if err != nil {
			return err
		}
		// Some units may no longer be on disk, so more than Limit are ranked.
		best, respelled, evidence := c.search(query, c.nearUnits(near), at, q.Limit+q.Limit/2, m)
		results.Respelled, results.Evidence = respelled, evidence
		results.Hits, err = describeHits(ctx, sources, best, q.Limit)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("searching: %w", err)
	}
	results.Took = time.Since(started)
	return results, nil
}

// describeHits describes the first limit units that still exist.
func describeHits(ctx context.Context, o *shards.CurrentTexts, all []rankedUnit, limit int) (hits []Hit, err error) {
	hits = make([]Hit, 0, min(limit, len(all)))
	for len(all) > 0 && len(hits) < limit {
		n := min(limit-len(hits), len(all))
		units, err := describeRanked(ctx, o, all[:n])
		if err != nil {
			return nil, err
		}
		for i, f := range all[:n] {
			if units[i].Path != "" {
				hits = append(hits, f.hit(units[i]))
			}
		}
		all = all[n:]
	}
	return hits, nil
}

func (f rankedUnit) hit(u shards.Unit) Hit {
	h := Hit{Unit: u, Score: f.score, Parts: f.parts, Signals: map[string]float64{"text": f.text, "file": f.file}}
	if f.history > 0 {
		h.Signals["history"] = f.history
	}
	if f.exact > 0 {
		h.Signals["exact"] = f.exact
	}
	if f.dense > 0 {
		h.Signals["dense"] = f.dense
	}
	if f.located > 0 {
		h.Signals["meant"] = f.located
	}
	if f.prior > 0 {
		h.Signals["editor"] = f.prior
	}
	return h
}

// describeRanked describes units by the current texts. A unit that no longer exists has no
// path.
func describeRanked(ctx context.Context, o *shards.CurrentTexts, all []rankedUnit) ([]shards.Unit, error) {
	units := make([]shards.Unit, len(all))
	var selected []shards.Selection
	var inFile [][]int // of each selection, the indexes in all
	for i, f := range all {
		switch {
		case f.view.Buffer != nil:
			units[i] = f.view.Buffer.Unit(f.ordinal())
		case !slices.ContainsFunc(all[:i], f.sameFile):
			numbers := []int{i}
			for n, other := range all[i+1:] {
				if f.sameFile(other) {
					numbers = append(numbers, i+1+n)
				}
			}
			c, err := selectRanked(all, numbers)
			if err != nil {
				return nil, err
			}
			selected, inFile = append(selected, c), append(inFile, numbers)
		}
	}
	described, err := o.DescribeAll(ctx, selected)
	if err != nil {
		return nil, err
	}
	for i, numbers := range inFile {
		for _, n := range numbers {
			units[n] = described[i][all[n].ordinal()]
		}
	}
	return units, nil
}

// selectRanked selects the symbols of ranked units of one file.
func selectRanked(all []rankedUnit, numbers []int) (shards.Selection, error) {
	ordinals := map[int]bool{}
	last := shards.FileUnit
	for _, n := range numbers {
		ordinals[all[n].ordinal()] = true
		last = max(last, all[n].ordinal())
	}
	f := all[numbers[0]]
	return f.view.SelectSymbols(f.doc, last, func(ordinal int, _ []byte) bool { return ordinals[ordinal] })
}

func (f rankedUnit) sameFile(other rankedUnit) bool {
	return f.view == other.view && f.doc == other.doc
}

// ordinal returns the ordinal of the unit in its file.
func (f rankedUnit) ordinal() int { return int(f.view.Unit(f.unit).Ordinal) }
