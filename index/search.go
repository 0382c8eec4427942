package index

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Query is a search: words in any language, identifiers and paths among them.
type Query struct {
	Text  string
	Limit int // of hits; 0: 20
	// Editor is where the person is who asks.
	Editor Editor
	// Without leaves channels out, to see what each is worth.
	Without []Channel
}

const defaultLimit = 20

// Results are what a search found.
type Results struct {
	Query   string
	TopK    int
	Took    time.Duration
	Hits    []Hit // best first
	Partial bool  // a root has not been indexed in full yet
	// WithoutVectors says why no vectors were compared though there are some, as when the
	// embedder did not answer in time; else it is empty.
	WithoutVectors string
}

// Hit is a unit with its score. Signals are the scores that made it up: "text" and
// "file", "history" where commits that are like the query touched its file, "exact"
// where the query names it, "dense" where its vector lies near the query's, and "meant"
// where the query names one of its lines or quotes a text of it, or the person is there,
// and "editor" where the person is near its file; each but "meant" is at most 1.
type Hit struct {
	Unit
	Score   float64
	Signals map[string]float64
}

// questionBytes bounds what of a question is looked at: people paste whole logs.
const maxQueryBytes = 8 << 10

// Search finds the units that a question is about.
func (x *Index) Search(ctx context.Context, q Query) (*Results, error) {
	started := time.Now()
	if q.Limit <= 0 {
		q.Limit = defaultLimit
	}
	results := &Results{Query: q.Text, TopK: q.Limit, Partial: x.partial()}
	query := parseQuery(q.Text[:min(len(q.Text), maxQueryBytes)])
	w := newWeights(q.Without)
	w.traits = newTraitWeights(query.traits)
	var near vectorScores
	if w.dense > 0 {
		var err error
		if near, results.WithoutVectors, err = x.nearestVectors(ctx, q.Text[:min(len(q.Text), maxQueryBytes)]); err != nil {
			return nil, fmt.Errorf("searching: %w", err)
		}
	}
	err := x.onViews(ctx, func(views []*view) (missed bool, err error) {
		// Some may have gone from the disk since they were indexed.
		m := cmp.Or(x.scratch.Swap(nil), new(scratch))
		defer x.scratch.Store(m)
		c, sources := newCorpus(views, w), x.sources()
		at, err := (&locator{sources, ctx, c, m}).locate(query, q.Editor)
		if err != nil {
			return false, err
		}
		best := c.search(query, c.nearUnits(near), at, q.Limit+q.Limit/2, m)
		results.Hits, missed, err = sources.hits(ctx, best, q.Limit)
		return missed, err
	})
	if err != nil {
		return nil, fmt.Errorf("searching: %w", err)
	}
	results.Took = time.Since(started)
	return results, nil
}

// hits describes the first of what was found. missed says that some of it is no longer
// in the database.
func (o *sources) hits(ctx context.Context, all []rankedUnit, limit int) (hits []Hit, missed bool, err error) {
	hits = make([]Hit, 0, min(limit, len(all)))
	for len(all) > 0 && len(hits) < limit {
		n := min(limit-len(hits), len(all))
		units, gone, err := o.describeRanked(ctx, all[:n])
		if err != nil {
			return nil, false, err
		}
		missed = missed || gone
		for i, f := range all[:n] {
			if units[i].Path != "" {
				hits = append(hits, f.hit(units[i]))
			}
		}
		all = all[n:]
	}
	return hits, missed, nil
}

func (f rankedUnit) hit(u Unit) Hit {
	h := Hit{Unit: u, Score: f.score, Signals: map[string]float64{"text": f.text, "file": f.file}}
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

// partial says whether a root's first indexing has not ended.
func (x *Index) partial() bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for _, s := range x.shards {
		if !s.complete {
			return true
		}
	}
	return false
}

// views are all segments of now, those of unsaved texts among them. They are usable
// until release.
func (x *Index) views() (views []*view, release func()) {
	overlay := x.unsavedBuffers()
	var releases []func()
	for _, s := range x.all() {
		snap := s.acquire()
		releases = append(releases, func() { s.release(snap) })
		hidden := map[string]bool{}
		for _, b := range overlay {
			if b.shard == s {
				hidden[b.rel] = true
				views = append(views, &view{Segment: b.posts, shard: s, log: snap.commits.log, buffer: b, allLive: true})
			}
		}
		for _, p := range snap.parts {
			views = append(views, &view{Segment: p.Segment, shard: s, log: snap.commits.log, allLive: p.liveDocs == len(p.live), live: p.live, hidden: hidden})
		}
	}
	return views, func() {
		for _, release := range releases {
			release()
		}
	}
}

// onViews runs fn on the views of the newest generation, whichever process has made
// it, and again where fn has missed what a newer one has.
func (x *Index) onViews(ctx context.Context, fn func([]*view) (missed bool, err error)) error {
	const attempts = 3
	for attempt := 1; ; attempt++ {
		for _, s := range x.all() {
			if err := s.catchUp(ctx); err != nil {
				return err
			}
		}
		views, release := x.views()
		missed, err := fn(views)
		release()
		if err != nil || !missed || attempt == attempts {
			return err
		}
	}
}

// found describes what was found, in the texts of now; what is no longer there has no
// path. missed says that the postings name a file that the database no longer has: a
// newer generation has been committed meanwhile.
func (o *sources) describeRanked(ctx context.Context, all []rankedUnit) (units []Unit, missed bool, err error) {
	units = make([]Unit, len(all))
	files := map[*shard]map[int64][]int{} // the numbers of what was found in a file
	for i, f := range all {
		if f.view.buffer != nil {
			units[i] = f.view.buffer.unit(f.ordinal())
			continue
		}
		s, id := f.view.shard, f.view.Doc(f.doc).ID
		if files[s] == nil {
			files[s] = map[int64][]int{}
		}
		files[s][id] = append(files[s][id], i)
	}
	for s, found := range files {
		var of []selection
		err := s.eachDeclared(ctx, slices.Collect(maps.Keys(found)), func(row fileRow, symbols []byte) error {
			c, err := newRankedSelection(row, symbols, all, found[row.id])
			of = append(of, c)
			return err
		})
		if err != nil {
			return nil, false, err
		}
		described, err := o.describeAll(ctx, s, of)
		if err != nil {
			return nil, false, err
		}
		for i, c := range of {
			for _, n := range found[c.row.id] {
				units[n] = described[i][all[n].ordinal()]
			}
		}
		missed = missed || len(of) < len(found)
	}
	return units, missed, nil
}

// chooseFound chooses what was found in a file.
func newRankedSelection(row fileRow, symbols []byte, all []rankedUnit, numbers []int) (selection, error) {
	ordinals := map[int]bool{}
	last := fileUnit
	for _, n := range numbers {
		ordinals[all[n].ordinal()] = true
		last = max(last, all[n].ordinal())
	}
	return newSelection(row, symbols, last, func(ordinal int, _ []byte) bool { return ordinals[ordinal] })
}

// ordinal is that of what was found in its file.
func (f rankedUnit) ordinal() int { return int(f.view.Unit(f.unit).Ordinal) }

// unit describes the symbol of that ordinal, or the text itself.
func (b *buffer) unit(ordinal int) Unit {
	if ordinal == fileUnit {
		return b.source.fileUnit()
	}
	if s, ok := b.symbol(ordinal); ok {
		return b.source.unit(s)
	}
	return Unit{}
}
