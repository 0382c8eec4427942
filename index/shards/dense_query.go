package shards

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

const (
	// queryTimeout is how long a search waits for the vector of its query.
	queryTimeout = time.Second
	// embedTimeout is how long the embedder may take in total, so that a later search with
	// the same query can use the vector.
	embedTimeout = 30 * time.Second
	// queryBackoff is how long searches go without vectors after the embedder has failed
	// or timed out.
	queryBackoff = 10 * time.Second
	// maxQueryVectors is the number of query vectors that are cached: a turn often repeats
	// a query.
	maxQueryVectors = 32
)

// vectorSearch finds the passages that are near a query.
type vectorSearch struct {
	*catalog
	work         *background
	queryVectors queryVectors
}

// queryVectors requests the vectors of search queries from the embedder, and caches them.
type queryVectors struct {
	mu       sync.Mutex // guards the fields below
	embedder Embedder
	earlier  func(space string) Embedder
	requests []*vectorRequest // the oldest first
	retryAt  time.Time
}

// vectorRequest is a request for the vector of a query.
type vectorRequest struct {
	space, text string
	done        chan struct{}
	vector      []float32 // valid once done is closed
	err         error
}

func (q *queryVectors) setEmbedder(e Embedder, earlier func(space string) Embedder) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.embedder, q.earlier, q.requests, q.retryAt = e, earlier, nil, time.Time{}
}

func (q *queryVectors) embedders() (Embedder, func(space string) Embedder) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.embedder, q.earlier
}

// errBackingOff says that the embedder has failed recently.
var errBackingOff = errors.New("the embeddings endpoint has just failed; searches use it again in a few seconds")

// queryVector returns the vector of a text, or an error if it takes longer than
// queryTimeout.
func (v *vectorSearch) queryVector(ctx context.Context, e Embedder, text string) ([]float32, error) {
	request, err := v.requestQueryVector(e, text)
	if err != nil {
		return nil, err
	}
	timeout := time.NewTimer(queryTimeout)
	defer timeout.Stop()
	select {
	case <-request.done:
		return request.vector, request.err
	case <-timeout.C:
		v.queryVectors.backOff()
		return nil, fmt.Errorf("the embeddings endpoint took longer than %v", queryTimeout)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// requestQueryVector returns the pending or finished request for the vector of a text. It
// starts one if there is none.
func (v *vectorSearch) requestQueryVector(e Embedder, text string) (*vectorRequest, error) {
	q := &v.queryVectors
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, request := range q.requests {
		if request.space == e.Space() && request.text == text {
			return request, nil
		}
	}
	if time.Now().Before(q.retryAt) {
		return nil, errBackingOff
	}
	request := &vectorRequest{space: e.Space(), text: text, done: make(chan struct{})}
	q.requests = append(q.requests[max(0, len(q.requests)-maxQueryVectors+1):], request)
	v.work.Go(func() {
		ctx, cancel := context.WithTimeout(v.work.lifetime, embedTimeout)
		defer cancel()
		request.vector, request.err = e.EmbedQuery(ctx, text)
		q.finish(request)
		close(request.done)
	})
	return request, nil
}

// finish records the result of a request. A failed request may be repeated.
func (q *queryVectors) finish(request *vectorRequest) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if request.err == nil {
		q.retryAt = time.Time{}
		return
	}
	q.retryAt = time.Now().Add(queryBackoff)
	q.requests = slices.DeleteFunc(q.requests, func(other *vectorRequest) bool { return other == request })
}

// backOff makes searches go without vectors for queryBackoff.
func (q *queryVectors) backOff() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.retryAt = time.Now().Add(queryBackoff)
}
