package index

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"ploke-lsp/index/vectors"
)

const (
	// queryPatience is how long a search waits for the vector of its question.
	queryPatience = time.Second
	// queryLimit is how long the embedder may take for it all the same, so that the next
	// such search has it.
	queryLimit = 30 * time.Second
	// queryRest is for how long searches go without vectors after the embedder has
	// failed, or kept one waiting in vain.
	queryRest = 10 * time.Second
	// keptQueries is how many vectors of questions are kept: a turn asks the same
	// question more than once.
	keptQueries = 32
)

// questions asks the embedder for the vectors of what is searched for, each once.
type questions struct {
	mu       sync.Mutex // guards what follows
	embedder Embedder
	other    func(space string) Embedder
	known    []*asked // the oldest first
	rest     time.Time
}

// asked is a question whose vector has been asked for.
type asked struct {
	space, text string
	done        chan struct{}
	vector      []float32 // once done
	err         error
}

func (q *questions) use(e Embedder, other func(space string) Embedder) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.embedder, q.other, q.known, q.rest = e, other, nil, time.Time{}
}

func (q *questions) using() (Embedder, func(space string) Embedder) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.embedder, q.other
}

// errResting says that the embedder has just failed.
var errResting = errors.New("the embeddings endpoint did not answer just now")

// vector is that of a text, if it is there soon.
func (x *Index) vector(ctx context.Context, e Embedder, text string) ([]float32, error) {
	a, err := x.ask(e, text)
	if err != nil {
		return nil, err
	}
	patience := time.NewTimer(queryPatience)
	defer patience.Stop()
	select {
	case <-a.done:
		return a.vector, a.err
	case <-patience.C:
		x.questions.fail()
		return nil, fmt.Errorf("the embeddings endpoint took longer than %v", queryPatience)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// ask asks for the vector of a text, unless somebody has.
func (x *Index) ask(e Embedder, text string) (*asked, error) {
	q := &x.questions
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, a := range q.known {
		if a.space == e.Space() && a.text == text {
			return a, nil
		}
	}
	if time.Now().Before(q.rest) {
		return nil, errResting
	}
	a := &asked{space: e.Space(), text: text, done: make(chan struct{})}
	q.known = append(q.known[max(0, len(q.known)-keptQueries+1):], a)
	x.background.Go(func() {
		ctx, cancel := context.WithTimeout(x.life, queryLimit)
		defer cancel()
		a.vector, a.err = e.EmbedQuery(ctx, text)
		q.answered(a)
		close(a.done)
	})
	return a, nil
}

// answered notes how it went. A question that has failed may be asked again.
func (q *questions) answered(a *asked) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if a.err == nil {
		q.rest = time.Time{}
		return
	}
	q.rest = time.Now().Add(queryRest)
	q.known = slices.DeleteFunc(q.known, func(other *asked) bool { return other == a })
}

// fail has searches go without for a while.
func (q *questions) fail() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.rest = time.Now().Add(queryRest)
}

// neighborhood is what lies nearer to a question than by accident, by shard, and how near:
// from 0 to 1.
type neighborhood map[*shard]map[vectors.Key]float64

// maxNeighbors is how many passages of a shard are looked at.
const maxNeighbors = 100

// neighbors finds what lies near a question. without says why that is not known of all
// shards that have vectors; it is empty where there is nothing to be known.
func (x *Index) neighbors(ctx context.Context, text string) (near neighborhood, without string, err error) {
	near = neighborhood{}
	for _, s := range x.all() {
		found, err := x.neighborsIn(ctx, s, text)
		if ctx.Err() != nil {
			return nil, "", ctx.Err()
		}
		if err != nil {
			without = err.Error()
			continue
		}
		if len(found) > 0 {
			near[s] = found
		}
	}
	near.normalize()
	return near, without, nil
}

// neighborsIn is what lies near a question in a shard, 1 where that is certain, and more.
func (x *Index) neighborsIn(ctx context.Context, s *shard, text string) (map[vectors.Key]float64, error) {
	set, e, err := x.serving(s)
	if err != nil || set == nil {
		return nil, err
	}
	if err := s.followPassages(ctx); err != nil {
		return nil, err
	}
	vector, err := x.vector(ctx, e, text)
	if err != nil {
		return nil, err
	}
	nearest, err := set.Nearest(vector, maxNeighbors)
	found := make(map[vectors.Key]float64, len(nearest))
	floor := chance(set.Len())
	for _, n := range nearest {
		if n.ZScore > floor {
			found[n.Key] = (n.ZScore - floor) / telling
		}
	}
	return found, err
}

// Among many passages some lie near a question though they have nothing to do with it.
// While the nearest counted in full whatever it was, vectors that say nothing cost 6 points
// of the MRR on changes of bench/retrieval, and those of hashed letters as much. By these
// figures it is 1 of either, and what a model knows helps as before.
const (
	// byChance is how many passages may lie nearer than what counts by chance.
	byChance = 5
	// telling is by how many standard deviations more a passage is near for certain.
	telling = 3
)

// chance is the standard score above which there are byChance of n passages if nothing
// but chance decides: the normal distribution's.
func chance(n int) float64 {
	return math.Sqrt2 * math.Erfinv(1-2*min(byChance/float64(n), 0.5))
}

// serving is the set of vectors that searches use, with the embedder for questions: the
// one in use, or until that is complete the last that was, if there is a way to ask for
// its vectors; nil if there is none.
func (x *Index) serving(s *shard) (*vectors.Set, Embedder, error) {
	e, other := x.questions.using()
	if e == nil {
		return nil, nil, nil
	}
	set, err := s.set(e.Space())
	if err != nil || set.Complete() {
		return set, e, err
	}
	if other == nil {
		return nil, nil, nil
	}
	for _, space := range s.spaces() {
		if space == e.Space() {
			continue
		}
		set, err := s.set(space)
		if err != nil {
			return nil, nil, err
		}
		if !set.Complete() {
			continue
		}
		if old := other(space); old != nil {
			return set, old, nil
		}
	}
	return nil, nil, nil
}

// normalize divides by the nearest, where it is more than near for certain.
func (n neighborhood) normalize() {
	most := 1.0
	for _, found := range n {
		for _, near := range found {
			most = max(most, near)
		}
	}
	for _, found := range n {
		for key := range found {
			found[key] /= most
		}
	}
}
