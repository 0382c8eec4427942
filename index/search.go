package index

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Query is a search: words in any language, identifiers and paths among them.
type Query struct {
	Text  string
	Limit int // of hits; 0: 20
}

const defaultLimit = 20

// Results are what a search found.
type Results struct {
	Query   string
	TopK    int
	Took    time.Duration
	Hits    []Hit // best first
	Partial bool  // a root has not been indexed in full yet
}

// Hit is a unit with its score. Signals are the scores that made it up: "text" and
// "file", and "exact" where the query names it; each is at most 1.
type Hit struct {
	Unit
	Score   float64
	Signals map[string]float64
}

// Search finds the units that a question is about.
func (x *Index) Search(ctx context.Context, q Query) (*Results, error) {
	started := time.Now()
	if q.Limit <= 0 {
		q.Limit = defaultLimit
	}
	results := &Results{Query: q.Text, TopK: q.Limit, Partial: x.partial()}
	question := ask(q.Text)
	err := x.onViews(ctx, func(views []*view) (missed bool, err error) {
		// Some may have gone from the disk since they were indexed.
		best := newCorpus(views).search(question, q.Limit+q.Limit/2)
		results.Hits, missed, err = x.sources().hits(ctx, best, q.Limit)
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
func (o *sources) hits(ctx context.Context, all []found, limit int) (hits []Hit, missed bool, err error) {
	for _, f := range all {
		unit, ok, err := o.found(ctx, f)
		switch {
		case errors.Is(err, errMissed):
			missed = true
		case err != nil:
			return nil, false, err
		case ok:
			hits = append(hits, f.hit(unit))
		}
		if len(hits) == limit {
			break
		}
	}
	return hits, missed, nil
}

func (f found) hit(u Unit) Hit {
	h := Hit{Unit: u, Score: f.score, Signals: map[string]float64{"text": f.text, "file": f.file}}
	if f.exact > 0 {
		h.Signals["exact"] = f.exact
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
	overlay := x.overlay()
	var releases []func()
	for _, s := range x.all() {
		snap := s.acquire()
		releases = append(releases, func() { s.release(snap) })
		hidden := map[string]bool{}
		for _, b := range overlay {
			if b.shard == s {
				hidden[b.rel] = true
				views = append(views, &view{Segment: b.posts, shard: s, buffer: b})
			}
		}
		for _, p := range snap.parts {
			views = append(views, &view{Segment: p.Segment, shard: s, alive: p.alive, hidden: hidden})
		}
	}
	return views, func() {
		for _, release := range releases {
			release()
		}
	}
}

// errMissed says that the postings name a file that the database no longer has: a
// newer generation has been committed meanwhile.
var errMissed = errors.New("the index has moved on")

// onViews runs fn on the views of one generation, and again on a newer one where fn
// has missed what that one has.
func (x *Index) onViews(ctx context.Context, fn func([]*view) (missed bool, err error)) error {
	const attempts = 3
	for attempt := 1; ; attempt++ {
		views, release := x.views()
		missed, err := fn(views)
		release()
		if err != nil || !missed || attempt == attempts {
			return err
		}
		for _, s := range x.all() {
			if err := s.catchUp(ctx); err != nil {
				return err
			}
		}
	}
}

// found describes a unit that was found, in the text of now.
func (o *sources) found(ctx context.Context, f found) (u Unit, ok bool, err error) {
	ordinal := int(f.view.Unit(f.unit).Ordinal)
	if b := f.view.buffer; b != nil {
		if ordinal == wholeFile {
			return b.source.whole(), true, nil
		}
		s, ok := b.symbol(ordinal)
		if !ok {
			return Unit{}, false, nil
		}
		return b.source.unit(s), true, nil
	}
	row, ok, err := f.view.shard.fileByID(ctx, f.view.Doc(f.doc).ID)
	if err == nil && !ok {
		err = errMissed
	}
	if err != nil {
		return Unit{}, false, err
	}
	src, err := o.indexed(ctx, f.view.shard, row)
	if err != nil || src == nil {
		return Unit{}, false, err
	}
	if ordinal == wholeFile {
		return src.whole(), true, nil
	}
	symbols, err := f.view.shard.symbolsOf(ctx, row.id, ordinal, ordinal)
	if err != nil || len(symbols) == 0 {
		return Unit{}, false, err
	}
	s, ok := src.find(symbols[0])
	if !ok {
		return Unit{}, false, nil
	}
	return src.unit(s), true, nil
}
